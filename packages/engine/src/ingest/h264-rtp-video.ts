// Converts RTP packets of a WebRTC publisher to frames with configuration, decode order and keyframes. Packets must be in order. After
// packet loss, frames are dropped until the next keyframe.
import { writeH264Config } from '@srs-stack/media/codecs/h264-config.ts';
import { videoTrackFromConfig } from '@srs-stack/media/codecs/video-track.ts';
import type { VideoPacket } from '@srs-stack/media/packet.ts';
import type { AccessUnit } from '@srs-stack/media/protocols/rtp/access-unit-builder.ts';
import { H264Depacketizer } from '@srs-stack/media/protocols/rtp/h264-depacketizer.ts';
import type { RtpPacket } from '@srs-stack/media/protocols/rtp/rtp-packet.ts';
import type { VideoTrack } from '@srs-stack/media/track.ts';

const nalType = { idr: 5, sps: 7, pps: 8 } as const;
/** Minimum step of decode times, milliseconds, when presentation times go back (B-frames). */
const decodeStepMs = 1;

export interface H264RtpVideoEvents {
  onTrack(track: VideoTrack): void;
  onPacket(packet: VideoPacket): void;
}

export class H264RtpVideo {
  readonly #depacketizer = new H264Depacketizer();
  readonly #events: H264RtpVideoEvents;
  readonly #times = new Map<number, number>();
  #sps: Buffer | undefined;
  #pps: Buffer | undefined;
  #track: VideoTrack | undefined;
  #needsKeyframe = true;
  #lastDtsMs = Number.NEGATIVE_INFINITY;

  constructor(events: H264RtpVideoEvents) {
    this.#events = events;
  }

  get damagedFrames(): number {
    return this.#depacketizer.damagedFrames;
  }

  /** Call when another source follows: frames are dropped until its first keyframe. */
  restart(): void {
    this.#depacketizer.onGap();
    this.#times.clear();
    this.#needsKeyframe = true;
  }

  /** Returns whether the packet completed a keyframe, or whether a keyframe is needed to continue. */
  push(packet: RtpPacket, timeMs: number, afterGap: boolean): 'keyframe' | 'needs-keyframe' | 'ok' {
    if (afterGap) this.#depacketizer.onGap();
    this.#times.set(packet.timestamp, timeMs);
    const damagedBefore = this.#depacketizer.damagedFrames;
    const unit = this.#depacketizer.push(packet);
    if (this.#depacketizer.damagedFrames > damagedBefore) this.#needsKeyframe = true;
    const isKeyframe = unit !== undefined && this.#emit(unit);
    if (this.#needsKeyframe) return 'needs-keyframe';
    return isKeyframe ? 'keyframe' : 'ok';
  }

  /** Returns true after passing on a keyframe. */
  #emit({ timestamp, units, payload }: AccessUnit): boolean {
    const ptsMs = this.#takeTime(timestamp);
    this.#readParameterSets(units);
    const keyframe = units.some((unit) => typeOf(unit) === nalType.idr);
    if (keyframe && this.#track) this.#needsKeyframe = false;
    if (this.#needsKeyframe || !this.#track) return false;
    // RTP contains presentation times in decode order. A backward step means B-frames; then the decode time is estimated.
    const dtsMs = ptsMs > this.#lastDtsMs ? ptsMs : this.#lastDtsMs + decodeStepMs;
    this.#lastDtsMs = dtsMs;
    this.#events.onPacket({ track: this.#track, dtsMs, ptsMs: Math.max(ptsMs, dtsMs), keyframe, payload });
    return keyframe;
  }

  #takeTime(timestamp: number): number {
    const timeMs = this.#times.get(timestamp) ?? 0;
    this.#times.clear();
    return timeMs;
  }

  /** Encoders repeat the parameter sets before each IDR frame. Changed parameter sets are a new track (RFC 6184 §8.4). */
  #readParameterSets(units: readonly Buffer[]): void {
    let changed = false;
    for (const unit of units) {
      const type = typeOf(unit);
      if (type === nalType.sps && unit.length >= 4 && !this.#sps?.equals(unit)) {
        this.#sps = Buffer.from(unit);
        changed = true;
      }
      if (type === nalType.pps && !this.#pps?.equals(unit)) {
        this.#pps = Buffer.from(unit);
        changed = true;
      }
    }
    if (!changed || !this.#sps || !this.#pps) return;
    this.#track = videoTrackFromConfig('h264', writeH264Config([this.#sps], [this.#pps]));
    this.#events.onTrack(this.#track);
  }
}

function typeOf(unit: Buffer): number {
  return unit[0]! & 0x1f;
}
