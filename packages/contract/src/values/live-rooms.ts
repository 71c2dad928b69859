// Invitations to live rooms: definitions for the guest page and the servers. Contains no schemas, because the page loads none.

/** The call that returns the room of an invitation. */
export const invitationPath = '/terraform/v1/live/room/invitation/query';
/** The page on which a guest publishes. The invitation is the URL fragment, which no server or proxy receives. */
export const guestPage = '/players/guest.html';

/** `closed`: unknown or revoked, or the room was removed. */
export const invitationStates = ['open', 'not-begun', 'expired', 'closed'] as const;
export type InvitationState = (typeof invitationStates)[number];

/** Response about an invitation; strings are empty for a closed one. */
export interface InvitationFacts {
  readonly state: InvitationState;
  readonly title: string;
  readonly app: string;
  readonly stream: string;
  /** RFC 3339; null: at any time. */
  readonly startsAt: string | null;
  readonly expiresAt: string | null;
}
