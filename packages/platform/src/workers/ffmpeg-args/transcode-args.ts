// FFmpeg arguments for the live transcoder.
import type { TranscodeConfig, TranscodePicture, TranscodeWatermark } from '@srs-stack/contract';
import { networkInputArgs, outputArgs, type PushOutput } from './address.ts';
import { baseArgs, liveAnalyzeUs } from './base.ts';

export interface TranscodeArgs {
  readonly input: string;
  readonly output: string | PushOutput;
  readonly config: Pick<
    TranscodeConfig,
    'vcodec' | 'vprofile' | 'vpreset' | 'vbitrate' | 'acodec' | 'abitrate' | 'achannels'
  >;
  readonly picture: Omit<TranscodePicture, 'watermark'> & {
    readonly watermark: (Omit<TranscodeWatermark, 'image'> & { readonly path: string }) | null;
  };
}

/** The caller has validated `config` and `picture` with `checkTranscode`: strings are enumeration values, and numbers are limited. */
export function transcodeArgs({ input, output, config, picture }: TranscodeArgs): string[] {
  const { vcodec, vprofile, vpreset, vbitrate, acodec, abitrate, achannels } = config;
  return [
    ...baseArgs,
    ...networkInputArgs(input),
    ...['-analyzeduration', liveAnalyzeUs],
    ...['-i', input],
    ...pictureArgs(picture),
    ...['-vcodec', vcodec, '-profile:v', vprofile, '-preset:v', vpreset, '-tune', 'zerolatency'],
    // Limits the peak bitrate too: viewers choose this stream for its bitrate.
    ...['-b:v', `${vbitrate}k`, '-maxrate', `${vbitrate}k`, '-bufsize', `${2 * vbitrate}k`],
    ...timingArgs(picture),
    ...['-bf', '0', '-pix_fmt', 'yuv420p'],
    ...['-acodec', acodec, '-b:a', `${abitrate}k`],
    ...(achannels > 0 ? ['-ac', String(achannels)] : []),
    ...outputArgs(output),
  ];
}

/** Assumed frame rate while unknown; limits the frames between keyframes. */
const mostFps = 120;

function timingArgs({ fps, keyframeSeconds }: TranscodeArgs['picture']): string[] {
  if (fps > 0) return ['-r', String(fps), '-g', String(fps * keyframeSeconds)];
  // Places keyframes by the source's timestamps (milliseconds), at any frame rate.
  const byTime = ['-force_key_frames', `expr:gte(t,n_forced*${keyframeSeconds})`];
  return [...byTime, '-g', String(mostFps * keyframeSeconds)];
}

function pictureArgs({ height, watermark }: TranscodeArgs['picture']): string[] {
  if (!watermark) return height > 0 ? ['-vf', scaleTo(height)] : [];
  const mark = `file:${watermark.path}`;
  return [
    // Repeats the image every second. A size change of the source rebuilds the filter, which then needs the image again.
    ...['-protocol_whitelist', 'file', '-f', 'png_pipe', '-loop', '1', '-framerate', '1', '-i', mark],
    ...['-filter_complex', watermarkGraph(height, watermark), '-map', '[out]', '-map', '0:a:0?'],
  ];
}

/** Scales down to this height and keeps the aspect ratio. Sides are even; smaller videos are not enlarged. */
function scaleTo(height: number): string {
  return `scale=-2:'trunc(min(${height},ih)/2)*2'`;
}

/** Filters for a watermark. The width is a share of the video width. The height is at most the video height without margins. */
function watermarkGraph(height: number, watermark: Omit<TranscodeWatermark, 'image'>): string {
  const [width, margin, opacity] = [watermark.widthPercent, watermark.marginPercent, watermark.opacityPercent].map(
    (percent) => percent / 100,
  ) as [number, number, number];
  const [row, column] = watermark.corner.split('-');
  const x = column === 'left' ? `W*${margin}` : `W-w-W*${margin}`;
  const y = row === 'top' ? `W*${margin}` : `H-h-W*${margin}`;
  return [
    `[0:v:0]${height > 0 ? scaleTo(height) : 'null'}[base]`,
    `[1:v:0]format=rgba,colorchannelmixer=aa=${opacity}[mark]`,
    // `iw` and `ih`: size of the video. `mdar`: aspect ratio of the watermark.
    `[mark][base]scale2ref=w='min(iw*${width},(ih-2*iw*${margin})*mdar)':h='max(1,ow/mdar)'[sized][picture]`,
    `[picture][sized]overlay=x='${x}':y='${y}':shortest=1[out]`,
  ].join(';');
}
