// A session stored by an earlier release has the API secret as its bearer. Such a session is renewed once, so that the secret does
// not stay in this browser.
import { calls } from '@srs-stack/contract/calls.ts';
import { call } from '../../api/api-client.ts';
import { readSession, storeSession } from '../../api/stored-session.ts';

/** A bearer of a session is a JWT (RFC 7519 §3): three parts. */
const sessionBearer = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Never rejects: without a response the session stays unchanged. */
export async function renewOldBearer(): Promise<void> {
  const session = readSession();
  if (session?.bearer === undefined || sessionBearer.test(session.bearer)) return;
  try {
    const renewed = await call(calls.renewToken, {});
    if (readSession()?.token === session.token) storeSession(renewed);
  } catch {
    // Not shown to the operator: if the session has expired, the calls of the page report it.
  }
}
