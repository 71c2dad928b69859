// What an ingest session holds while it publishes: the only way media enters the hub.

import type { Packet } from '@srs-stack/media/packet.ts';
import type { StreamMetadata } from '@srs-stack/media/stream-metadata.ts';
import type { Track } from '@srs-stack/media/track.ts';
import { isCopy, type SessionInfo } from '../session-info.ts';
import type { DroppedKind } from './media-health.ts';
import type { Stream } from './stream.ts';
import type { StreamEndReason } from './stream-reader.ts';

/** The session behind a publication, as the hub ends it (kick, takeover, timeout, shutdown). */
export interface PublicationOwner {
  /** Called once, after the publication ended: close the connection. */
  close(reason: StreamEndReason): void;
  /** A reader cannot go on without a keyframe. Protocols whose encoders cannot be asked leave it out. */
  requestKeyframe?(): void;
  /** What has come and was left unread, because nobody waited for it, is read now, and what follows as it comes. False: nothing was. */
  readNow?(): boolean;
  /** Figures of the connection, e.g. round trip and loss. */
  stats?(): { readonly detail: Readonly<Record<string, number | string>> };
}

export interface PublicationOptions {
  readonly session: SessionInfo;
  readonly stream: Stream;
  readonly owner: PublicationOwner;
  readonly clock: () => number;
  readonly onEnd: (publication: Publication, reason: StreamEndReason) => void;
}

export class Publication {
  readonly session: SessionInfo;
  readonly stream: Stream;
  readonly owner: PublicationOwner;
  readonly startedAtMs: number;
  /** Arrival of the last media packet; of the publish itself before the first one. */
  lastPacketAtMs: number;
  readonly #clock: () => number;
  readonly #onEnd: PublicationOptions['onEnd'];
  #open = true;

  constructor({ session, stream, owner, clock, onEnd }: PublicationOptions) {
    this.session = session;
    this.stream = stream;
    this.owner = owner;
    this.#clock = clock;
    this.#onEnd = onEnd;
    this.startedAtMs = clock();
    this.lastPacketAtMs = this.startedAtMs;
  }

  /** The stream of another gateway: a publisher of its own takes its place, and nobody is told of it. */
  get isCopy(): boolean {
    return isCopy(this.session);
  }

  /** Whether somebody waits for each packet as it comes. */
  get isAwaited(): boolean {
    return this.stream.isAwaited;
  }

  /** False once the session is over. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** Hands over one packet on the publisher's raw clock, in decode order per track. Ignored after the end. */
  push(packet: Packet): void {
    if (!this.#open) return;
    const now = this.#clock();
    this.lastPacketAtMs = now;
    this.stream.push(packet, now);
  }

  /** Announces a track before its first packet; packets of an unknown track announce it themselves. */
  setTrack(track: Track): void {
    if (this.#open) this.stream.setTrack(track);
  }

  setMetadata(metadata: StreamMetadata): void {
    if (this.#open) this.stream.setMetadata(metadata);
  }

  /** A message of the publisher could not be read and was dropped. */
  countDropped(kind: DroppedKind): void {
    if (this.#open) this.stream.stats.health.countDropped(kind);
  }

  /** Bytes read from the publisher's connection since the last call. */
  countReceived(bytes: number): void {
    if (this.#open) this.stream.stats.received.bytes += bytes;
  }

  /** The session is over. Idempotent; does not call the owner back. */
  end(reason: StreamEndReason): void {
    if (!this.#open) return;
    this.#open = false;
    this.#onEnd(this, reason);
  }
}
