// Invitations of guests: format, signature and validity. Pure.
import { createHmac } from 'node:crypto';
import type { LiveRoom } from '@srs-stack/contract/models/live-room.ts';
import { secretsEqual } from '../access/secrets-equal.ts';

export interface Invitation {
  readonly id: string;
  readonly name: string;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** A stored room with its signing key and invitations. */
export interface KeptRoom {
  readonly room: LiveRoom;
  /** Signs the invitations. A new secret or stream of the room replaces this key. */
  readonly signingKey: string;
  readonly invitations: readonly Invitation[];
}

/** Room id, invitation id, signature. */
const form = /^inv-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{32})$/;
/** Length of the signature, hexadecimal digits: 128 bits. */
const signatureDigits = 32;

/** Room id and invitation id in a text; undefined for any other text. Does not verify the signature. */
export function parseInvitation(value: string): { roomId: string; id: string } | undefined {
  const [, roomId, id] = form.exec(value) ?? [];
  return roomId !== undefined && id !== undefined ? { roomId, id } : undefined;
}

/** The text that a guest sends as the secret. */
export function writeInvitation({ room, signingKey }: KeptRoom, { id, expiresAt }: Invitation): string {
  const roomId = roomIdOf(room);
  const signed = createHmac('sha256', signingKey).update(`${roomId}\n${room.stream}\n${id}\n${expiresAt}`);
  return `inv-${roomId}-${id}-${signed.digest('hex').slice(0, signatureDigits)}`;
}

export function roomIdOf({ uuid }: Pick<LiveRoom, 'uuid'>): string {
  return uuid.replaceAll('-', '').toLowerCase();
}

/** Undefined if the invitation was revoked or modified, or belongs to another room. */
export function invitationOf(kept: KeptRoom, value: string): Invitation | undefined {
  const named = parseInvitation(value);
  const found = kept.invitations.find(({ id }) => id === named?.id);
  return found && secretsEqual(value, writeInvitation(kept, found)) ? found : undefined;
}

export type GuestVerdict = 'open' | 'not-begun' | 'expired';

/** Whether a guest may start publishing now. */
export function guestVerdict({ room }: KeptRoom, { expiresAt }: Invitation, nowMs: number): GuestVerdict {
  if (Date.parse(expiresAt) <= nowMs) return 'expired';
  return room.startsAt !== null && Date.parse(room.startsAt) > nowMs ? 'not-begun' : 'open';
}
