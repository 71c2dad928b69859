// The publisher of a stream: its session, its silence limits, callers that wait to replace it, and the grace time of readers. Time is a
// parameter; the hub acts on the results.
import { givesWay } from '../session-info.ts';
import type { Publication } from './publication.ts';
import type { StreamEndReason } from './stream-reader.ts';

export interface SilenceLimits {
  readonly takeoverSilenceMs: number;
  readonly firstPacketTimeoutMs: number;
  readonly publisherTimeoutMs: number;
}

/** A publisher that is silent for this time may have lost its connection: a second one waits instead of being refused; milliseconds. */
const suspectSilenceMs = 500;
/**
 * After reading resumes, the pending data of a publisher (possibly its disconnect) has been processed at this tick. Not at the first one: after
 * a stall of the event loop, a tick runs before the read.
 */
const readAtTick = 2;
/** Readers wait this long for the next publisher after an unpublish, milliseconds: an operator restarts the encoder. */
const graceAfterUnpublishMs = 10_000;
/** Readers wait this long for a publisher whose connection broke, milliseconds: encoders retry for a while. */
const graceAfterBreakMs = 30_000;

export class PublisherSlot {
  readonly #limits: SilenceLimits;
  #publication: Publication | undefined;
  /** Set between publishers: the time at which readers stop waiting, and the reason reported to them. */
  #grace: { readonly endsAtMs: number; readonly reason: StreamEndReason } | undefined;
  #waiting: (() => void)[] = [];
  /** Number of ticks during which a disconnect of the publisher may be unprocessed. */
  #unreadTicks = 0;

  constructor(limits: SilenceLimits) {
    this.#limits = limits;
  }

  /** The current publisher, including a copy. */
  get publication(): Publication | undefined {
    return this.#publication;
  }

  /** The current publisher, except a copy, which any publisher may replace. */
  get own(): Publication | undefined {
    return this.#publication?.isCopy ? undefined : this.#publication;
  }

  /** Whether there is a publisher that has sent something recently and does not give way: a second one is refused. */
  isSending(now: number): boolean {
    const { own } = this;
    return (
      own !== undefined &&
      !own.isHeld &&
      !givesWay(own.session) &&
      now - own.lastPacketAtMs < this.#limits.takeoverSilenceMs
    );
  }

  /** Resolves when the current publisher is known to send or can be replaced. Until then the owner calls `tick`. */
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

  /** The publisher has disconnected: readers start to wait for another one. */
  leave(reason: StreamEndReason, now: number): void {
    const graceMs = reason === 'unpublished' || reason === 'kicked' ? graceAfterUnpublishMs : graceAfterBreakMs;
    this.#publication = undefined;
    this.#grace = { endsAtMs: now + graceMs, reason };
  }

  /** The silence limit that the publisher has reached, milliseconds; undefined while none is. */
  reachedLimitMs(now: number): number | undefined {
    const publication = this.#publication;
    if (!publication || publication.isHeld) return undefined;
    const { publisherTimeoutMs, firstPacketTimeoutMs } = this.#limits;
    const limitMs = publication.stream.stats.hasMedia ? publisherTimeoutMs : firstPacketTimeoutMs;
    return now - publication.lastPacketAtMs < limitMs ? undefined : limitMs;
  }

  /** Call periodically: resolves waiting callers, once the result is known. */
  tick(now: number): void {
    if (this.#unreadTicks > 0) this.#unreadTicks--;
    this.releaseWaiting(now);
  }

  /** Resolves waiting callers, if the result is known. */
  releaseWaiting(now: number): void {
    if (this.#waiting.length === 0 || this.#isUndecided(now)) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** The reason of the last publisher's end, returned once, when readers have waited long enough for the next one. */
  takeEndOfGrace(now: number): StreamEndReason | undefined {
    if (!this.#grace || now < this.#grace.endsAtMs) return undefined;
    const { reason } = this.#grace;
    this.#grace = undefined;
    return reason;
  }

  /**
   * True while data of the publisher is unprocessed, and while its connection may be broken but the silence is too short for a replacement.
   */
  #isUndecided(now: number): boolean {
    const { own } = this;
    if (!own || own.isHeld) return false;
    if (this.#unreadTicks > 0) return true;
    const silenceMs = now - own.lastPacketAtMs;
    return silenceMs >= suspectSilenceMs && silenceMs < this.#limits.takeoverSilenceMs;
  }
}
