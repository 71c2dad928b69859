// Measures the regularity of a publication's packets and the alignment of its tracks, for stream health. Time is a parameter.

import type { Packet } from '@srs-stack/media/packet.ts';
import type { MediaHealthSnapshot } from '../engine-snapshot.ts';
import { RecentSeconds } from './recent-seconds.ts';

/** Window of pauses, repairs, lost packets and dropped messages, seconds: as long as the bitrate history. */
const eventSeconds = 60;
/** Window for the jitter of arrival times relative to media times, seconds. A player's buffer must cover the jitter. */
const spreadSeconds = 10;
/** Window of mean rates and of the offset between tracks, seconds. */
const meanSeconds = 5;

/** Kind of a message that could not be parsed. */
export type DroppedKind = 'video' | 'audio' | 'other';

/** Totals since the publisher started. */
export interface RunningTotals {
  readonly timestampRepairs: number;
  /** Lost packets as the protocol counts them; SRT includes recovered packets. 0 for protocols that do not count. */
  readonly lostPackets: number;
  /** Packets that SRT dropped as too late; 0 for other protocols. */
  readonly missingPackets: number;
}

export const nothingYet: RunningTotals = { timestampRepairs: 0, lostPackets: 0, missingPackets: 0 };

class TrackArrival {
  packets = 0;
  bytes = 0;
  lastDtsMs = 0;
  lastArrivalMs = 0;
  readonly kbps = new RecentSeconds(meanSeconds);
  #bytesBefore = 0;

  count(packet: Packet, now: number): void {
    this.packets++;
    this.bytes += packet.payload.length;
    this.lastDtsMs = packet.dtsMs;
    this.lastArrivalMs = now;
  }

  closeSecond(lengthMs: number): void {
    this.kbps.push(((this.bytes - this.#bytesBefore) * 8) / lengthMs);
    this.#bytesBefore = this.bytes;
  }

  silentMs(now: number): number {
    return this.packets === 0 ? 0 : Math.round(now - this.lastArrivalMs);
  }
}

/** Number of events during the last minute. */
class RecentEvents {
  #current = 0;
  readonly #seconds = new RecentSeconds(eventSeconds);

  count(): void {
    this.#current++;
  }

  closeSecond(): void {
    this.#seconds.push(this.#current);
    this.#current = 0;
  }

  get sum(): number {
    return this.#seconds.sum + this.#current;
  }
}

export class MediaHealth {
  readonly #video = new TrackArrival();
  readonly #audio = new TrackArrival();
  #secondStart: number;
  #lastArrivalMs: number | undefined;
  #gapMs = 0;
  readonly #gaps = new RecentSeconds(eventSeconds);
  #totals = nothingYet;
  readonly #repairs = new RecentSeconds(eventSeconds);
  readonly #lost = new RecentSeconds(eventSeconds);
  readonly #missing = new RecentSeconds(eventSeconds);
  readonly #dropped = { video: new RecentEvents(), audio: new RecentEvents(), other: new RecentEvents() };
  #leastLagMs = Number.POSITIVE_INFINITY;
  #mostLagMs = Number.NEGATIVE_INFINITY;
  readonly #leastLags = new RecentSeconds(spreadSeconds);
  readonly #mostLags = new RecentSeconds(spreadSeconds);
  readonly #offsets = new RecentSeconds(meanSeconds);
  #latestPtsMs = Number.NEGATIVE_INFINITY;
  #reorders = false;
  #keyframeDtsMs: number | undefined;
  #firstVideoDtsMs = 0;

  constructor(now: number) {
    this.#secondStart = now;
  }

  count(packet: Packet, now: number): void {
    if (this.#lastArrivalMs !== undefined) this.#gapMs = Math.max(this.#gapMs, now - this.#lastArrivalMs);
    this.#lastArrivalMs = now;
    if (packet.track.kind === 'video') this.#countVideo(packet, now);
    else this.#audio.count(packet, now);
    // Compares only one track: the other track may be interleaved at a constant offset.
    if (packet.track.kind === 'video' || this.#video.packets === 0) this.#compareClocks(now - packet.dtsMs);
  }

  countDropped(kind: DroppedKind): void {
    this.#dropped[kind].count();
  }

  /** Closes a second when it has passed. Calls `readTotals` only then. */
  tick(now: number, readTotals: () => RunningTotals): void {
    const lengthMs = now - this.#secondStart;
    if (lengthMs < 1000) return;
    this.#secondStart = now;
    this.#video.closeSecond(lengthMs);
    this.#audio.closeSecond(lengthMs);
    this.#gaps.push(this.#gapMs);
    this.#gapMs = 0;
    this.#pushEvents(readTotals());
    for (const events of Object.values(this.#dropped)) events.closeSecond();
    if (this.#video.packets > 0 && this.#audio.packets > 0) {
      this.#offsets.push(this.#audio.lastDtsMs - this.#video.lastDtsMs);
    }
    if (this.#mostLagMs >= this.#leastLagMs) {
      this.#leastLags.push(this.#leastLagMs);
      this.#mostLags.push(this.#mostLagMs);
    }
    this.#leastLagMs = Number.POSITIVE_INFINITY;
    this.#mostLagMs = Number.NEGATIVE_INFINITY;
  }

  snapshot(now: number, declaredFps: number): MediaHealthSnapshot {
    const silentMs = this.#lastArrivalMs === undefined ? 0 : now - this.#lastArrivalMs;
    return {
      silentMs: Math.round(silentMs),
      videoSilentMs: this.#video.silentMs(now),
      audioSilentMs: this.#audio.silentMs(now),
      longestGapMs: Math.round(Math.max(this.#gaps.max, this.#gapMs, silentMs)),
      arrivalSpreadMs: this.#spreadMs,
      audioOffsetMs: Math.round(this.#offsets.mean),
      keyframeAgeMs: Math.round(this.#keyframeAgeMs),
      hasKeyframe: this.#keyframeDtsMs !== undefined,
      hasBFrames: this.#reorders,
      videoKbps: Math.round(this.#video.kbps.mean),
      audioKbps: Math.round(this.#audio.kbps.mean),
      declaredFps,
      recentRepairs: this.#repairs.sum,
      recentLostPackets: this.#lost.sum,
      recentMissingPackets: this.#missing.sum,
      recentDroppedVideo: this.#dropped.video.sum,
      recentDroppedAudio: this.#dropped.audio.sum,
      recentDroppedOther: this.#dropped.other.sum,
    };
  }

  #pushEvents(totals: RunningTotals): void {
    this.#repairs.push(totals.timestampRepairs - this.#totals.timestampRepairs);
    this.#lost.push(Math.max(0, totals.lostPackets - this.#totals.lostPackets));
    this.#missing.push(Math.max(0, totals.missingPackets - this.#totals.missingPackets));
    this.#totals = totals;
  }

  #countVideo(packet: Packet, now: number): void {
    if (this.#video.packets === 0) this.#firstVideoDtsMs = packet.dtsMs;
    this.#video.count(packet, now);
    if (packet.keyframe) this.#keyframeDtsMs = packet.dtsMs;
    // Detects B-frames: a frame is presented before a frame that was decoded earlier. A constant composition time is no evidence.
    if (packet.ptsMs < this.#latestPtsMs && !packet.keyframe) this.#reorders = true;
    this.#latestPtsMs = Math.max(this.#latestPtsMs, packet.ptsMs);
  }

  #compareClocks(lagMs: number): void {
    if (lagMs < this.#leastLagMs) this.#leastLagMs = lagMs;
    if (lagMs > this.#mostLagMs) this.#mostLagMs = lagMs;
  }

  get #spreadMs(): number {
    if (this.#leastLags.values.length === 0) return 0;
    return Math.round(this.#mostLags.max - Math.min(...this.#leastLags.values));
  }

  get #keyframeAgeMs(): number {
    if (this.#video.packets === 0) return 0;
    return this.#video.lastDtsMs - (this.#keyframeDtsMs ?? this.#firstVideoDtsMs);
  }
}
