// Identity of a stream: vhost, app and stream name; the same over every protocol.

export const defaultVhost = '__defaultVhost__';

export interface StreamKey {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
}

/** `app/stream` on the default vhost, `vhost/app/stream` otherwise; the key of every table of streams. */
export function toStreamUrl({ vhost, app, stream }: StreamKey): string {
  return vhost === defaultVhost ? `${app}/${stream}` : `${vhost}/${app}/${stream}`;
}
