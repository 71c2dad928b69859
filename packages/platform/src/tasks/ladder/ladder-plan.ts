// Selects the renditions of a source by the settings of the ladder, with reasons for omitted ones. Pure.
import type { LadderConfig, LeftOutReason } from '@srs-stack/contract';

/** Properties of a source that a ladder depends on. */
export interface LadderSource {
  /** Name of the codec in the media server (`H264`, `HEVC`, …); '' without video. */
  readonly videoCodec: string;
  readonly width: number;
  readonly height: number;
  /** Frames per second; 0 while unknown. */
  readonly fps: number;
  /** Bitrate of the video, kbit/s; 0 while unknown. */
  readonly kbps: number;
  /** Audio codec; '' without audio. */
  readonly audioCodec: string;
}

export type PlannedRendition =
  | { readonly kind: 'source'; readonly step: 'source' }
  | {
      readonly kind: 'picture';
      readonly step: string;
      /** Pixels, even. */
      readonly width: number;
      readonly height: number;
      /** Uses every n-th frame of the source, and all its keyframes. */
      readonly divisor: number;
      /** kbit/s. */
      readonly kbps: number;
    }
  | { readonly kind: 'sound'; readonly step: 'audio'; readonly kbps: number };

type PictureRendition = Extract<PlannedRendition, { kind: 'picture' }>;

export interface LadderPlan {
  /** Best rendition first. */
  readonly renditions: readonly PlannedRendition[];
  readonly leftOut: readonly { readonly step: string; readonly reason: LeftOutReason }[];
}

type LadderChoice = Pick<LadderConfig, 'keepsSource' | 'steps' | 'audioKbps'>;

/** Codecs that every HLS player decodes. */
const playedVideo = 'H264';
const playedAudio: readonly string[] = ['', 'AAC', 'MP3'];
/** Share of the source's bitrate up to which a rendition of the same size as the source is created. */
const worthwhileShare = 0.8;
/** Peak bitrate relative to the target bitrate (`-maxrate` of `ladder-args.ts`). Keeps a rendition below its source. */
const peakRatio = 1.07;
/** Lowest video bitrate of a rendition, kbit/s, unless the source has less. */
const leastKbps = 100;
/** Tolerance for rounding a measured frame rate to an integer, frames per second. */
const fpsTolerance = 0.6;

/** Whether players can decode the source without transcoding. Audio counts in its converted form. */
function isPlayedAsIs({ videoCodec, audioCodec }: LadderSource): boolean {
  return videoCodec === playedVideo && (playedAudio.includes(audioCodec) || audioCodec === 'Opus');
}

export function planLadder(config: LadderChoice, source: LadderSource): LadderPlan {
  const renditions: PlannedRendition[] = [];
  const leftOut: { step: string; reason: LeftOutReason }[] = [];
  const hasPicture = source.videoCodec !== '' && source.width > 0 && source.height > 0;
  const takesSource = config.keepsSource && hasPicture && isPlayedAsIs(source);
  if (takesSource) renditions.push({ kind: 'source', step: 'source' });
  else if (config.keepsSource) leftOut.push({ step: 'source', reason: hasPicture ? 'codec' : 'no-picture' });
  for (const step of [...config.steps].sort((a, b) => b.height - a.height)) {
    const name = `${step.height}p`;
    const reason = hasPicture ? obstacleTo(step, source, takesSource) : 'no-picture';
    if (reason) leftOut.push({ step: name, reason });
    else renditions.push(toPicture(step, source));
  }
  if (config.audioKbps > 0) {
    if (source.audioCodec === '') leftOut.push({ step: 'audio', reason: 'no-sound' });
    else if (hasPicture) renditions.push({ kind: 'sound', step: 'audio', kbps: config.audioKbps });
    else leftOut.push({ step: 'audio', reason: 'no-picture' });
  }
  return { renditions, leftOut };
}

/** The shorter side, so that a portrait video has the same renditions as a landscape video. */
function shortSide({ width, height }: LadderSource): number {
  return Math.min(width, height);
}

function obstacleTo(
  step: LadderConfig['steps'][number],
  source: LadderSource,
  takesSource: boolean,
): LeftOutReason | undefined {
  const rows = shortSide(source);
  if (step.height > rows) return 'larger-than-source';
  const isOwnSize = step.height === rows && takesSource;
  // While the bitrate of the source is unknown (0), the source replaces the rendition of the same height.
  return isOwnSize && step.kbps > source.kbps * worthwhileShare ? 'as-source' : undefined;
}

function toPicture(step: LadderConfig['steps'][number], source: LadderSource): PictureRendition {
  const scale = step.height / shortSide(source);
  const even = (pixels: number) => Math.max(2, 2 * Math.round((pixels * scale) / 2));
  const isWide = source.width >= source.height;
  return {
    kind: 'picture',
    step: `${step.height}p`,
    width: isWide ? even(source.width) : step.height,
    height: isWide ? step.height : even(source.height),
    divisor: step.fps === 0 || source.fps === 0 ? 1 : Math.max(1, Math.ceil((source.fps - fpsTolerance) / step.fps)),
    kbps: source.kbps > 0 ? Math.min(step.kbps, mostKbps(source.kbps, scale)) : step.kbps,
  };
}

/** Bitrate limit of a rendition of this scale, kbit/s. Proportional to the height, so that smaller renditions get more bits per pixel. */
function mostKbps(sourceKbps: number, scale: number): number {
  const below = Math.floor((sourceKbps / peakRatio) * Math.min(1, scale));
  return Math.max(below, Math.min(leastKbps, Math.floor(sourceKbps / peakRatio)), 1);
}
