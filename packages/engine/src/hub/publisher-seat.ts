// The place of a stream's publisher: who has it and how long it may be silent, who waits to take it, and how long readers wait for the
// next one. Time is a parameter; the hub acts on what it answers.
import type { Publication } from './publication.ts';
import type { StreamEndReason } from './stream-reader.ts';

export interface SilenceLimits {
  readonly takeoverSilenceMs: number;
  readonly firstPacketTimeoutMs: number;
  readonly publisherTimeoutMs: number;
}

/** A publisher silent this long may have lost its line: a second one is asked to wait instead of refused; milliseconds. */
const suspectSilenceMs = 500;
/** What a publisher has sent, its goodbye maybe, is read and heard within this time once it is read at all, milliseconds. */
const unreadMs = 100;
/** Readers wait this long for a publisher that unpublished, milliseconds: an operator restarts the encoder. */
const graceAfterUnpublishMs = 10_000;
/** Readers wait this long for a publisher whose line broke, milliseconds: encoders retry for a while. */
const graceAfterBreakMs = 30_000;

export class PublisherSeat {
  readonly #limits: SilenceLimits;
  #publication: Publication | undefined;
  /** Set between publishers: when readers stop waiting for one, and the reason they are then given. */
  #grace: { readonly endsAtMs: number; readonly reason: StreamEndReason } | undefined;
  #waiting: (() => void)[] = [];
  /** Until then the publisher may have left and not been heard; monotonic milliseconds. */
  #unheardUntilMs = Number.NEGATIVE_INFINITY;

  constructor(limits: SilenceLimits) {
    this.#limits = limits;
  }

  /** Who has it, a copy included. */
  get publication(): Publication | undefined {
    return this.#publication;
  }

  /** Who has it, unless that is a copy, whose place any publisher may take. */
  get own(): Publication | undefined {
    return this.#publication?.isCopy ? undefined : this.#publication;
  }

  /** Whether a publisher has it and has sent something lately: a second one is refused. */
  isSending(now: number): boolean {
    const { own } = this;
    return own !== undefined && now - own.lastPacketAtMs < this.#limits.takeoverSilenceMs;
  }

  /** Resolves when it is clear whether it can be taken; `releaseWaiting` looks. */
  whenDecided(now: number): Promise<void> {
    if (this.own?.owner.readNow?.()) this.#unheardUntilMs = now + unreadMs;
    if (!this.#isUndecided(now)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  take(publication: Publication): void {
    this.#publication = publication;
    this.#grace = undefined;
  }

  /** The publisher is gone: readers begin to wait for another one. */
  leave(reason: StreamEndReason, now: number): void {
    const graceMs = reason === 'unpublished' || reason === 'kicked' ? graceAfterUnpublishMs : graceAfterBreakMs;
    this.#publication = undefined;
    this.#grace = { endsAtMs: now + graceMs, reason };
  }

  /** The limit that the silence of who has it has reached, milliseconds; undefined while there is none. */
  reachedLimitMs(now: number): number | undefined {
    const publication = this.#publication;
    if (!publication) return undefined;
    const { publisherTimeoutMs, firstPacketTimeoutMs } = this.#limits;
    const limitMs = publication.stream.stats.hasMedia ? publisherTimeoutMs : firstPacketTimeoutMs;
    return now - publication.lastPacketAtMs < limitMs ? undefined : limitMs;
  }

  /** Answers those who wait, once it is decided. */
  releaseWaiting(now: number): void {
    if (this.#waiting.length === 0 || this.#isUndecided(now)) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** Why the last publisher went, once, when readers have waited long enough for the next one. */
  takeEndOfGrace(now: number): StreamEndReason | undefined {
    if (!this.#grace || now < this.#grace.endsAtMs) return undefined;
    const { reason } = this.#grace;
    this.#grace = undefined;
    return reason;
  }

  /** Not heard to the end, or silent for so long that its line may be broken, and not long enough to be replaced. */
  #isUndecided(now: number): boolean {
    const { own } = this;
    if (!own) return false;
    if (now < this.#unheardUntilMs) return true;
    const silenceMs = now - own.lastPacketAtMs;
    return silenceMs >= suspectSilenceMs && silenceMs < this.#limits.takeoverSilenceMs;
  }
}
