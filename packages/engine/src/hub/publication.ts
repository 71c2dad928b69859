// A session's handle while it publishes. All media of sessions enters the hub through a publication.

import type { Packet } from '@srs-stack/media/packet.ts';
import type { StreamMetadata } from '@srs-stack/media/stream-metadata.ts';
import type { Track } from '@srs-stack/media/track.ts';
import { isCopy, type RefusalReason, type SessionInfo } from '../session-info.ts';
import type { DroppedKind } from './media-health.ts';
import type { SourceFacts } from './slate/returning-source.ts';
import type { Stream } from './stream.ts';
import type { StreamEndReason } from './stream-reader.ts';

/** The hub's view of a publishing session. The hub can end the session, for example after a kick, a takeover or a timeout. */
export interface PublicationOwner {
  /** Closes the connection. Called once, after the hub has ended the publication. */
  close(reason: StreamEndReason): void;
  /** Called when a reader needs a keyframe. Absent if the protocol cannot request keyframes. */
  requestKeyframe?(): void;
  /**
   * Ends a pause of reading from the connection, and reads without pauses for a short time. Returns false if there was no pause.
   */
  readNow?(): boolean;
  stats?(): { readonly detail: Readonly<Record<string, number | string>> };
}

/** A source that has sent within this time is live, milliseconds. */
const liveSilenceMs = 1_000;

export interface PublicationOptions {
  readonly session: SessionInfo;
  readonly stream: Stream;
  readonly owner: PublicationOwner;
  readonly clock: () => number;
  readonly onEnd: (publication: Publication, reason: StreamEndReason) => void;
  /** The publication of a disconnected publisher whose stream continues. */
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
  /** True if the stream continues although its publisher has disconnected. Any publisher may then take over the stream. */
  readonly isHeld: boolean;
  /** Arrival of the last media packet; before the first packet, the start of the publication. */
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

  /** Whether the stream is copied from another gateway. Observers ignore a copy. A local publisher replaces a copy. */
  get isCopy(): boolean {
    return isCopy(this.session);
  }

  /** Whether a reader needs each packet immediately. */
  get isAwaited(): boolean {
    return this.stream.isAwaited;
  }

  get isSilent(): boolean {
    return this.#clock() - this.lastPacketAtMs >= liveSilenceMs;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** Takes a packet with the publisher's timestamps, in decode order per track. Does nothing after the end. */
  push(packet: Packet): void {
    if (!this.#open) return;
    const now = this.#clock();
    this.lastPacketAtMs = now;
    this.stream.push(packet, now);
  }

  /** Switches to another source. Readers restart; the timeline continues. `first`: the packet that the caller pushes next, if known. */
  changeSource(facts: SourceFacts, first?: Packet): void {
    if (this.#open) this.stream.changeSource(facts, first);
  }

  /** Announces a track before its first packet. Optional, because the first packet announces its track too. */
  setTrack(track: Track): void {
    if (this.#open) this.stream.setTrack(track);
  }

  /** Announces video before its configuration arrives, so that outputs do not start with audio only. */
  expectVideo(): void {
    if (this.#open) this.stream.expectVideo();
  }

  setMetadata(metadata: StreamMetadata): void {
    if (this.#open) this.stream.setMetadata(metadata);
  }

  countDropped(kind: DroppedKind): void {
    if (this.#open) this.stream.stats.health.countDropped(kind);
  }

  /** Adds bytes read from the publisher's connection since the last call. */
  countReceived(bytes: number): void {
    if (this.#open) this.stream.stats.received.bytes += bytes;
  }

  /** Call when the session has ended. Does not close the session. Idempotent. */
  end(reason: StreamEndReason): void {
    if (!this.#open) return;
    this.#open = false;
    this.#onEnd(this, reason);
  }
}
