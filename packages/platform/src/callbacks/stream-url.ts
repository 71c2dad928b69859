// Name of a stream in tables and status rows: `app/stream` on the default vhost, else `vhost/app/stream`.
import { defaultVhost } from '@srs-stack/contract';

export function streamUrl(key: { vhost: string; app: string; stream: string }): string {
  const path = `${key.app}/${key.stream}`;
  return key.vhost === '' || key.vhost === defaultVhost ? path : `${key.vhost}/${path}`;
}
