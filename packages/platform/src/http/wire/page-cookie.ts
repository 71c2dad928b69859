// The cookie for calls that consoles of earlier releases send without a credential: the sources of virtual live. A browser sends it
// with these calls alone, it opens no other, and it counts only for pages of this server: as good as a header that a page sets.
import { endpoints, uploadPath } from '@srs-stack/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageCookieLifetimeMs } from '../../access/sessions.ts';
import { calledOrigin } from './client-address.ts';
import { isOwnPage } from './foreign-pages.ts';

/** Of HTTPS and of HTTP: one that came over HTTPS is none that somebody on the line could have set (RFC 6265bis §4.1.3.1). */
const cookieNames = { https: '__Secure-srs_page', http: 'srs_page' } as const;
const { vliveServerFile, vliveStreamUrl } = endpoints;
/** Each has a cookie of its own: a path that all of them share would lead to other calls too (RFC 6265 §5.1.4). */
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

/** Whether this path of a call is among those the cookie is for. */
export function takesPageCookie(path: string): boolean {
  return cookiePaths.includes(path);
}

/** The value that a page of this server shows; '' without one, and from everybody else. */
export function pageCookieOf(request: FastifyRequest): string {
  const [, value = ''] = cookieValues[schemeOf(request)].exec(request.headers.cookie ?? '') ?? [];
  return value !== '' && isOwnPage(request) ? value : '';
}

/** Never to be sent by another site's page (RFC 6265bis §4.1.2.7) or read by a script. */
export function setPageCookie(request: FastifyRequest, reply: FastifyReply, value: string): void {
  sendCookies(request, reply, value, pageCookieLifetimeMs / 1000);
}

/** Makes the browser forget it. */
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
