// Converts an H.264 or H.265 elementary stream to packets: start codes become lengths, parameter sets become the configuration record.
import { h264NalType, h264TypeOf } from '../../codecs/h264.ts';
import { h265NalType, h265TypeOf, isIrapType } from '../../codecs/h265.ts';
import { joinLengthPrefixed, splitAnnexB } from '../../codecs/nal-units.ts';
import { ParameterSets } from '../../codecs/parameter-sets.ts';
import { videoTrackFromConfig } from '../../codecs/video-track.ts';
import type { VideoTrack } from '../../track.ts';
import type { EsReceiver, TsDemuxerEvents } from './es-receiver.ts';

interface VideoSyntax {
  readonly codec: 'h264' | 'h265';
  /** NAL unit types of the configuration record, in the order of the record. */
  readonly parameterSetTypes: readonly number[];
  /** Unit types without video data that exist only in byte streams: delimiters, end markers, filler. */
  readonly droppedTypes: readonly number[];
  readonly delimiterType: number;
  readonly typeOf: (unit: Buffer) => number;
  /** `units` belong to one access unit and contain no parameter sets. */
  isKeyframe(units: readonly Buffer[], hasParameterSets: boolean): boolean;
}

const seiRecoveryPoint = 6;

const h264Syntax: VideoSyntax = {
  codec: 'h264',
  parameterSetTypes: [h264NalType.sps, h264NalType.pps],
  droppedTypes: [h264NalType.aud, h264NalType.endOfSequence, 11, 12],
  delimiterType: h264NalType.aud,
  typeOf: h264TypeOf,
  isKeyframe: (units, hasParameterSets) => units.some((unit) => isH264EntryPoint(unit, hasParameterSets)),
};

const h265Syntax: VideoSyntax = {
  codec: 'h265',
  parameterSetTypes: [h265NalType.vps, h265NalType.sps, h265NalType.pps],
  droppedTypes: [h265NalType.aud, 36, 37, 38],
  delimiterType: h265NalType.aud,
  typeOf: h265TypeOf,
  isKeyframe: (units) => units.some((unit) => isIrapType(h265TypeOf(unit))),
};

/** Broadcast encoders send recovery points with parameter sets instead of IDR frames. */
function isH264EntryPoint(unit: Buffer, hasParameterSets: boolean): boolean {
  const type = h264TypeOf(unit);
  if (type === h264NalType.idr) return true;
  return hasParameterSets && type === h264NalType.sei && unit[1] === seiRecoveryPoint;
}

/** Frame duration for PES packets with several access units, milliseconds, until two timestamps are known. */
const defaultFrameMs = 40;

export class VideoReceiver implements EsReceiver {
  readonly #syntax: VideoSyntax;
  readonly #events: TsDemuxerEvents;
  readonly #parameterSets: ParameterSets;
  #track: VideoTrack | undefined;
  #lastDtsMs: number | undefined;
  #frameMs = defaultFrameMs;

  constructor(codec: 'h264' | 'h265', events: TsDemuxerEvents) {
    this.#syntax = codec === 'h264' ? h264Syntax : h265Syntax;
    this.#events = events;
    this.#parameterSets = new ParameterSets(codec);
  }

  receive({ ptsMs, dtsMs, data }: { ptsMs: number | undefined; dtsMs: number | undefined; data: Buffer }): void {
    if (ptsMs === undefined || dtsMs === undefined) return;
    const accessUnits = this.#splitAccessUnits(splitAnnexB(data));
    accessUnits.forEach((units, index) => {
      const shift = index * this.#frameMs;
      this.#emit(units, ptsMs + shift, dtsMs + shift);
    });
    if (accessUnits.length === 1 && this.#lastDtsMs !== undefined && dtsMs > this.#lastDtsMs) {
      this.#frameMs = dtsMs - this.#lastDtsMs;
    }
    this.#lastDtsMs = dtsMs;
  }

  reset(): void {
    this.#lastDtsMs = undefined;
  }

  /** Splits a PES packet at delimiters. Most PES packets contain one access unit. */
  #splitAccessUnits(units: readonly Buffer[]): Buffer[][] {
    const accessUnits: Buffer[][] = [];
    for (const unit of units) {
      const isNew = accessUnits.length === 0 || this.#syntax.typeOf(unit) === this.#syntax.delimiterType;
      if (isNew) accessUnits.push([]);
      accessUnits.at(-1)!.push(unit);
    }
    return accessUnits.filter((accessUnit) => accessUnit.length > 0);
  }

  #emit(units: readonly Buffer[], ptsMs: number, dtsMs: number): void {
    const hasParameterSets = this.#takeParameterSets(units);
    const { parameterSetTypes, droppedTypes, typeOf } = this.#syntax;
    const coded = units.filter((unit) => {
      const type = typeOf(unit);
      return !parameterSetTypes.includes(type) && !droppedTypes.includes(type);
    });
    if (coded.length === 0 || this.#track === undefined) return;
    const keyframe = this.#syntax.isKeyframe(coded, hasParameterSets);
    this.#events.onPacket({ track: this.#track, keyframe, ptsMs, dtsMs, payload: joinLengthPrefixed(coded) });
  }

  /**
   * Stores the parameter sets of an access unit; a changed set creates a new track. Returns whether the access unit contains parameter
   * sets.
   */
  #takeParameterSets(units: readonly Buffer[]): boolean {
    const found = units.filter((unit) => this.#parameterSets.take(unit)).length > 0;
    const { config } = this.#parameterSets;
    if (found && config !== undefined && this.#track?.config !== config) {
      this.#track = videoTrackFromConfig(this.#syntax.codec, config);
      this.#events.onTrack(this.#track);
    }
    return found;
  }
}
