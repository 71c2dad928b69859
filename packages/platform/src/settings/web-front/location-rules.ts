// Checks proxied paths and the target of the home page. Paths of the product cannot be proxied. A backend cannot be a cloud metadata
// address or a port of this product. Pure.
import { isIP } from 'node:net';
import { AppError, because, type ProxyLocation } from '@srs-stack/contract';
import { isForbiddenAddress } from '../../network/address-rule.ts';

/** First segments of paths that the product itself serves. `live` is the default app: its streams are played below `/live/`. */
const ownSegments = [
  ...['terraform', 'mgmt', 'api', 'rtc', 'tools', 'players', 'console', '.well-known', 'live', 'hooks'],
  ...['metrics', 'healthz', 'readyz'],
];
/** Only plain path segments: escapes and dot segments could be interpreted differently by a proxy. */
const pathPattern = /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+\/?$/;

/** Path without a trailing slash. Throws `proxyLocationInvalid`. */
function checkLocation(location: string): string {
  const path = location.trim();
  if (!path.startsWith('/')) throw new AppError('proxyLocationInvalid', because('proxy.slash', { path }));
  if (!pathPattern.test(path)) throw new AppError('proxyLocationInvalid', because('proxy.form', { path }));
  const first = path.split('/')[1]?.toLowerCase() ?? '';
  if (ownSegments.includes(first)) throw new AppError('proxyLocationInvalid', because('proxy.own', { segment: first }));
  if (/\.(?:flv|m3u8|ts|aac|mp3)\/?$/i.test(path))
    throw new AppError('proxyLocationInvalid', because('proxy.like-a-stream', { path }));
  return path.replace(/\/$/, '');
}

/** The backend as a URL. Ends with a slash only if `backend` does. Throws `backendInvalid`. */
function checkBackend(backend: string, isOwnPort: (host: string, port: number) => boolean): string {
  const text = backend.trim();
  const url = /[\s\p{Cc}]/u.test(text) ? null : URL.parse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new AppError('backendInvalid', because('backend.scheme', { address: text }));
  if (url.username || url.password || url.search || url.hash)
    throw new AppError('backendInvalid', because('backend.parts'));
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) && isForbiddenAddress(host))
    throw new AppError('backendInvalid', because('address.never-contacted', { host }));
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  if (isOwnPort(host, port)) throw new AppError('backendInvalid', because('backend.itself', { host: url.host }));
  return `${url.protocol}//${url.host}${url.pathname === '/' && !text.endsWith('/') ? '' : url.pathname}`;
}

/** Throws for an invalid entry or a duplicate path. */
export function checkLocations(
  locations: readonly ProxyLocation[],
  isOwnPort: (host: string, port: number) => boolean,
): ProxyLocation[] {
  const seen = new Set<string>();
  return locations.map(({ location, backend }) => {
    if (location.trim() === '') throw new AppError('proxyLocationInvalid', because('proxy.path-missing'));
    if (backend.trim() === '') throw new AppError('backendInvalid', because('proxy.backend-missing'));
    const path = checkLocation(location);
    if (seen.has(path)) throw new AppError('proxyLocationInvalid', because('proxy.twice', { path }));
    seen.add(path);
    return { location: path, backend: checkBackend(backend, isOwnPort) };
  });
}

/** A path of this server except `/`, or an http(s) address. Throws `homepageInvalid`. */
export function checkHomepage(homepage: string): string {
  const text = homepage.trim();
  if (text === '') throw new AppError('homepageInvalid', because('homepage.missing'));
  if (/[\s\p{Cc}\\"<>]/u.test(text)) throw new AppError('homepageInvalid', because('homepage.spaces'));
  if (text.startsWith('/')) {
    const path = URL.parse(text, 'http://own.invalid');
    if (path?.host !== 'own.invalid') throw new AppError('homepageInvalid', because('homepage.two-slashes'));
    if (path.pathname === '/') throw new AppError('homepageInvalid', because('homepage.itself'));
    return path.pathname + path.search + path.hash;
  }
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.username || url.password)
    throw new AppError('homepageInvalid', because('homepage.form'));
  return url.toString();
}
