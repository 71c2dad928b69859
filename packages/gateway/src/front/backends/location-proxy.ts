// Proxied paths of the public server, configured by the operator. The router handles the product's paths first, so that a proxied path
// cannot replace them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type FrontSettings, findLocation, type ProxyLocation } from '../../front-settings.ts';
import { sendText } from '../http/failure-response.ts';
import type { ForwardedResolver } from '../http/forwarded.ts';
import { toBackendHeaders, toPassedHeaders } from '../http/proxy-headers.ts';
import type { BackendProxy, BackendTarget } from './backend-proxy.ts';

/** `.` and `..` segments, escaped or not, and backslashes. Front and backend could interpret these differently. */
const ambiguousPath = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)|\\|%5c/i;

export interface LocationProxy {
  /** Returns false when no location matches. The response is then unchanged. */
  handle(request: IncomingMessage, response: ServerResponse, pathname: string): boolean;
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, pathname: string): boolean;
}

export interface LocationProxyOptions {
  readonly settings: () => FrontSettings;
  readonly backends: BackendProxy;
  readonly forwarded: ForwardedResolver;
  /** Whether a value of `Authorization` or of a cookie is a credential of this server. */
  readonly isOwnCredential: (value: string) => boolean;
}

type Upgrade = 'websocket' | undefined;

export function createLocationProxy(options: LocationProxyOptions): LocationProxy {
  const { settings, backends, forwarded, isOwnCredential: withheld } = options;
  const targetOf = (
    request: IncomingMessage,
    pathname: string,
    location: ProxyLocation,
    upgrade: Upgrade,
  ): BackendTarget => {
    const target = request.url ?? '/';
    const query = target.includes('?') ? target.slice(target.indexOf('?')) : '';
    const headers = toBackendHeaders(request.rawHeaders, forwarded(request), {
      parsed: request.headers,
      host: location.backend.host,
      upgrade,
      withheld,
    });
    return {
      origin: location.backend,
      path: backendPath(location, pathname) + query,
      headers,
      responseHeaders: (answer) => toPassedHeaders(answer, (value) => publicLocation(value, location)),
    };
  };
  return {
    handle(request, response, pathname) {
      const location = findLocation(settings().locations, pathname);
      if (!location) return false;
      if (ambiguousPath.test(pathname)) sendText(response, 400, 'The request is not valid.');
      else backends.forward(request, response, targetOf(request, pathname, location, undefined));
      return true;
    },
    handleUpgrade(request, socket, head, pathname) {
      const location = findLocation(settings().locations, pathname);
      if (!location || ambiguousPath.test(pathname)) return false;
      backends.upgrade(request, socket, head, targetOf(request, pathname, location, 'websocket'));
      return true;
    },
  };
}

/**
 * Path at the backend. For location `/shop`, `/shop/cart` becomes `/cart` below the backend's path, or is unchanged for a backend without a
 * path. Pure.
 */
function backendPath({ path, backend, replacesPath }: ProxyLocation, pathname: string): string {
  if (!replacesPath) return pathname;
  const rest = pathname.slice(path.length);
  return `${backend.pathname.replace(/\/$/, '')}${rest}` || '/';
}

/** Rewrites a redirect that leads to the backend, so that it leads to the proxied path. Pure. */
function publicLocation(value: string, { path, backend, replacesPath }: ProxyLocation): string {
  const url = URL.parse(value, backend.href);
  if (!url || url.origin !== backend.origin || (!value.startsWith('/') && !URL.canParse(value))) return value;
  const rest = url.pathname + url.search + url.hash;
  if (!replacesPath) return rest;
  const base = backend.pathname.replace(/\/$/, '');
  return url.pathname === base || url.pathname.startsWith(`${base}/`) ? path + rest.slice(base.length) : value;
}
