// The invitation in the link of the guest page, and the server's data about it.
import { type InvitationFacts, invitationPath } from '@srs-stack/contract/values/live-rooms.ts';
import { onServer } from '../server-root.ts';

/** Form of every invitation: a prefix, then hexadecimal digits and dashes. */
const form = /^inv-[0-9a-f-]{60,190}$/;
/** Time without a response after which the server counts as unavailable, milliseconds. */
const timeoutMs = 8_000;

/** The invitation in the fragment of `…/guest.html#inv-…`; undefined if the link was truncated. */
export function invitationOfLink(hash: string): string | undefined {
  const value = decodeOrKeep(hash.replace(/^#/, '')).trim();
  return form.test(value) ? value : undefined;
}

/** Requests the data of an invitation; undefined if the server does not respond. */
export async function requestInvitation(invitation: string): Promise<InvitationFacts | undefined> {
  try {
    const response = await fetch(onServer(invitationPath), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ invitation }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) return undefined;
    return ((await response.json()) as { data: InvitationFacts }).data;
  } catch {
    return undefined;
  }
}

/** The address to which the guest publishes. */
export function publishAddress({ app, stream }: InvitationFacts, invitation: string): string {
  const query = new URLSearchParams({ app, stream, secret: invitation });
  return onServer(`/rtc/v1/whip/?${query}`);
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
