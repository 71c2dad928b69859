// Headers that every public answer carries, and those of pages. CORS is open because the only cookie that opens
// anything counts for pages of this server alone (`srs_page` of the control plane).
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { openHeaders } from '@srs-stack/engine';
import { serverHeader } from '../../product-version.ts';

export const serverHeaders: readonly string[] = ['Server', serverHeader];

/** The CORS headers of the engine, each exactly once (docs/protocols/public-http.md), and the name of the server. */
export const commonHeaders = {
  ...openHeaders,
  Server: serverHeader,
} as const;

/** The same, flat, for `writeHead`'s fast path. */
export const commonHeaderList: readonly string[] = Object.entries(commonHeaders).flat();

/** A request whose answers have headers of their own (`../cors.ts`) has this property; the engine reads it too. */
interface WithAnswerHeaders {
  readonly answerHeaders?: readonly string[];
}

/** Headers of every answer to this request, flat. */
export function answerHeadersOf(request: IncomingMessage & WithAnswerHeaders): readonly string[] {
  return request.answerHeaders ?? commonHeaderList;
}

export function setCommonHeaders(response: ServerResponse): void {
  const headers = answerHeadersOf(response.req);
  for (let at = 0; at + 1 < headers.length; at += 2) response.setHeader(headers[at]!, headers[at + 1]!);
}

/** What a page may do: see `pagePolicy`. */
export type PageKind = 'console' | 'media-console' | 'embeddable';

/** A host name or address as it may stand in a policy; an IPv6 literal may not, and falls back to any host. */
const policyHost = /^[A-Za-z0-9.-]+$/;

/**
 * Content-Security-Policy of an HTML page. Players of another port of this host must work in the console; the embeddable
 * player pages play any address; the media server console shows any SRS, but its buttons act: no other site may frame it.
 * @param host value of the Host header, port included.
 * @param scripts that stand in the page and may run, by their digests (CSP Level 3 §2.3.1, hash-source).
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

/** Digests of the scripts that stand in a page, as the build wrote it: never look for them in what others have written into it. */
export function inlineScriptSources(page: string): string[] {
  return [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script]) => hashSource(script!));
}

/** @param scripts of `inlineScriptSources`; nothing else that stands in the page runs. */
export function setPageSecurity(
  response: ServerResponse,
  kind: PageKind,
  host: string,
  scripts: readonly string[] = [],
): void {
  response.setHeader('Content-Security-Policy', pagePolicy(kind, host, scripts));
  response.setHeader('Referrer-Policy', kind === 'console' ? 'same-origin' : 'strict-origin-when-cross-origin');
}
