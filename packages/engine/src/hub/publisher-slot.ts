// The publisher slot of a stream: the publisher's silence limits, callers that wait to replace the publisher, and the grace time of
// readers. Time is a parameter. The hub acts on the results.
import { givesWay } from '../session-info.ts';
import type { Publication } from './publication.ts';
import type { StreamEndReason } from './stream-reader.ts';

export interface SilenceLimits {
  readonly takeoverSilenceMs: number;
  readonly firstPacketTimeoutMs: number;
  readonly publisherTimeoutMs: number;
}

/**
 * A publisher that is silent for this time may have lost its connection, milliseconds. A second publisher then waits instead of being
 * refused.
 */
const suspectSilenceMs = 500;
/**
 * Number of ticks after reading resumes until a publisher's unread data (possibly its disconnect) has been processed. One tick is not
 * enough: after a stall of the event loop, a tick runs before the read.
 */
const readAtTick = 2;
/** Grace time of readers after an unpublish or a kick, milliseconds: an operator may restart the encoder. */
const graceAfterUnpublishMs = 10_000;
/** Grace time of readers after all other ends, such as a broken connection, milliseconds: encoders retry for a while. */
const graceAfterBreakMs = 30_000;

export class PublisherSlot {
  readonly #limits: SilenceLimits;
  #publication: Publication | undefined;
  /** Grace time between publishers: its end, and the reason that is reported to readers at its end. */
  #grace: { readonly endsAtMs: number; readonly reason: StreamEndReason } | undefined;
  #waiting: (() => void)[] = [];
  /** Number of ticks during which unread data of the publisher may contain a disconnect. */
  #unreadTicks = 0;

  constructor(limits: SilenceLimits) {
    this.#limits = limits;
  }

  /** The current publisher, which may be a copy. */
  get publication(): Publication | undefined {
    return this.#publication;
  }

  /** The current publisher; undefined for a copy, which any publisher may replace. */
  get own(): Publication | undefined {
    return this.#publication?.isCopy ? undefined : this.#publication;
  }

  /** Whether the current publisher has sent recently and does not give way. If so, a second publisher is refused. */
  isSending(now: number): boolean {
    const { own } = this;
    return (
      own !== undefined &&
      !own.isHeld &&
      !givesWay(own.session) &&
      now - own.lastPacketAtMs < this.#limits.takeoverSilenceMs
    );
  }

  /** Resolves when it is known whether the current publisher still sends. The owner must call `tick` until then. */
  whenDecided(now: number): Promise<void> {
    if (this.own?.owner.readNow?.()) this.#unreadTicks = readAtTick;
    if (!this.#isUndecided(now)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  take(publication: Publication): void {
    this.#publication = publication;
    this.#grace = undefined;
    this.#unreadTicks = 0;
  }

  /** Removes the publisher and starts the grace time of readers. */
  leave(reason: StreamEndReason, now: number): void {
    const graceMs = reason === 'unpublished' || reason === 'kicked' ? graceAfterUnpublishMs : graceAfterBreakMs;
    this.#publication = undefined;
    this.#grace = { endsAtMs: now + graceMs, reason };
  }

  /** The silence limit that the publisher has exceeded, milliseconds; undefined if none. */
  reachedLimitMs(now: number): number | undefined {
    const publication = this.#publication;
    if (!publication || publication.isHeld) return undefined;
    const { publisherTimeoutMs, firstPacketTimeoutMs } = this.#limits;
    const limitMs = publication.stream.stats.hasMedia ? publisherTimeoutMs : firstPacketTimeoutMs;
    return now - publication.lastPacketAtMs < limitMs ? undefined : limitMs;
  }

  /** Call periodically; resolves waiting callers when the state of the publisher is known. */
  tick(now: number): void {
    if (this.#unreadTicks > 0) this.#unreadTicks--;
    this.releaseWaiting(now);
  }

  /** Resolves waiting callers if the state of the publisher is known. */
  releaseWaiting(now: number): void {
    if (this.#waiting.length === 0 || this.#isUndecided(now)) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** Returns the reason of the publisher's end once, after the grace time. */
  takeEndOfGrace(now: number): StreamEndReason | undefined {
    if (!this.#grace || now < this.#grace.endsAtMs) return undefined;
    const { reason } = this.#grace;
    this.#grace = undefined;
    return reason;
  }

  /** True while unread data may contain a disconnect, or while the publisher is silent, but not yet long enough for a replacement. */
  #isUndecided(now: number): boolean {
    const { own } = this;
    if (!own || own.isHeld) return false;
    if (this.#unreadTicks > 0) return true;
    const silenceMs = now - own.lastPacketAtMs;
    return silenceMs >= suspectSilenceMs && silenceMs < this.#limits.takeoverSilenceMs;
  }
}
