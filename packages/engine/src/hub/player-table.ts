// The players of all streams, with their sessions and counters.
import type { ClientSnapshot } from '../engine-snapshot.ts';
import type { SessionInfo } from '../session-info.ts';
import { ByteRate } from './byte-rate.ts';
import type { Stream } from './stream.ts';

/** A player counts as slow for this time after losing frames, milliseconds. */
const slowForMs = 30_000;

/** The players of one stream. */
export interface Viewers {
  count: number;
  byProtocol: Record<string, number>;
  slow: number;
}

interface PlayerStats {
  readonly droppedFrames: number;
  readonly queuedBytes: number;
  readonly detail?: Readonly<Record<string, number | string>>;
}

/** The hub's view of a player's session. */
export interface PlayerOwner {
  /** Closes the connection, because the player was kicked or the engine shuts down. */
  close(): void;
  stats(): PlayerStats;
}

export class PlayerHandle {
  readonly session: SessionInfo;
  readonly stream: Stream;
  readonly owner: PlayerOwner;
  readonly startedAtMs: number;
  readonly sent: ByteRate;
  readonly #onClose: (player: PlayerHandle) => void;
  #droppedBefore = 0;
  #droppedAtMs: number | undefined;

  constructor(
    session: SessionInfo,
    {
      stream,
      owner,
      now,
      onClose,
    }: { stream: Stream; owner: PlayerOwner; now: number; onClose: (player: PlayerHandle) => void },
  ) {
    this.session = session;
    this.stream = stream;
    this.owner = owner;
    this.startedAtMs = now;
    this.sent = new ByteRate(now);
    this.#onClose = onClose;
  }

  /** Adds bytes written to this player's connection since the last call. */
  countSent(bytes: number): void {
    this.sent.bytes += bytes;
    this.stream.sent.bytes += bytes;
  }

  isSlow(now: number): boolean {
    const { droppedFrames } = this.owner.stats();
    if (droppedFrames > this.#droppedBefore) this.#droppedAtMs = now;
    this.#droppedBefore = droppedFrames;
    return this.#droppedAtMs !== undefined && now - this.#droppedAtMs < slowForMs;
  }

  /** Call when the player has disconnected. Does not close the session. Idempotent. */
  close(): void {
    this.#onClose(this);
  }

  snapshot(now: number): ClientSnapshot {
    return {
      session: this.session,
      streamId: this.stream.id,
      publish: false,
      aliveMs: now - this.startedAtMs,
      receivedBytes: 0,
      sentBytes: this.sent.bytes,
      kbps: { received30s: 0, sent30s: this.sent.kbps(now) },
      ...this.owner.stats(),
    };
  }
}

export class PlayerTable {
  readonly #players = new Map<string, PlayerHandle>();
  #sentBefore = 0;

  get size(): number {
    return this.#players.size;
  }

  add(
    session: SessionInfo,
    options: { stream: Stream; owner: PlayerOwner; now: number; onGone: (stream: Stream) => void },
  ) {
    const { stream, owner, now, onGone } = options;
    const onClose = (player: PlayerHandle): void => {
      if (this.#players.get(session.clientId) !== player) return;
      this.#players.delete(session.clientId);
      this.#sentBefore += player.sent.bytes;
      onGone(stream);
    };
    const player = new PlayerHandle(session, { stream, owner, now, onClose });
    this.#players.set(session.clientId, player);
    return player;
  }

  find(clientId: string): PlayerHandle | undefined {
    return this.#players.get(clientId);
  }

  all(): PlayerHandle[] {
    return [...this.#players.values()];
  }

  countOf(stream: Stream, counts: (session: SessionInfo) => boolean): number {
    let count = 0;
    for (const { stream: watched, session } of this.#players.values())
      if (watched === stream && counts(session)) count++;
    return count;
  }

  hasSome(stream: Stream): boolean {
    for (const { stream: watched } of this.#players.values()) if (watched === stream) return true;
    return false;
  }

  /** Statistics of all players by stream, in a single pass. */
  byStream(now: number): Map<Stream, Viewers> {
    const streams = new Map<Stream, Viewers>();
    for (const player of this.#players.values()) {
      const viewers = streams.get(player.stream) ?? { count: 0, byProtocol: {}, slow: 0 };
      const protocol = player.session.type.replace(/-.*$/, '');
      viewers.count++;
      viewers.byProtocol[protocol] = (viewers.byProtocol[protocol] ?? 0) + 1;
      if (player.isSlow(now)) viewers.slow++;
      streams.set(player.stream, viewers);
    }
    return streams;
  }

  tick(now: number): void {
    for (const player of this.#players.values()) player.sent.tick(now);
  }

  get sentBytes(): number {
    let total = this.#sentBefore;
    for (const player of this.#players.values()) total += player.sent.bytes;
    return total;
  }
}
