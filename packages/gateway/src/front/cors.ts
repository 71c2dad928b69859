// CORS headers (Fetch §3.2). All origins may read responses. A response to a request with credentials must name the origin, because `*`
// does not apply. Responses to media requests and to WebRTC calls of browsers name the origin. Other calls have fixed headers, which older
// clients require (docs/reference/protocols/public-http.md).
import type { IncomingMessage } from 'node:http';
import { channelGuidePrefix, cloudLinkPrefixes, recordLinkPrefix } from '@srs-stack/contract/constants.ts';
import { commonHeaderList, serverHeaders } from './http/response-headers.ts';
import { pathnameOf, type Route } from './route-table.ts';

/** A serialized origin (RFC 6454 §6.2), or `null` for a sandboxed frame. */
const originPattern = /^(?:null|[a-z][\w+.-]*:\/\/[^\s,"]{1,255})$/i;
/** Valid list of header names in a preflight request. */
const headerNames = /^[\w!#$%&'*+.^`|~, -]{1,1024}$/;
/** `*` never applies to `Authorization`, so `Authorization` is listed, too. */
const requestHeaders = '*, Authorization';
const exposedHeaders =
  '*, Accept-Ranges, Age, Content-Length, Content-Range, Date, ETag, Link, Location, Retry-After, WWW-Authenticate';
const methods = '*, GET, HEAD, POST, PATCH, DELETE, OPTIONS';

const mediaLinks = [recordLinkPrefix, channelGuidePrefix, ...Object.values(cloudLinkPrefixes)];

/** Response headers for this request, as a flat list. */
export function corsHeadersOf(request: IncomingMessage, route: Route): readonly string[] {
  const { headers } = request;
  const origin = originPattern.test(headers.origin ?? '') ? headers.origin : undefined;
  if (isMedia(request, route)) return origin ? named(origin) : [...commonHeaderList, 'Vary', 'Origin'];
  // Only browsers send `Sec-Fetch-Site`. Other clients get the fixed headers.
  return route === 'rtc' && origin && headers['sec-fetch-site'] !== undefined ? named(origin) : commonHeaderList;
}

/** Headers of a response to OPTIONS (a preflight), as a flat list. */
export function preflightHeadersOf(request: IncomingMessage, route: Route): readonly string[] {
  const requested = request.headers['access-control-request-headers'];
  const response = corsHeadersOf(request, route);
  if (requested === undefined) return response;
  const isNamed = response.includes(methods);
  const names = isNamed && headerNames.test(requested) ? `${requestHeaders}, ${requested}` : requestHeaders;
  const at = response.indexOf(allowHeaders) + 1;
  return isNamed || /authorization/i.test(requested) ? response.toSpliced(at, 1, names) : response;
}

const allowHeaders = 'Access-Control-Allow-Headers';

function named(origin: string): readonly string[] {
  return [
    ...['Access-Control-Allow-Origin', origin, allowHeaders, requestHeaders, 'Access-Control-Allow-Methods', methods],
    ...['Access-Control-Expose-Headers', exposedHeaders, 'Access-Control-Allow-Credentials', 'true', 'Vary', 'Origin'],
    ...serverHeaders,
  ];
}

/** Recordings and channel guides count as media. */
function isMedia({ url }: IncomingMessage, route: Route): boolean {
  if (route !== 'platform') return route === 'media';
  const path = pathnameOf(url ?? '') ?? '';
  return mediaLinks.some((prefix) => path.startsWith(prefix));
}
