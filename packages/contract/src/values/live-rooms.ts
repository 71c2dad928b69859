// Invitations to live rooms, for the guest page and the servers. Contains no schemas, because the page must stay small.

/** The call that returns the room of an invitation. */
export const invitationPath = '/terraform/v1/live/room/invitation/query';
/** The page on which a guest publishes. The invitation is in the URL fragment, which browsers never send to a server. */
export const guestPage = '/players/guest.html';

/** `closed`: unknown or revoked, or the room was removed. */
export const invitationStates = ['open', 'not-begun', 'expired', 'closed'] as const;
export type InvitationState = (typeof invitationStates)[number];

/** All strings are empty when `state` is `closed`. */
export interface InvitationFacts {
  readonly state: InvitationState;
  readonly title: string;
  readonly app: string;
  readonly stream: string;
  /** RFC 3339; null: no limit. */
  readonly startsAt: string | null;
  readonly expiresAt: string | null;
}
