// Reads the invitation from the page's link and requests its data from the server.
import { type InvitationFacts, invitationPath } from '@srs-stack/contract/values/live-rooms.ts';
import { onServer } from '../server-root.ts';

/** Format of invitations: a prefix, then hexadecimal digits and dashes. */
const form = /^inv-[0-9a-f-]{60,190}$/;
/** Maximum wait for a response, milliseconds; the server then counts as unavailable. */
const timeoutMs = 8_000;

/** Reads the invitation from the URL fragment; undefined if the link is truncated. */
export function invitationOfLink(hash: string): string | undefined {
  const value = decodeOrKeep(hash.replace(/^#/, '')).trim();
  return form.test(value) ? value : undefined;
}

/** Requests the data of an invitation; undefined if the server does not respond or reports an error. */
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

/** Address to which the guest publishes. */
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
