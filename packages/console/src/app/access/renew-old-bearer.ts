// A session stored by an earlier release has the API secret as its bearer. Renewing the session once removes the secret from this browser.
import { calls } from '@srs-stack/contract/calls.ts';
import { call } from '../../api/api-client.ts';
import { readSession, storeSession } from '../../api/stored-session.ts';

/** The bearer of a session is a JWT, which has three parts (RFC 7519 §3). */
const sessionBearer = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Never rejects. Without a response, the session stays unchanged. */
export async function renewOldBearer(): Promise<void> {
  const session = readSession();
  if (session?.bearer === undefined || sessionBearer.test(session.bearer)) return;
  try {
    const renewed = await call(calls.renewToken, {});
    if (readSession()?.token === session.token) storeSession(renewed);
  } catch {
    // The failure is not shown here: if the session has expired, the next calls of the page report it.
  }
}
