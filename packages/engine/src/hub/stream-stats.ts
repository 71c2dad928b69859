// Metrics of one publication: bitrate, frame rate, keyframe interval. Time is a parameter.

import type { Packet } from '@srs-stack/media/packet.ts';
import { ByteRate } from './byte-rate.ts';
import { MediaHealth, nothingYet, type RunningTotals } from './media-health.ts';

/** Length of the bitrate history in the console's chart, seconds. */
const historySeconds = 60;
const fpsSeconds = 5;
const keyframeIntervals = 5;

export class StreamStats {
  readonly received: ByteRate;
  readonly health: MediaHealth;
  frames = 0;
  hasMedia = false;
  #secondStart: number;
  #bytesAtSecondStart = 0;
  #framesAtSecondStart = 0;
  readonly #kbpsPerSecond: number[] = [];
  readonly #framesPerSecond: number[] = [];
  #lastKeyframeDtsMs: number | undefined;
  readonly #intervals: number[] = [];

  constructor(now: number) {
    this.received = new ByteRate(now);
    this.health = new MediaHealth(now);
    this.#secondStart = now;
  }

  countPacket(packet: Packet, now: number): void {
    this.hasMedia = true;
    this.health.count(packet, now);
    if (packet.track.kind !== 'video') return;
    this.frames++;
    if (!packet.keyframe) return;
    if (this.#lastKeyframeDtsMs !== undefined) {
      this.#intervals.push(packet.dtsMs - this.#lastKeyframeDtsMs);
      if (this.#intervals.length > keyframeIntervals) this.#intervals.shift();
    }
    this.#lastKeyframeDtsMs = packet.dtsMs;
  }

  /** Closes the seconds that have passed. Call a few times per second; `readTotals` is called at most once a second. */
  tick(now: number, readTotals: () => RunningTotals = () => nothingYet): void {
    this.health.tick(now, readTotals);
    const passed = Math.floor((now - this.#secondStart) / 1000);
    if (passed < 1) return;
    const { bytes } = this.received;
    // A late call spreads the bytes evenly over the seconds since the previous call.
    const kbps = ((bytes - this.#bytesAtSecondStart) * 8) / 1000 / passed;
    const frames = (this.frames - this.#framesAtSecondStart) / passed;
    for (let i = 0; i < Math.min(passed, historySeconds); i++) this.#closeSecond(Math.round(kbps), frames);
    this.#bytesAtSecondStart = bytes;
    this.#framesAtSecondStart = this.frames;
    this.#secondStart += passed * 1000;
    this.received.tick(now);
  }

  /** Mean of the last 5 seconds, rounded to one decimal. */
  get fps(): number {
    if (this.#framesPerSecond.length === 0) return 0;
    return Math.round(mean(this.#framesPerSecond) * 10) / 10;
  }

  get keyframeIntervalMs(): number {
    return this.#intervals.length === 0 ? 0 : Math.round(mean(this.#intervals));
  }

  /** Kbit/s per second, oldest first. */
  get bitrateHistoryKbps(): readonly number[] {
    return [...this.#kbpsPerSecond];
  }

  #closeSecond(kbps: number, frames: number): void {
    this.#kbpsPerSecond.push(kbps);
    if (this.#kbpsPerSecond.length > historySeconds) this.#kbpsPerSecond.shift();
    this.#framesPerSecond.push(frames);
    if (this.#framesPerSecond.length > fpsSeconds) this.#framesPerSecond.shift();
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
