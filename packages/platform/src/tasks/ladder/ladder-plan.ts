// Selects renditions of a source according to the ladder settings, and reports why others are omitted. Pure.
import type { LadderConfig, LeftOutReason } from '@srs-stack/contract';

/** Source properties that a ladder depends on. */
export interface LadderSource {
  /** Codec in the media server's naming (`H264`, `HEVC`, …); '' without video. */
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
      /** Uses every n-th frame of the source, and all keyframes. */
      readonly divisor: number;
      /** kbit/s. */
      readonly kbps: number;
    }
  | { readonly kind: 'sound'; readonly step: 'audio'; readonly kbps: number };

type PictureRendition = Extract<PlannedRendition, { kind: 'picture' }>;

export interface LadderPlan {
  readonly renditions: readonly PlannedRendition[];
  readonly leftOut: readonly { readonly step: string; readonly reason: LeftOutReason }[];
}

type LadderChoice = Pick<LadderConfig, 'keepsSource' | 'steps' | 'audioKbps'>;

/** Codecs that every HLS player decodes. */
const playedVideo = 'H264';
const playedAudio: readonly string[] = ['', 'AAC', 'MP3'];
/** Next to the source itself, a rendition of equal size must have at most this share of the source's bitrate. */
const worthwhileShare = 0.8;
/** Peak bitrate relative to the target bitrate (`-maxrate` of `ladder-args.ts`). A rendition stays below its source even at the peak. */
const peakRatio = 1.07;
/** Minimum video bitrate of a rendition, kbit/s, unless the source has a lower bitrate. */
const leastKbps = 100;
/** Tolerance when a measured frame rate is rounded, frames per second. */
const fpsTolerance = 0.6;

/** Whether players can decode the source without transcoding. Opus counts as playable, because the engine converts it. */
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

/** Uses the shorter side: portrait and landscape videos then get equal renditions. */
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
  // An unknown bitrate is 0: the source then replaces the rendition of its height.
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

/**
 * Bitrate limit of a rendition at this scale, kbit/s. The limit is proportional to the height, so that smaller renditions get more bits per
 * pixel.
 */
function mostKbps(sourceKbps: number, scale: number): number {
  const below = Math.floor((sourceKbps / peakRatio) * Math.min(1, scale));
  return Math.max(below, Math.min(leastKbps, Math.floor(sourceKbps / peakRatio)), 1);
}
