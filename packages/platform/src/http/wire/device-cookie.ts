// The cookie by which a browser that logged in before is known at its next login (docs/decisions/login-throttle.md). It is
// no credential: it decides only which bucket a wrong password is counted in, so open CORS stays safe.
import { endpoints } from '@srs-stack/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { calledOrigin } from './client-address.ts';

const cookieName = 'srs_device';
/** As long as a session, seconds. */
const maxAgeSeconds = 365 * 24 * 3_600;
/** Sent with the calls that judge a password and with nothing else of the media or the players. */
const cookiePath = endpoints.login.path.slice(0, endpoints.login.path.lastIndexOf('/'));
const cookieValue = new RegExp(`(?:^|;) *${cookieName}=([^;, ]+)`);

/** The value the browser shows; '' without one. */
export function deviceCookieOf(request: FastifyRequest): string {
  return cookieValue.exec(request.headers.cookie ?? '')?.[1] ?? '';
}

/** Never to be sent by another site's page (RFC 6265bis §4.1.2.7) or read by a script. */
export function setDeviceCookie(request: FastifyRequest, reply: FastifyReply, value: string): void {
  const secure = calledOrigin(request).startsWith('https:') ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${cookieName}=${value}; Path=${cookiePath}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`,
  );
}
