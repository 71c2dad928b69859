// Which pages of other sites may read an answer (Fetch §3.2). All may; only who sends credentials must be named, because `*` never counts for
// such a request. Calls keep the fixed headers, which older clients compare (docs/protocols/public-http.md); media name the origin.
import type { IncomingMessage } from 'node:http';
import { cloudLinkPrefixes, recordLinkPrefix } from '@srs-stack/contract/constants.ts';
import { commonHeaderList, serverHeaders } from './http/response-headers.ts';
import { pathnameOf, type Route } from './route-table.ts';

/** A serialized origin (RFC 6454 §6.2), or that of a sandboxed frame. */
const originPattern = /^(?:null|[a-z][\w+.-]*:\/\/[^\s,"]{1,255})$/i;
/** Names of headers as a preflight lists them. */
const headerNames = /^[\w!#$%&'*+.^`|~, -]{1,1024}$/;
/** `*` counts for requests without credentials, and never for `Authorization`; the names for all. */
const requestHeaders = '*, Authorization';
const exposedHeaders =
  '*, Accept-Ranges, Age, Content-Length, Content-Range, Date, ETag, Link, Location, Retry-After, WWW-Authenticate';
const methods = '*, GET, HEAD, POST, PATCH, DELETE, OPTIONS';

const mediaLinks = [recordLinkPrefix, ...Object.values(cloudLinkPrefixes)];

/** Headers of every answer to this request, flat. */
export function corsHeadersOf(request: IncomingMessage, route: Route): readonly string[] {
  const { headers } = request;
  const origin = originPattern.test(headers.origin ?? '') ? headers.origin : undefined;
  if (isMedia(request, route)) return origin ? named(origin) : [...commonHeaderList, 'Vary', 'Origin'];
  // Programs never send this header, so theirs are the answers they compare.
  return route === 'rtc' && origin && headers['sec-fetch-site'] !== undefined ? named(origin) : commonHeaderList;
}

/** The same for an OPTIONS request: browsers ask by it whether they may send what the page wants to send. */
export function preflightHeadersOf(request: IncomingMessage, route: Route): readonly string[] {
  const asked = request.headers['access-control-request-headers'];
  const answer = corsHeadersOf(request, route);
  if (asked === undefined) return answer;
  const isNamed = answer.includes(methods);
  const names = isNamed && headerNames.test(asked) ? `${requestHeaders}, ${asked}` : requestHeaders;
  const at = answer.indexOf(allowHeaders) + 1;
  return isNamed || /authorization/i.test(asked) ? answer.toSpliced(at, 1, names) : answer;
}

const allowHeaders = 'Access-Control-Allow-Headers';

function named(origin: string): readonly string[] {
  return [
    ...['Access-Control-Allow-Origin', origin, allowHeaders, requestHeaders, 'Access-Control-Allow-Methods', methods],
    ...['Access-Control-Expose-Headers', exposedHeaders, 'Access-Control-Allow-Credentials', 'true', 'Vary', 'Origin'],
    ...serverHeaders,
  ];
}

/** Recordings are media too. */
function isMedia({ url }: IncomingMessage, route: Route): boolean {
  if (route !== 'platform') return route === 'media';
  const path = pathnameOf(url ?? '') ?? '';
  return mediaLinks.some((prefix) => path.startsWith(prefix));
}
