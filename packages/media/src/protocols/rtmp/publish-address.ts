// Parses the server URL and stream key that a user entered for publishing. The URL path is the application; the key is the stream name.

export interface PublishCredentials {
  readonly user: string;
  readonly password: string;
}

export interface PublishAddress {
  readonly isTls: boolean;
  /** Without the brackets of IPv6. */
  readonly host: string;
  readonly port: number;
  /** `tcUrl` of connect: URL of the application, without credentials. */
  readonly tcUrl: string;
  readonly app: string;
  /** Any characters; may be empty. */
  readonly streamName: string;
  readonly credentials: PublishCredentials | undefined;
}

const defaultPort = { rtmp: 1935, rtmps: 443 } as const;
/** The last `@` before the path ends the credentials. */
const serverPattern = /^(rtmps?):\/\/(?:([^/]*)@)?(\[[0-9a-f:.]+\]|[^/?#:@[\]]+)(?::(\d{1,5}))?(?:\/(.*))?$/is;
const highestPort = 65_535;

/** Undefined when `server` is not an RTMP address. */
export function parsePublishAddress(server: string, key: string): PublishAddress | undefined {
  const [, scheme = '', userInfo, host = '', port, path = ''] = serverPattern.exec(server) ?? [];
  if (host === '') return undefined;
  const isTls = scheme.toLowerCase() === 'rtmps';
  const portNumber = port === undefined ? defaultPort[isTls ? 'rtmps' : 'rtmp'] : Number(port);
  if (portNumber < 1 || portNumber > highestPort) return undefined;
  const { app, streamName } = splitPath(path.replace(/\/+$/, ''), key.replace(/^\/+/, ''));
  const authority = port === undefined ? host : `${host}:${port}`;
  return {
    isTls,
    host: host.replace(/^\[|\]$/g, ''),
    port: portNumber,
    tcUrl: `${scheme.toLowerCase()}://${authority}/${app}`,
    app,
    streamName,
    credentials: toCredentials(userInfo),
  };
}

/** If `app` or `key` is empty, the last part of the remaining path is the stream name. */
function splitPath(app: string, key: string): { app: string; streamName: string } {
  if (app !== '' && key !== '') return { app, streamName: key };
  const whole = app === '' ? key : app;
  const queryAt = whole.indexOf('?');
  const slashAt = whole.slice(0, queryAt < 0 ? undefined : queryAt).lastIndexOf('/');
  return { app: whole.slice(0, Math.max(0, slashAt)), streamName: whole.slice(slashAt + 1) };
}

function toCredentials(userInfo: string | undefined): PublishCredentials | undefined {
  if (!userInfo) return undefined;
  const [user = '', ...password] = userInfo.split(':');
  return { user: decoded(user), password: decoded(password.join(':')) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
