// Converts RTP packets with H.264 or H.265 to frames with configuration, decode times and keyframes. Packets must be in order. After packet
// loss, frames are dropped until the next keyframe.
import { h264NalType, h264TypeOf } from '@srs-stack/media/codecs/h264.ts';
import { h265NalType, h265TypeOf, isIrapType } from '@srs-stack/media/codecs/h265.ts';
import { parseH265Sps } from '@srs-stack/media/codecs/h265-sps.ts';
import { ParameterSets, parameterSetsOf } from '@srs-stack/media/codecs/parameter-sets.ts';
import { h264ReorderDepth, maxReorderDepth } from '@srs-stack/media/codecs/reorder-depth.ts';
import { videoTrackFromConfig } from '@srs-stack/media/codecs/video-track.ts';
import type { VideoPacket } from '@srs-stack/media/packet.ts';
import type { AccessUnit } from '@srs-stack/media/protocols/rtp/access-unit-builder.ts';
import { DecodeTimes } from '@srs-stack/media/protocols/rtp/decode-times.ts';
import { H264Depacketizer } from '@srs-stack/media/protocols/rtp/h264-depacketizer.ts';
import { H265Depacketizer } from '@srs-stack/media/protocols/rtp/h265-depacketizer.ts';
import type { RtpPacket } from '@srs-stack/media/protocols/rtp/rtp-packet.ts';
import type { VideoTrack } from '@srs-stack/media/track.ts';

export interface RtpNalVideoOptions {
  readonly codec: 'h264' | 'h265';
  /** Track of the session description; undefined if the description has no parameter sets. */
  readonly track: VideoTrack | undefined;
  readonly onTrack: (track: VideoTrack) => void;
  readonly onPacket: (packet: VideoPacket) => void;
}

export class RtpNalVideo {
  readonly #options: RtpNalVideoOptions;
  readonly #depacketizer: H264Depacketizer | H265Depacketizer;
  readonly #sets: ParameterSets;
  #config: Buffer | undefined;
  #track: VideoTrack | undefined;
  #times = new DecodeTimes(0, maxReorderDepth);
  #needsKeyframe = true;

  constructor(options: RtpNalVideoOptions) {
    this.#options = options;
    const { codec, track } = options;
    this.#depacketizer = codec === 'h264' ? new H264Depacketizer() : new H265Depacketizer();
    this.#sets = new ParameterSets(codec);
    if (track) this.#sets.setRecord(track.config, parameterSetsOf(codec, track.config) ?? []);
    this.#followConfig();
  }

  get damagedFrames(): number {
    return this.#depacketizer.damagedFrames;
  }

  /** @param toMs converts an RTP timestamp to media time, milliseconds. */
  push(packet: RtpPacket, afterGap: boolean, toMs: (timestamp: number) => number): void {
    if (afterGap) this.#depacketizer.onGap();
    const damagedBefore = this.damagedFrames;
    const unit = this.#depacketizer.push(packet);
    if (this.damagedFrames > damagedBefore) this.#needsKeyframe = true;
    if (unit) this.#emit(unit, toMs(unit.timestamp));
  }

  #emit({ units, payload }: AccessUnit, ptsMs: number): void {
    for (const unit of units) this.#sets.take(unit);
    this.#followConfig();
    const keyframe = units.some((unit) => this.#isKey(unit));
    if (keyframe && this.#track && this.#needsKeyframe) {
      this.#needsKeyframe = false;
      this.#times.restart();
    }
    if (this.#needsKeyframe || !this.#track) return;
    const dtsMs = this.#times.next(ptsMs);
    this.#options.onPacket({ track: this.#track, dtsMs, ptsMs: Math.max(ptsMs, dtsMs), keyframe, payload });
  }

  /** Encoders repeat the parameter sets before each keyframe. Changed parameter sets are a new track. */
  #followConfig(): void {
    const { config } = this.#sets;
    if (!config || config === this.#config || this.#config?.equals(config)) return;
    this.#config = config;
    this.#track = videoTrackFromConfig(this.#options.codec, config);
    this.#times = new DecodeTimes(reorderDepthOf(this.#options.codec, config), maxReorderDepth);
    this.#options.onTrack(this.#track);
  }

  #isKey(unit: Buffer): boolean {
    return this.#options.codec === 'h264' ? h264TypeOf(unit) === h264NalType.idr : isIrapType(h265TypeOf(unit));
  }
}

function reorderDepthOf(codec: 'h264' | 'h265', config: Buffer): number {
  const units = parameterSetsOf(codec, config) ?? [];
  if (codec === 'h264') {
    const sps = units.find((unit) => h264TypeOf(unit) === h264NalType.sps);
    return (sps && h264ReorderDepth(sps)) ?? 0;
  }
  const sps = units.find((unit) => h265TypeOf(unit) === h265NalType.sps);
  return (sps && parseH265Sps(sps)?.reorderDepth) ?? 0;
}
