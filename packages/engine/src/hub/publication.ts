// Handle of an ingest session while it publishes: the only way media enters the hub.

import type { Packet } from '@srs-stack/media/packet.ts';
import type { StreamMetadata } from '@srs-stack/media/stream-metadata.ts';
import type { Track } from '@srs-stack/media/track.ts';
import { isCopy, type RefusalReason, type SessionInfo } from '../session-info.ts';
import type { DroppedKind } from './media-health.ts';
import type { SourceFacts } from './slate/returning-source.ts';
import type { Stream } from './stream.ts';
import type { StreamEndReason } from './stream-reader.ts';

/** The session behind a publication, which the hub can end (kick, takeover, timeout, shutdown). */
export interface PublicationOwner {
  /** Called once, after the publication ended: close the connection. */
  close(reason: StreamEndReason): void;
  /** A reader needs a keyframe. Protocols that cannot request one omit it. */
  requestKeyframe?(): void;
  /** Reads data left unread while no reader was waiting, and then continues to read as data arrives. False when nothing was left unread. */
  readNow?(): boolean;
  /** Metrics of the connection, e.g. round trip and loss. */
  stats?(): { readonly detail: Readonly<Record<string, number | string>> };
}

/** A source that sent something in this time is live, milliseconds. */
const liveSilenceMs = 1_000;

export interface PublicationOptions {
  readonly session: SessionInfo;
  readonly stream: Stream;
  readonly owner: PublicationOwner;
  readonly clock: () => number;
  readonly onEnd: (publication: Publication, reason: StreamEndReason) => void;
  /** The earlier publication of this stream whose publisher has disconnected, if a slate continues the stream. */
  readonly continues?: Publication;
}

export type PublishResult =
  | { readonly ok: true; readonly publication: Publication }
  | { readonly ok: false; readonly reason: RefusalReason; readonly detail: string };

export class Publication {
  readonly session: SessionInfo;
  readonly stream: Stream;
  readonly owner: PublicationOwner;
  readonly startedAtMs: number;
  /** The publisher has disconnected while a slate continues the stream: any publisher may replace it. */
  readonly isHeld: boolean;
  /** Arrival of the last media packet; before the first one, time of the publish itself. */
  lastPacketAtMs: number;
  readonly #clock: () => number;
  readonly #onEnd: PublicationOptions['onEnd'];
  #open = true;

  constructor({ session, stream, owner, clock, onEnd, continues }: PublicationOptions) {
    this.session = session;
    this.stream = stream;
    this.owner = owner;
    this.#clock = clock;
    this.#onEnd = onEnd;
    this.isHeld = continues !== undefined;
    this.startedAtMs = continues?.startedAtMs ?? clock();
    this.lastPacketAtMs = continues?.lastPacketAtMs ?? this.startedAtMs;
  }

  /** A stream copied from another gateway: a local publisher replaces it, and observers are not notified. */
  get isCopy(): boolean {
    return isCopy(this.session);
  }

  /** Whether a reader needs each packet as it arrives. */
  get isAwaited(): boolean {
    return this.stream.isAwaited;
  }

  /** Whether the publisher has sent nothing for `liveSilenceMs`. */
  get isSilent(): boolean {
    return this.#clock() - this.lastPacketAtMs >= liveSilenceMs;
  }

  /** False once the session is over. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** Passes on one packet with the publisher's raw timestamps, in decode order per track. Ignored after the end. */
  push(packet: Packet): void {
    if (!this.#open) return;
    const now = this.#clock();
    this.lastPacketAtMs = now;
    this.stream.push(packet, now);
  }

  /** Switches to another source, whose first packet is `first`: readers restart with it, the timeline continues. */
  changeSource(facts: SourceFacts, first?: Packet): void {
    if (this.#open) this.stream.changeSource(facts, first);
  }

  /** Announces a track before its first packet; packets of an unknown track announce it implicitly. */
  setTrack(track: Track): void {
    if (this.#open) this.stream.setTrack(track);
  }

  /** Announces video whose configuration has not arrived yet: outputs wait for it before they start with audio only. */
  expectVideo(): void {
    if (this.#open) this.stream.expectVideo();
  }

  setMetadata(metadata: StreamMetadata): void {
    if (this.#open) this.stream.setMetadata(metadata);
  }

  /** Counts a malformed message of the publisher that was dropped. */
  countDropped(kind: DroppedKind): void {
    if (this.#open) this.stream.stats.health.countDropped(kind);
  }

  /** Adds bytes read from the publisher's connection since the last call. */
  countReceived(bytes: number): void {
    if (this.#open) this.stream.stats.received.bytes += bytes;
  }

  /** Call when the session has ended. Idempotent; does not close the session. */
  end(reason: StreamEndReason): void {
    if (!this.#open) return;
    this.#open = false;
    this.#onEnd(this, reason);
  }
}
