// Arguments of the live transcoder.
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
    /** `path` of a PNG file. */
    readonly watermark: (Omit<TranscodeWatermark, 'image'> & { readonly path: string }) | null;
  };
}

/**
 * Arguments of the transcoder. `config` and `picture` must have passed `checkTranscode`, so that every string is an enumeration value and
 * every number is limited.
 */
export function transcodeArgs({ input, output, config, picture }: TranscodeArgs): string[] {
  const { vcodec, vprofile, vpreset, vbitrate, acodec, abitrate, achannels } = config;
  return [
    ...baseArgs,
    ...networkInputArgs(input),
    ...['-analyzeduration', liveAnalyzeUs],
    ...['-i', input],
    ...pictureArgs(picture),
    ...['-vcodec', vcodec, '-profile:v', vprofile, '-preset:v', vpreset, '-tune', 'zerolatency'],
    // Also limits the peak bitrate, because viewers select this stream for its bitrate.
    ...['-b:v', `${vbitrate}k`, '-maxrate', `${vbitrate}k`, '-bufsize', `${2 * vbitrate}k`],
    ...timingArgs(picture),
    ...['-bf', '0', '-pix_fmt', 'yuv420p'],
    ...['-acodec', acodec, '-b:a', `${abitrate}k`],
    ...(achannels > 0 ? ['-ac', String(achannels)] : []),
    ...outputArgs(output),
  ];
}

/** Frame rate that is assumed while it is unknown, to limit the frames between keyframes. */
const mostFps = 120;

function timingArgs({ fps, keyframeSeconds }: TranscodeArgs['picture']): string[] {
  if (fps > 0) return ['-r', String(fps), '-g', String(fps * keyframeSeconds)];
  // Keyframes by timestamps, at any frame rate; timestamps are those of the source, in milliseconds.
  const byTime = ['-force_key_frames', `expr:gte(t,n_forced*${keyframeSeconds})`];
  return [...byTime, '-g', String(mostFps * keyframeSeconds)];
}

function pictureArgs({ height, watermark }: TranscodeArgs['picture']): string[] {
  if (!watermark) return height > 0 ? ['-vf', scaleTo(height)] : [];
  const mark = `file:${watermark.path}`;
  return [
    // The image is repeated every second, because a change of the source's size rebuilds the filter, which then needs the image again.
    ...['-protocol_whitelist', 'file', '-f', 'png_pipe', '-loop', '1', '-framerate', '1', '-i', mark],
    ...['-filter_complex', watermarkGraph(height, watermark), '-map', '[out]', '-map', '0:a:0?'],
  ];
}

/** Scales down to this height; both sides even, same aspect ratio, never enlarged. */
function scaleTo(height: number): string {
  return `scale=-2:'trunc(min(${height},ih)/2)*2'`;
}

/** Filters that place a watermark. Its width is a share of the video; its height is limited to the video without margins. */
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
    // `iw` and `ih` are those of the video, `mdar` is the aspect ratio of the watermark.
    `[mark][base]scale2ref=w='min(iw*${width},(ih-2*iw*${margin})*mdar)':h='max(1,ow/mdar)'[sized][picture]`,
    `[picture][sized]overlay=x='${x}':y='${y}':shortest=1[out]`,
  ].join(';');
}
