// Publish authorization for streams of live rooms: by the secret of the room, or by an invitation. Pure.
import { defaultApp } from '@srs-stack/contract';
import { secretsEqual } from '../access/secrets-equal.ts';
import { secretValues } from './publish-secret-match.ts';
import { guestVerdict, invitationOf, type KeptRoom, parseInvitation } from './room-invitations.ts';

/** `no-room`: the stream belongs to no room, so other rules decide. */
export type RoomVerdict = 'no-room' | 'admitted' | 'secret-needed' | 'invitation-closed' | 'expired' | 'not-begun';

export interface RoomPublisher {
  readonly app: string;
  readonly stream: string;
  readonly param: string;
}

export function roomOf(rooms: readonly KeptRoom[], { app, stream }: Omit<RoomPublisher, 'param'>) {
  return app === defaultApp ? rooms.find(({ room }) => room.stream === stream) : undefined;
}

/** Decides whether a publisher may start to publish. */
export function judgeRoomPublisher(rooms: readonly KeptRoom[], publisher: RoomPublisher, nowMs: number): RoomVerdict {
  const kept = roomOf(rooms, publisher);
  if (!kept) return 'no-room';
  const values = secretValues(publisher.param);
  if (knowsSecret(kept, values)) return 'admitted';
  const invited = values.map((value) => invitationOf(kept, value)).find((found) => found !== undefined);
  if (!invited) return values.some((value) => parseInvitation(value)) ? 'invitation-closed' : 'secret-needed';
  const verdict = guestVerdict(kept, invited, nowMs);
  return verdict === 'open' ? 'admitted' : verdict;
}

/** Whether an admitted publisher may continue. Ignores the expiry: an expired invitation does not interrupt a broadcast. */
export function mayContinue(kept: KeptRoom, { param }: Pick<RoomPublisher, 'param'>): boolean {
  const values = secretValues(param);
  return knowsSecret(kept, values) || values.some((value) => invitationOf(kept, value) !== undefined);
}

/** An empty room secret admits nobody. */
function knowsSecret({ room }: KeptRoom, values: readonly string[]): boolean {
  return room.secret !== '' && values.map((value) => secretsEqual(value, room.secret)).includes(true);
}
