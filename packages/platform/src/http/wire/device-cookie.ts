// The cookie that identifies a browser that logged in before at its next login (docs/decisions/login-throttle.md). It is not a credential:
// it only selects the counter of wrong passwords, so open CORS is safe.
import { endpoints } from '@srs-stack/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { calledOrigin } from './client-address.ts';

const cookieName = 'srs_device';
/** Lifetime, seconds: as long as a session. */
const maxAgeSeconds = 365 * 24 * 3_600;
/** Path of the calls that check a password; the cookie is sent with nothing else. */
const cookiePath = endpoints.login.path.slice(0, endpoints.login.path.lastIndexOf('/'));
const cookieValue = new RegExp(`(?:^|;) *${cookieName}=([^;, ]+)`);

/** The cookie value of the browser; '' without one. */
export function deviceCookieOf(request: FastifyRequest): string {
  return cookieValue.exec(request.headers.cookie ?? '')?.[1] ?? '';
}

/** Sets the cookie. Pages of other sites do not send it (RFC 6265bis §4.1.2.7), and scripts cannot read it. */
export function setDeviceCookie(request: FastifyRequest, reply: FastifyReply, value: string): void {
  const secure = calledOrigin(request).startsWith('https:') ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${cookieName}=${value}; Path=${cookiePath}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`,
  );
}
