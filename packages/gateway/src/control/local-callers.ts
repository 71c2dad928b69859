// Keeps web pages from the calls of the HTTP API that drive the media server. A name of a foreign site that suddenly points to 127.0.0.1 (DNS rebinding)
// still stands in `Host`, and a page of another site that embeds a call as a script says so in `Sec-Fetch-Site`.
import type { RequestListener } from 'node:http';
import { isIP } from 'node:net';
import type { ListenAddress } from '@srs-stack/engine';
import { isLoopback } from '@srs-stack/process/ip-address.ts';

const everyInterface = new Set([undefined, '', '0.0.0.0', '::']);

/**
 * Answers 403 to calls by another name than the API has; all others go to `api`.
 * @param alsoNamed names that the operator gave it, in lower case: of another control plane that passes calls on as it got them.
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
    const text = 'This API answers on loopback and under the name it listens on.\n';
    response.writeHead(403, { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': text.length }).end(text);
  };
}

/**
 * Pure. Whether a `Host` names this API: loopback, or the address it was configured to listen on. One that listens on
 * every interface is called by any address, and by names without a dot, which only the network itself can give.
 * @param host the header; without one (HTTP/1.0) the caller is no browser.
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
