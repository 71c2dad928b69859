// Live rooms. The stream of a room accepts only the secret of the room, or an invitation. Rooms are cached in memory, so that publishers
// are checked even while the store is unavailable.
import { randomBytes, randomUUID } from 'node:crypto';
import {
  type ActiveStream,
  AppError,
  because,
  changed,
  defaultApp,
  defaultVhost,
  isValidStreamName,
  maxRoomInvitations,
  maxRooms,
} from '@srs-stack/contract';
import { type LiveRoom, type LiveRoomChange, liveRoom, newAssistant } from '@srs-stack/contract/models/live-room.ts';
import type { InvitationFacts } from '@srs-stack/contract/values/live-rooms.ts';
import type { Log } from '@srs-stack/process/log.ts';
import { z } from 'zod';
import { type Actor, thisServer } from '../actor.ts';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import { type HeldDocument, holdDocument } from '../store/held-document.ts';
import type { DocumentType, Store } from '../store/store.ts';
import type { ActiveStreams } from './active-streams.ts';
import {
  guestVerdict,
  type Invitation,
  invitationOf,
  type KeptRoom,
  parseInvitation,
  roomIdOf,
  writeInvitation,
} from './room-invitations.ts';
import { judgeRoomPublisher, mayContinue, type RoomPublisher, type RoomVerdict, roomOf } from './room-rules.ts';

interface RoomsState {
  /** Newest first. */
  readonly rooms: readonly KeptRoom[];
}

const roomsDocument: DocumentType<RoomsState> = {
  key: 'live-rooms',
  schema: z.object({
    rooms: z.array(
      z.object({
        room: liveRoom,
        signingKey: z.string(),
        invitations: z.array(
          z.object({ id: z.string(), name: z.string(), createdAt: z.string(), expiresAt: z.string() }),
        ),
      }),
    ),
  }),
  empty: { rooms: [] },
  secret: true,
};

/** Random bytes in a stream name: 12 hexadecimal digits, as consoles of other releases expect. */
const streamBytes = 6;
/** Random bytes in a secret: 16 hexadecimal digits, as consoles of other releases expect. */
const secretBytes = 8;
const signingKeyBytes = 32;
const invitationIdBytes = 8;
const hourMs = 3_600_000;
/** Maximum number of attempts of a write: another control plane may change rooms at the same time. */
const maxWriteAttempts = 5;

const closed: InvitationFacts = {
  ...{ state: 'closed', title: '', app: '', stream: '' },
  ...{ startsAt: null, expiresAt: null },
};

export interface LiveRoomsDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly log: Log;
  readonly now: () => Date;
  readonly activeStreams: Pick<ActiveStreams, 'listEncoders' | 'kick'>;
}

export async function openLiveRooms(deps: LiveRoomsDeps): Promise<LiveRooms> {
  return new LiveRooms(deps, await holdDocument(deps.store, roomsDocument));
}

type Change<T> = (rooms: readonly KeptRoom[]) => { readonly rooms: readonly KeptRoom[]; readonly made: T };

export class LiveRooms {
  readonly #deps: LiveRoomsDeps;
  readonly #held: HeldDocument<RoomsState>;
  readonly #oneAtATime = createOneAtATime();
  #enforced: readonly KeptRoom[];

  constructor(deps: LiveRoomsDeps, held: HeldDocument<RoomsState>) {
    this.#deps = deps;
    this.#held = held;
    this.#enforced = held.current().rooms;
    // After a change by another control plane, disconnects the publishers that the changed rooms no longer admit.
    held.onChange(async ({ rooms }) => {
      await this.#enforce(rooms, thisServer);
    });
  }

  /** Newest first. */
  list(): LiveRoom[] {
    return this.kept().map(({ room }) => room);
  }

  kept(): readonly KeptRoom[] {
    return this.#held.current().rooms;
  }

  /** Throws `notFound`. */
  get(uuid: string): LiveRoom {
    return find(this.kept(), uuid).room;
  }

  judge(publisher: RoomPublisher): RoomVerdict {
    return judgeRoomPublisher(this.kept(), publisher, this.#deps.now().getTime());
  }

  /** '' if the stream belongs to no room. */
  secretFor(publisher: Pick<RoomPublisher, 'app' | 'stream'>): string {
    return roomOf(this.kept(), publisher)?.room.secret ?? '';
  }

  /** Throws `invalidRequest` if there are too many rooms. */
  async create({ title, startsAt }: Pick<LiveRoom, 'title' | 'startsAt'>, actor: Actor): Promise<LiveRoom> {
    const room: LiveRoom = {
      ...{ uuid: randomUUID(), title, ...newAssistant },
      stream: randomBytes(streamBytes).toString('hex'),
      secret: randomBytes(secretBytes).toString('hex').toUpperCase(),
      ...{ roomToken: randomUUID(), created_at: this.#deps.now().toISOString(), startsAt },
    };
    await this.#change((rooms) => {
      if (rooms.length >= maxRooms) throw new AppError('invalidRequest', because('room.full', { maximum: maxRooms }));
      return { rooms: [{ room, signingKey: newSigningKey(), invitations: [] }, ...rooms], made: room };
    });
    await this.#enforce(this.kept(), actor);
    await this.#deps.audit.record('setting-changed', actor, changed('room.made', { title }));
    return room;
  }

  /** A change of secret or stream disconnects the publisher and revokes all invitations. Throws `notFound` or `invalidRequest`. */
  async update(uuid: string, change: LiveRoomChange, actor: Actor): Promise<LiveRoom> {
    const { room, isReplaced } = await this.#change((rooms) => {
      const before = find(rooms, uuid);
      const after = changedRoom(before.room, change);
      requireStream(rooms, after);
      const isReplaced = after.secret !== before.room.secret || after.stream !== before.room.stream;
      const kept = isReplaced
        ? { room: after, signingKey: newSigningKey(), invitations: [] }
        : { ...before, room: after };
      return { rooms: rooms.map((each) => (each === before ? kept : each)), made: { room: after, isReplaced } };
    });
    const ended = await this.#enforce(this.kept(), actor);
    const { title } = room;
    const what = isReplaced ? changed('room.secret', { title, ended }) : changed('room.changed', { title });
    await this.#deps.audit.record('setting-changed', actor, what);
    return room;
  }

  /** Disconnects the publisher. Throws `notFound`. */
  async remove(uuid: string, actor: Actor): Promise<void> {
    const { title } = await this.#change((rooms) => {
      const removed = find(rooms, uuid);
      return { rooms: rooms.filter((each) => each !== removed), made: removed.room };
    });
    const ended = await this.#enforce(this.kept(), actor);
    await this.#deps.audit.record('setting-changed', actor, changed('room.removed', { title, ended }));
  }

  /**
   * Removes the oldest expired invitations of the room if needed. Throws `notFound`, or `invalidRequest` if there are too many invitations.
   */
  async invite(uuid: string, draft: { name: string; hours: number }, actor: Actor) {
    const nowMs = this.#deps.now().getTime();
    const invitation: Invitation = {
      id: randomBytes(invitationIdBytes).toString('hex'),
      name: draft.name,
      createdAt: new Date(nowMs).toISOString(),
      expiresAt: new Date(nowMs + Math.round(draft.hours * hourMs)).toISOString(),
    };
    const kept = await this.#change((rooms) => {
      const before = find(rooms, uuid);
      const isValid = ({ expiresAt }: Invitation) => Date.parse(expiresAt) > nowMs;
      const valid = before.invitations.filter(isValid);
      if (valid.length >= maxRoomInvitations)
        throw new AppError('invalidRequest', because('room.invitations-full', { maximum: maxRoomInvitations }));
      const expired = before.invitations.filter((each) => !isValid(each)).slice(0, maxRoomInvitations);
      const after = { ...before, invitations: [invitation, ...valid, ...expired] };
      return { rooms: rooms.map((each) => (each === before ? after : each)), made: after };
    });
    await this.#enforce(this.kept(), actor);
    const what = changed('room.invited', { title: kept.room.title, name: draft.name });
    await this.#deps.audit.record('setting-changed', actor, what);
    return { ...invitation, value: writeInvitation(kept, invitation) };
  }

  /** Disconnects the guest with this invitation. Throws `notFound`. */
  async revoke(uuid: string, id: string, actor: Actor): Promise<void> {
    const { title, name } = await this.#change((rooms) => {
      const before = find(rooms, uuid);
      const revoked = before.invitations.find((each) => each.id === id);
      if (!revoked) throw new AppError('notFound', because('room.no-invitation', { id }));
      const after = { ...before, invitations: before.invitations.filter((each) => each !== revoked) };
      const made = { title: before.room.title, name: revoked.name };
      return { rooms: rooms.map((each) => (each === before ? after : each)), made };
    });
    const ended = await this.#enforce(this.kept(), actor);
    await this.#deps.audit.record('setting-changed', actor, changed('room.invitation-revoked', { title, name, ended }));
  }

  /** Reads an invitation for the guest page. */
  invitation(value: string): InvitationFacts {
    const roomId = parseInvitation(value)?.roomId;
    const kept = this.kept().find(({ room }) => roomIdOf(room) === roomId);
    const found = kept && invitationOf(kept, value);
    if (!found) return closed;
    const { title, stream, startsAt } = kept.room;
    const state = guestVerdict(kept, found, this.#deps.now().getTime());
    return { state, title, app: defaultApp, stream, startsAt, expiresAt: found.expiresAt };
  }

  /** Reads, changes and writes atomically. Retries if another control plane wrote first. */
  #change<T>(change: Change<T>): Promise<T> {
    return this.#oneAtATime(async () => {
      for (let attempt = 1; ; attempt++) {
        const before = this.#held.current();
        const { rooms, made } = change(before.rooms);
        try {
          await this.#held.replace(before, { rooms });
          return made;
        } catch (error) {
          const isStale = error instanceof AppError && error.errorName === 'settingsChanged';
          if (!isStale || attempt === maxWriteAttempts) throw error;
        }
      }
    });
  }

  /** Disconnects publishers that the changed rooms no longer admit. Resolves with the number of these publishers. */
  async #enforce(rooms: readonly KeptRoom[], actor: Actor): Promise<number> {
    const before = this.#enforced;
    this.#enforced = rooms;
    const isGone = ({ app = '', stream = '', param = '' }: ActiveStream) => {
      const [was, is] = [roomOf(before, { app, stream }), roomOf(rooms, { app, stream })];
      return isNarrower(was, is) && !(is && mayContinue(is, { param }));
    };
    if (!before.some((was) => isNarrower(was, roomOf(rooms, { app: defaultApp, stream: was.room.stream })))) return 0;
    const active = (await this.#deps.activeStreams.listEncoders()).filter(isGone);
    const ended = await Promise.all(active.map((stream) => this.#end(stream, actor)));
    return ended.filter(Boolean).length;
  }

  async #end({ vhost = defaultVhost, app = '', stream = '', client_id }: ActiveStream, actor: Actor): Promise<boolean> {
    try {
      await this.#deps.activeStreams.kick({ vhost, app, stream, client_id }, actor);
      return true;
    } catch (error) {
      this.#deps.log.warn({ err: error, app, stream }, 'publisher of a live room could not be disconnected');
      return false;
    }
  }
}

function changedRoom(room: LiveRoom, change: LiveRoomChange): LiveRoom {
  const sent = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...room, ...(Object.fromEntries(sent) as Partial<LiveRoom>) };
}

function newSigningKey(): string {
  return randomBytes(signingKeyBytes).toString('hex');
}

/** True if the new rules may refuse a publisher that the previous rules admitted. */
function isNarrower(was: KeptRoom | undefined, is: KeptRoom | undefined): boolean {
  if (!was || !is) return was !== is;
  const isKept = ({ id }: Invitation) => is.invitations.some((each) => each.id === id);
  return was.signingKey !== is.signingKey || !was.invitations.every(isKept);
}

function find(rooms: readonly KeptRoom[], uuid: string): KeptRoom {
  const found = rooms.find(({ room }) => room.uuid === uuid);
  if (!found) throw new AppError('notFound', because('room.unknown', { uuid }));
  return found;
}

function requireStream(rooms: readonly KeptRoom[], { uuid, stream }: LiveRoom): void {
  if (!isValidStreamName(stream)) throw new AppError('invalidRequest', because('room.stream-name', { stream }));
  if (rooms.some(({ room }) => room.uuid !== uuid && room.stream === stream))
    throw new AppError('invalidRequest', because('room.stream-taken', { stream }));
}
