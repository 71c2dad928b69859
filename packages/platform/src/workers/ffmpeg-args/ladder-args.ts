// FFmpeg arguments for a ladder: one process reads a stream once and publishes each rendition as a stream. All renditions have the
// timestamps of the source and keyframes at equal times, so that players switch without a gap.
import type { LadderEncoder, LadderSpeed } from '@srs-stack/contract';
import { networkInputArgs, outputArgs } from './address.ts';
import { baseArgs, liveAnalyzeUs } from './base.ts';

export type LadderOutput = { readonly address: string } & (
  | { readonly kind: 'source' }
  | {
      readonly kind: 'picture';
      readonly width: number;
      readonly height: number;
      readonly divisor: number;
      readonly kbps: number;
    }
  | { readonly kind: 'sound'; readonly kbps: number }
);

type PictureOutput = Extract<LadderOutput, { kind: 'picture' }>;

export interface LadderArgs {
  readonly input: string;
  /** Largest video first. */
  readonly outputs: readonly LadderOutput[];
  readonly encoder: LadderEncoder;
  readonly speed: LadderSpeed;
  /** Whether the source itself is a rendition. Keyframes then follow the source; otherwise keyframes come every two seconds. */
  readonly followsSource: boolean;
  readonly hasSound: boolean;
}

/** Keyframe interval if the source is not a rendition, seconds. Segments start at keyframes. */
const keyframeSeconds = 2;
/** Keyframe interval of the encoder, frames. Higher than in any source: the encoder must not insert keyframes. */
const noOwnKeyframes = '100000';
const vaapiDevice = '/dev/dri/renderD128';

export function ladderArgs({ input, outputs, encoder, speed, followsSource, hasSound }: LadderArgs): string[] {
  const pictures = outputs.filter((output) => output.kind === 'picture');
  const audio = hasSound ? ['-map', '0:a:0?', '-c:a', 'copy'] : ['-an'];
  const labels = new Map(pictures.map((output, index) => [output, `[v${index}]`]));
  const graph = pictures.length === 0 ? [] : ['-filter_complex', scaleGraph(pictures, encoder)];
  const ofOutput = (output: LadderOutput): string[] => {
    const target = outputArgs(output.address);
    if (output.kind === 'source') return ['-map', '0:v:0', '-c:v', 'copy', ...audio, ...target];
    if (output.kind === 'sound') return ['-map', '0:a:0', '-vn', '-c:a', 'aac', '-b:a', `${output.kbps}k`, ...target];
    return [
      '-map',
      labels.get(output)!,
      ...pictureArgs(output, { encoder, speed, followsSource }),
      ...audio,
      ...target,
    ];
  };
  return [
    ...baseArgs,
    ...(encoder === 'h264_vaapi' ? ['-vaapi_device', vaapiDevice] : []),
    ...networkInputArgs(input),
    ...['-analyzeduration', liveAnalyzeUs, '-copyts', '-i', input],
    ...graph,
    ...outputs.flatMap(ofOutput),
  ];
}

/**
 * Filter graph. Each rendition is scaled from the next larger rendition, which saves CPU time. Each rendition selects frames for its frame
 * rate.
 */
export function scaleGraph(pictures: readonly Omit<PictureOutput, 'address'>[], encoder: LadderEncoder): string {
  return pictures
    .map(({ width, height, divisor }, index) => {
      const from = index === 0 ? '[0:v:0]' : `[s${index - 1}]`;
      const isLast = index === pictures.length - 1;
      // Keeps every n-th frame and all keyframes. `key` is 1 for keyframes of the source.
      const rate = divisor > 1 ? `select=key+not(mod(n\\,${divisor})),` : '';
      const size = `${from}scale=${width}:${height},setsar=1`;
      const out = `${rate}${formatOf(encoder)}[v${index}]`;
      return isLast ? `${size},${out}` : `${size},split=2[s${index}][r${index}];[r${index}]${out}`;
    })
    .join(';');
}

function formatOf(encoder: LadderEncoder): string {
  if (encoder === 'h264_vaapi') return 'format=nv12,hwupload';
  return encoder === 'libx264' ? 'format=yuv420p' : 'format=nv12';
}

/** Options of one encoder. The peak bitrate is limited, because players choose renditions by the peak bitrate. */
export function pictureArgs(
  { kbps }: Pick<PictureOutput, 'kbps'>,
  { encoder, speed, followsSource }: Pick<LadderArgs, 'encoder' | 'speed' | 'followsSource'>,
): string[] {
  // Counts from the previous forced keyframe, because timestamps of the source do not start at 0.
  const byTime = `expr:if(isnan(prev_forced_t),1,gte(t,prev_forced_t+${keyframeSeconds}))`;
  return [
    ...['-c:v', encoder, ...encoderArgs(encoder, speed)],
    ...['-b:v', `${kbps}k`, '-maxrate', `${Math.round(kbps * 1.07)}k`, '-bufsize', `${Math.round(kbps * 1.5)}k`],
    // Keeps the timestamps of the source, in milliseconds, without a constant frame rate.
    ...['-enc_time_base', '1:1000'],
    ...['-bf', '0', '-g', noOwnKeyframes, '-force_key_frames', followsSource ? 'source' : byTime],
  ];
}

function encoderArgs(encoder: LadderEncoder, speed: LadderSpeed): string[] {
  if (encoder === 'libx264') return ['-preset', speed, '-profile:v', 'high', '-sc_threshold', '0', '-forced-idr', '1'];
  if (encoder === 'h264_nvenc') return ['-preset', 'p4', '-no-scenecut', '1', '-forced-idr', '1'];
  return encoder === 'h264_qsv' ? ['-preset', 'veryfast', '-forced_idr', '1'] : [];
}
