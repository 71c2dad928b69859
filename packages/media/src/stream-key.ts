// Identity of a stream in all protocols: vhost, app and stream name.

export const defaultVhost = '__defaultVhost__';

export interface StreamKey {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
}

/** Returns `app/stream` on the default vhost, else `vhost/app/stream`. Used as key of a stream in tables. */
export function toStreamUrl({ vhost, app, stream }: StreamKey): string {
  return vhost === defaultVhost ? `${app}/${stream}` : `${vhost}/${app}/${stream}`;
}
