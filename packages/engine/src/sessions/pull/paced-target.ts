// A media pacer with its timer, between a demuxer that gets data in bursts and the publication.
import type { Packet } from '@srs-stack/media/packet.ts';
import { MediaPacer } from '../../ingest/media-pacer.ts';
import type { TsTarget } from '../../ingest/ts-publisher.ts';

/** Packets within this time are sent together, milliseconds, because a timer per packet costs too much CPU time. */
const minSleepMs = 5;
/** Maximum sleep, milliseconds, so that `hasRoom` resolves in time. */
const maxSleepMs = 250;

export interface PacedTargetOptions {
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Runs the handler of a timer and catches bugs. */
  readonly run: (work: () => void) => void;
  readonly isBehind: () => boolean;
}

export class PacedTarget implements TsTarget {
  readonly #target: TsTarget;
  readonly #options: PacedTargetOptions;
  readonly #pacer = new MediaPacer();
  #timer: NodeJS.Timeout | undefined;
  #waitForRoom: (() => void)[] = [];
  #waitForEnd: (() => void)[] = [];
  #isClosed = false;

  constructor(target: TsTarget, options: PacedTargetOptions) {
    this.#target = target;
    this.#options = options;
  }

  countReceived(bytes: number): void {
    this.#target.countReceived(bytes);
  }

  expectVideo(): void {
    this.#target.expectVideo();
  }

  /** Does nothing, because packets of the previous track may be queued. The first packet of the new track announces the track. */
  setTrack(): void {}

  push(packet: Packet): void {
    if (this.#isClosed) return;
    this.#pacer.push(packet, this.#options.clock());
    this.#timer ??= setTimeout(() => this.#wake(), 0);
  }

  end(): void {
    this.close();
  }

  /** Resolves when the queue has room, or after `close`. */
  hasRoom(): Promise<void> {
    if (this.#isClosed || !this.#pacer.isFull(this.#options.clock())) return Promise.resolve();
    return new Promise((resolve) => this.#waitForRoom.push(resolve));
  }

  /** Resolves when the queue is empty, or after `close`. */
  isPassedOn(): Promise<void> {
    if (this.#timer === undefined) return Promise.resolve();
    return new Promise((resolve) => this.#waitForEnd.push(resolve));
  }

  /** Drops the queue. Idempotent. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    settle(this.#waitForRoom);
    settle(this.#waitForEnd);
  }

  #wake(): void {
    this.#timer = undefined;
    this.#options.run(() => {
      const now = this.#options.clock();
      this.#pacer.isBehind = this.#options.isBehind();
      const { packets, nextMs } = this.#pacer.release(now);
      for (const packet of packets) this.#target.push(packet);
      if (this.#isClosed) return;
      if (nextMs === undefined) settle(this.#waitForEnd);
      else this.#timer = setTimeout(() => this.#wake(), Math.min(Math.max(nextMs, minSleepMs), maxSleepMs));
      if (!this.#pacer.isFull(now)) settle(this.#waitForRoom);
    });
  }
}

function settle(waiting: (() => void)[]): void {
  for (const resolve of waiting.splice(0)) resolve();
}
