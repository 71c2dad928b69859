// A cookie for the calls that consoles of earlier releases make without a credential (sources of virtual live). The cookie authorizes only
// these calls, and only from pages of this server.
import { endpoints, uploadPath } from '@srs-stack/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageCookieLifetimeMs } from '../../access/sessions.ts';
import { calledOrigin } from './client-address.ts';
import { isOwnPage } from './foreign-pages.ts';

/** Cookie names for HTTPS and HTTP. An attacker on the network cannot set the HTTPS cookie (RFC 6265bis §4.1.3.1). */
const cookieNames = { https: '__Secure-srs_page', http: 'srs_page' } as const;
const { vliveServerFile, vliveStreamUrl } = endpoints;
/** One cookie per path: a common path prefix would include other calls (RFC 6265 §5.1.4). */
const cookiePaths = [
  uploadPath.replace(/\/$/, ''),
  vliveServerFile.path,
  vliveStreamUrl.path,
  ...vliveStreamUrl.aliases,
];
const cookieValues = {
  https: new RegExp(`(?:^|;) *${cookieNames.https}=([^;, ]+)`),
  http: new RegExp(`(?:^|;) *${cookieNames.http}=([^;, ]+)`),
} as const;

/** Whether the path belongs to a call that accepts the page cookie. */
export function takesPageCookie(path: string): boolean {
  return cookiePaths.includes(path);
}

/** Returns the cookie value if a page of this server sends the request, else ''. */
export function pageCookieOf(request: FastifyRequest): string {
  const [, value = ''] = cookieValues[schemeOf(request)].exec(request.headers.cookie ?? '') ?? [];
  return value !== '' && isOwnPage(request) ? value : '';
}

/** Sets a cookie that scripts cannot read, and that pages of other sites do not send (RFC 6265bis §4.1.2.7). */
export function setPageCookie(request: FastifyRequest, reply: FastifyReply, value: string): void {
  sendCookies(request, reply, value, pageCookieLifetimeMs / 1000);
}

/** Deletes the cookie in the browser. */
export function clearPageCookie(request: FastifyRequest, reply: FastifyReply): void {
  sendCookies(request, reply, '', 0);
}

function sendCookies(request: FastifyRequest, reply: FastifyReply, value: string, maxAgeSeconds: number): void {
  const scheme = schemeOf(request);
  const secure = scheme === 'https' ? '; Secure' : '';
  for (const path of cookiePaths) {
    const attributes = `Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
    reply.header('set-cookie', `${cookieNames[scheme]}=${value}; ${attributes}`);
  }
}

function schemeOf(request: FastifyRequest): 'https' | 'http' {
  return calledOrigin(request).startsWith('https:') ? 'https' : 'http';
}
