// Parses the query of `/players/srs_player.html`: a complete `url`, or its parts, as in SRS's own player page.
import { serverRoot } from './server-root.ts';

export interface SrsPlayerQuery {
  /** Complete stream address, given as `url` or built from the parts. */
  address: string;
  autostart: boolean;
}

const defaultExtension = 'flv';

/** Reads `url`, `schema`, `server`, `port`, `vhost`, `app`, `stream`, `autostart`. `page` provides the defaults. */
export function parseSrsPlayerQuery(query: URLSearchParams, page: URL): SrsPlayerQuery {
  const autostart = query.get('autostart') === 'true';
  return { address: query.get('url') || addressFromParts(query, page), autostart };
}

/** Link that opens this page with `address` and starts playback. */
export function shareLink(address: string, page: URL): string {
  const link = new URL(page.pathname, page);
  link.searchParams.set('url', address);
  link.searchParams.set('autostart', 'true');
  return link.href;
}

function addressFromParts(query: URLSearchParams, page: URL): string {
  const schema = (query.get('schema') || page.protocol).replace(/:$/, '');
  const server = query.get('server') || page.hostname;
  const app = (query.get('app') || 'live').split('/').map(encodeURIComponent).join('/');
  const stream = query.get('stream') || 'livestream';
  const file = /\.(flv|ts|m3u8)$/i.test(stream) ? stream : `${stream}.${defaultExtension}`;
  const vhost = query.get('vhost');
  const named = vhost && vhost !== server && vhost !== '__defaultVhost__' ? `?vhost=${encodeURIComponent(vhost)}` : '';
  const root = query.has('server') ? '/' : serverRoot().pathname;
  return `${schema}://${server}${portSuffix(query, page)}${root}${app}/${encodeURIComponent(file)}${named}`;
}

/** The page's port is the default, because that port also serves media. */
function portSuffix(query: URLSearchParams, page: URL): string {
  const port = query.get('port') ?? (query.has('server') ? '' : page.port);
  return port === '' || port === '80' || port === '443' ? '' : `:${port}`;
}
