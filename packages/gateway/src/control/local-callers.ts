// Refuses calls from web pages to the API that controls the media server. After DNS rebinding to 127.0.0.1, `Host` contains the attacker's
// name. When a page of another site embeds a call as a script, the browser sends `Sec-Fetch-Site`.
import type { RequestListener } from 'node:http';
import { isIP } from 'node:net';
import type { ListenAddress } from '@srs-stack/engine';
import { isLoopback } from '@srs-stack/process/ip-address.ts';

const everyInterface = new Set([undefined, '', '0.0.0.0', '::']);

/**
 * Responds with 403 to calls with another host name and to calls from pages of other sites. Passes all other calls to `api`.
 * @param alsoNamed accepted names in lower case, for an external control plane that forwards calls unchanged.
 */
export function forLocalCallers(
  api: RequestListener,
  listens: ListenAddress,
  alsoNamed: readonly string[] = [],
): RequestListener {
  return (request, response) => {
    const { host, 'sec-fetch-site': site } = request.headers;
    if (isOwnHost(host, listens.host, alsoNamed) && site !== 'cross-site') return api(request, response);
    request.resume();
    const text = 'This API accepts only calls to a loopback address or its own host name, not from other sites.\n';
    response.writeHead(403, { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': text.length }).end(text);
  };
}

/**
 * Whether `Host` is loopback, the configured listen address, or a name in `alsoNamed`. An API on all interfaces also accepts any IP
 * address, and any name without a dot, which only the local network can resolve. Pure.
 * @param host undefined (HTTP/1.0) means that the caller is not a browser.
 */
export function isOwnHost(
  host: string | undefined,
  configured: string | undefined,
  alsoNamed: readonly string[] = [],
): boolean {
  if (host === undefined) return true;
  const name = URL.parse(`http://${host}`)?.hostname.replace(/^\[|\]$/g, '');
  if (name === undefined || !/^[^/?#@\\]+$/.test(host)) return false;
  if (isLoopback(name) || alsoNamed.includes(name)) return true;
  if (everyInterface.has(configured)) return isIP(name) !== 0 || !name.includes('.');
  return name === configured?.toLowerCase();
}
