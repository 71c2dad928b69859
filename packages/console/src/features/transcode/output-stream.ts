export interface OutputStream {
  app: string;
  stream: string;
}

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The stream on this server that an RTMP output publishes to; undefined for other servers. The host must be loopback or the page's host.
 */
export function ownOutputStream(
  { server, secret }: { server: string; secret: string },
  hostname: string,
): OutputStream | undefined {
  const match = /^rtmps?:\/\/([^/]+)\/(.*)$/i.exec(joined(server.trim(), secret.trim()));
  if (!match) return undefined;
  const host = match[1]!.replace(/:\d+$/, '').toLowerCase();
  if (host !== hostname.toLowerCase() && !loopback.includes(host)) return undefined;
  const path = match[2]!.split('?')[0]!.replace(/\/+/g, '/');
  const cut = path.lastIndexOf('/');
  return cut > 0 && cut < path.length - 1 ? { app: path.slice(0, cut), stream: path.slice(cut + 1) } : undefined;
}

/** Display name of the output. This server: `app/stream`. Another server: the address without the key. '' if unset. */
export function outputName(config: { server: string; secret: string }, hostname: string): string {
  const own = ownOutputStream(config, hostname);
  if (own) return `${own.app}/${own.stream}`;
  const server = config.server.trim();
  // Without a separate key, the path may contain the key, so only the host is shown.
  return config.secret.trim() === '' ? server.replace(/^([a-z]+:\/\/[^/]+).*$/i, '$1') : server.replace(/[/?]+$/, '');
}

function joined(server: string, secret: string): string {
  if (secret === '') return server;
  return server.endsWith('/') || secret.startsWith('/') ? server + secret : `${server}/${secret}`;
}
