// Headers of every public response, and headers of pages. CORS may allow all origins: the only cookie with access (`srs_page` of the
// control plane) is valid only for pages of this server.
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { openHeaders } from '@srs-stack/engine';
import { serverHeader } from '../../product-version.ts';

export const serverHeaders: readonly string[] = ['Server', serverHeader];

/** CORS headers, each exactly once (docs/reference/protocols/public-http.md), and the name of the server. */
export const commonHeaders = {
  ...openHeaders,
  Server: serverHeader,
} as const;

/** `commonHeaders` as a flat list, which `writeHead` handles fastest. */
export const commonHeaderList: readonly string[] = Object.entries(commonHeaders).flat();

/** A request with its response headers (`../cors.ts`). The engine reads this property, too. */
interface WithResponseHeaders {
  readonly responseHeaders?: readonly string[];
}

/** Response headers for this request, as a flat list. */
export function responseHeadersOf(request: IncomingMessage & WithResponseHeaders): readonly string[] {
  return request.responseHeaders ?? commonHeaderList;
}

export function setCommonHeaders(response: ServerResponse): void {
  const headers = responseHeadersOf(response.req);
  for (let at = 0; at + 1 < headers.length; at += 2) response.setHeader(headers[at]!, headers[at + 1]!);
}

/** Selects the Content-Security-Policy of a page. */
export type PageKind = 'console' | 'media-console' | 'embeddable';

/**
 * A host name or address that a policy may contain. A policy cannot contain an IPv6 literal; for such a host, the policy allows any host.
 */
const policyHost = /^[A-Za-z0-9.-]+$/;

/**
 * Content-Security-Policy of an HTML page.
 * - Players on another port of this host must work in the console.
 * - The embeddable player pages play any address.
 * - The media server console shows any SRS. Its buttons change state, so no other site may frame this page.
 * @param host value of the Host header, including the port.
 * @param scripts digests of the inline scripts that may run (CSP Level 3 §2.3.1, hash-source).
 */
function pagePolicy(kind: PageKind, host: string, scripts: readonly string[]): string {
  const name = host.replace(/:\d+$/, '');
  const anyHost = 'http: https: ws: wss:';
  const ownHost = policyHost.test(name) ? `http://${name}:* https://${name}:* ws://${name}:* wss://${name}:*` : anyHost;
  const reach = kind === 'console' ? ownHost : anyHost;
  return [
    "default-src 'self'",
    ["script-src 'self'", ...scripts].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: https:",
    "font-src 'self' data:",
    `media-src 'self' blob: data: ${reach}`,
    `connect-src 'self' ${reach}`,
    "worker-src 'self' blob:",
    "frame-src 'self' https:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    kind === 'embeddable' ? 'frame-ancestors *' : "frame-ancestors 'self'",
  ].join('; ');
}

const hashSource = (script: string): string => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

/** Digests of the inline scripts of a built page. Do not call with a page that contains inserted data. */
export function inlineScriptSources(page: string): string[] {
  return [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script]) => hashSource(script!));
}

/** @param scripts result of `inlineScriptSources`. All other inline scripts are blocked. */
export function setPageSecurity(
  response: ServerResponse,
  kind: PageKind,
  host: string,
  scripts: readonly string[] = [],
): void {
  response.setHeader('Content-Security-Policy', pagePolicy(kind, host, scripts));
  response.setHeader('Referrer-Policy', kind === 'console' ? 'same-origin' : 'strict-origin-when-cross-origin');
}
