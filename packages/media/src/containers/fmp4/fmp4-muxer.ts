// Converts packets of the hub to fragmented MP4 (CMAF, ISO/IEC 23000-19): an initialization segment, and fragments with video and audio.
// The caller decides where fragments end.
import { joinLengthPrefixed } from '../../codecs/nal-units.ts';
import { parameterSetsOf } from '../../codecs/parameter-sets.ts';
import type { Packet } from '../../packet.ts';
import { isSameTrack, type Track } from '../../track.ts';
import { type Fmp4Track, toFmp4Track } from './fmp4-track.ts';
import { type FragmentSample, writeFragment } from './fragment.ts';
import { writeInitSegment } from './init-segment.ts';
import { SampleClock } from './sample-clock.ts';

interface OpenSample {
  readonly dtsTicks: number;
  readonly compositionOffset: number;
  readonly payload: Buffer;
  readonly isSync: boolean;
}

/** An empty temporal delimiter, which samples must not contain (AV1-ISOBMFF §2.4). */
const av1TemporalDelimiter = Buffer.from([0x12, 0x00]);

export interface Fmp4MuxerOptions {
  /** Repeats the parameter sets in each keyframe, for readers such as FFmpeg that accept only one initialization segment. */
  readonly repeatsParameterSets?: boolean;
}

class TrackSamples {
  readonly track: Fmp4Track;
  readonly #clock: SampleClock;
  readonly #prefix: Buffer | undefined;
  #samples: OpenSample[] = [];

  constructor(track: Fmp4Track, { repeatsParameterSets = false }: Fmp4MuxerOptions) {
    this.track = track;
    this.#clock = new SampleClock(track);
    this.#prefix = repeatsParameterSets ? parameterSetPrefix(track.media) : undefined;
  }

  push({ dtsMs, ptsMs, payload, keyframe, track }: Packet): void {
    const dtsTicks = this.#clock.ticksOf(dtsMs, payload);
    const compositionOffset = track.kind === 'video' ? this.#clock.toTicks(ptsMs) - dtsTicks : 0;
    const sample = toSample(track, payload);
    const whole = keyframe && this.#prefix ? Buffer.concat([this.#prefix, sample]) : sample;
    this.#samples.push({ dtsTicks, compositionOffset, payload: whole, isSync: keyframe });
  }

  /** @param endMs expected time of the next frame. */
  take(endMs: number): { id: number; baseTime: number; samples: FragmentSample[] } {
    const open = this.#samples;
    this.#samples = [];
    const samples = open.map((sample, index) => ({
      payload: sample.payload,
      compositionOffset: sample.compositionOffset,
      isSync: sample.isSync,
      duration: this.#duration(sample, open[index + 1], endMs),
    }));
    return { id: this.track.id, baseTime: open[0]?.dtsTicks ?? 0, samples };
  }

  #duration({ dtsTicks, payload }: OpenSample, next: OpenSample | undefined, endMs: number): number {
    if (next !== undefined) return Math.max(0, next.dtsTicks - dtsTicks);
    return this.#clock.durationOf(payload) || Math.max(1, this.#clock.toTicks(endMs) - dtsTicks);
  }
}

function toSample({ codec }: Track, payload: Buffer): Buffer {
  const isDelimited = codec === 'av1' && payload.subarray(0, 2).equals(av1TemporalDelimiter);
  return isDelimited ? payload.subarray(2) : payload;
}

function parameterSetPrefix({ codec, config }: Track): Buffer | undefined {
  if (codec !== 'h264' && codec !== 'h265') return undefined;
  const sets = parameterSetsOf(codec, config);
  return sets && joinLengthPrefixed(sets);
}

export class Fmp4Muxer {
  readonly initSegment: Buffer;
  readonly #tracks: readonly TrackSamples[];
  #sequence = 0;

  constructor(tracks: readonly Track[], options: Fmp4MuxerOptions = {}) {
    const carried = tracks.map((track, index) => toFmp4Track(track, index + 1)).filter((track) => track !== undefined);
    this.initSegment = writeInitSegment(carried);
    this.#tracks = carried.map((track) => new TrackSamples(track, options));
  }

  static canCarry(track: Track): boolean {
    return toFmp4Track(track, 1) !== undefined;
  }

  /** Adds a packet to the open fragment. Returns false for a packet of an unknown track. The payload must not change afterwards. */
  push(packet: Packet): boolean {
    const owner = this.#tracks.find(({ track }) => isSameTrack(track.media, packet.track));
    owner?.push(packet);
    return owner !== undefined;
  }

  /**
   * Ends the open fragment and returns the bytes.
   * @param endMs expected decode time of the next frame; sets the duration of the last video frame.
   */
  takeFragment(endMs: number): Buffer[] {
    this.#sequence++;
    return writeFragment(
      this.#sequence,
      this.#tracks.map((samples) => samples.take(endMs)),
    );
  }
}
