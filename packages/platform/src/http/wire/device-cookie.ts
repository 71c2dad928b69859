// A cookie that identifies a browser after its first login (docs/decisions/login-throttle.md). The cookie only selects the counter of wrong
// passwords. It is not a credential, so open CORS is safe.
import { endpoints } from '@srs-stack/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { calledOrigin } from './client-address.ts';

const cookieName = 'srs_device';
/** Lifetime, seconds; equal to the lifetime of a session. */
const maxAgeSeconds = 365 * 24 * 3_600;
/** Common path of the calls that check a password. Browsers send the cookie only to calls below this path. */
const cookiePath = endpoints.login.path.slice(0, endpoints.login.path.lastIndexOf('/'));
const cookieValue = new RegExp(`(?:^|;) *${cookieName}=([^;, ]+)`);

/** The cookie value of the browser; '' without one. */
export function deviceCookieOf(request: FastifyRequest): string {
  return cookieValue.exec(request.headers.cookie ?? '')?.[1] ?? '';
}

/** Sets a cookie that scripts cannot read, and that pages of other sites do not send (RFC 6265bis §4.1.2.7). */
export function setDeviceCookie(request: FastifyRequest, reply: FastifyReply, value: string): void {
  const secure = calledOrigin(request).startsWith('https:') ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${cookieName}=${value}; Path=${cookiePath}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`,
  );
}
