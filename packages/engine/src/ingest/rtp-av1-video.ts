// Converts RTP packets with AV1 to temporal units with configuration and keyframes. Packets must be in order. After packet loss, units are
// dropped until the next keyframe.
import { isKeyUnit, obuType, obuTypeOf, writeAv1Config } from '@srs-stack/media/codecs/av1.ts';
import { videoTrackFromConfig } from '@srs-stack/media/codecs/video-track.ts';
import type { AccessUnit } from '@srs-stack/media/protocols/rtp/access-unit-builder.ts';
import { Av1Depacketizer } from '@srs-stack/media/protocols/rtp/av1-depacketizer.ts';
import type { RtpPacket } from '@srs-stack/media/protocols/rtp/rtp-packet.ts';
import type { VideoTrack } from '@srs-stack/media/track.ts';
import type { RtpNalVideoOptions } from './rtp-nal-video.ts';

/** Minimum step of timestamps, milliseconds. */
const minStepMs = 1;

export class RtpAv1Video {
  readonly #events: Pick<RtpNalVideoOptions, 'onTrack' | 'onPacket'>;
  readonly #depacketizer = new Av1Depacketizer();
  #sequenceHeader: Buffer | undefined;
  #track: VideoTrack | undefined;
  #needsKeyframe = true;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(events: Pick<RtpNalVideoOptions, 'onTrack' | 'onPacket'>) {
    this.#events = events;
  }

  /** @param toMs converts an RTP timestamp to media time, milliseconds. */
  push(packet: RtpPacket, afterGap: boolean, toMs: (timestamp: number) => number): void {
    if (afterGap) this.#depacketizer.onGap();
    const damagedBefore = this.#depacketizer.damagedFrames;
    const unit = this.#depacketizer.push(packet);
    if (this.#depacketizer.damagedFrames > damagedBefore) this.#needsKeyframe = true;
    if (unit) this.#emit(unit, toMs(unit.timestamp));
  }

  /** Decode time equals presentation time, because a temporal unit has exactly one shown frame. */
  #emit({ units, payload }: AccessUnit, atMs: number): void {
    this.#followSequenceHeader(units);
    const keyframe = isKeyUnit(units);
    if (keyframe && this.#track) this.#needsKeyframe = false;
    if (this.#needsKeyframe || !this.#track) return;
    const timeMs = keyframe ? atMs : Math.max(atMs, this.#lastMs + minStepMs);
    this.#lastMs = timeMs;
    this.#events.onPacket({ track: this.#track, dtsMs: timeMs, ptsMs: timeMs, keyframe, payload });
  }

  /** Encoders repeat the sequence header before each keyframe. A changed header is a new track. */
  #followSequenceHeader(units: readonly Buffer[]): void {
    const header = units.find((unit) => obuTypeOf(unit) === obuType.sequenceHeader);
    if (!header || this.#sequenceHeader?.equals(header)) return;
    const config = writeAv1Config(header);
    if (!config) return;
    this.#sequenceHeader = Buffer.from(header);
    this.#track = videoTrackFromConfig('av1', config);
    this.#events.onTrack(this.#track);
  }
}
