// FFmpeg arguments for a slate file or its preview: an image with two seconds of silence, or a clip, in the format of the stream. Pure.
import { fileInputArgs } from '../../workers/ffmpeg-args/address.ts';
import { type AudioShape, defaultFrameRate, rateOf, type SlateShape, type VideoShape } from './slate-shape.ts';
import type { FrameSize } from './slate-text.ts';

/** Duration of an image slate, and keyframe interval of a clip, seconds: one GOP as platforms require. */
const gopSeconds = 2;
/** Quality of x264 and x265 for a still image: no visible artifacts. */
const imageQuality = '20';
/** Quality of a clip; applies below the maximum bitrate. */
const clipQuality = '22';
/** Bitrate of audio, kbit/s. Silence needs almost nothing at any bitrate. */
const audioKbps = 96;
/** Maximum bitrate of the video of a clip, kbit/s. */
const maxClipKbps = 4_000;
/** Share of the file for media. The remaining bytes are for container and bitrate peaks. */
const mediaPart = 0.85;
/** Audio after the end of a clip, seconds: the last audio frame must be complete. */
const extraAudioSeconds = 0.1;
const background = '0x14161c';

/** Channel layouts by number of channels. Other numbers of channels use stereo. */
const layouts: Readonly<Record<number, string>> = { 1: 'mono', 2: 'stereo', 6: '5.1', 8: '7.1' };
const h264Profiles: Readonly<Record<string, string>> = { baseline: 'baseline', main: 'main', high: 'high' };

export interface SlateClipSource {
  /** Absolute path. */
  readonly path: string;
  readonly hasVideo: boolean;
  readonly hasAudio: boolean;
  readonly seconds: number;
}

export interface SlateSource {
  /** Absolute path of a JPEG; undefined for a black frame. */
  readonly image: string | undefined;
  readonly isBlurred: boolean;
  readonly textFilters: readonly string[];
  /** A clip with video replaces the image. A clip with audio replaces the silence. */
  readonly clip: SlateClipSource | undefined;
  readonly maxBytes: number;
}

const common = ['-hide_banner', '-nostdin', '-loglevel', 'error', '-y'];

export function slateArgs({ video, audio }: SlateShape, source: SlateSource, output: string): string[] {
  const { clip } = source;
  const showsClip = video !== undefined && clip?.hasVideo === true;
  const playsClip = audio !== undefined && clip?.hasAudio === true;
  const inputs = [
    ...(clip && (showsClip || playsClip) ? [[...fileInputArgs, '-i', `file:${clip.path}`]] : []),
    ...(video && !showsClip ? [imageInput(video, source.image)] : []),
    ...(audio && !playsClip ? [silenceInput(audio)] : []),
  ];
  const audioInput = playsClip ? 0 : inputs.length - 1;
  const videoInput = showsClip ? 0 : playsClip ? 1 : 0;
  const seconds = slateSeconds({ video, audio }, clip);
  return [
    ...[...common, '-progress', 'pipe:1', '-stats_period', '0.2'],
    ...inputs.flat(),
    ...(video ? videoOutput(video, { source, input: videoInput, showsClip, seconds }) : []),
    ...(audio ? audioOutput(audio, { input: audioInput, playsClip, seconds: video ? seconds : undefined }) : []),
    ...(playsClip && !video ? ['-t', seconds.toFixed(3)] : []),
    ...['-map_metadata', '-1', '-map_chapters', '-1', '-f', 'mpegts', `file:${output}`],
  ];
}

/** Duration of the file, seconds. With video, a whole number of frames. */
export function slateSeconds({ video }: SlateShape, clip: SlateClipSource | undefined): number {
  const wanted = clip?.seconds ?? gopSeconds;
  return video ? framesOf(wanted, video) / rateOf(video.frameRate) : wanted;
}

function framesOf(seconds: number, { frameRate }: Pick<VideoShape, 'frameRate'>): number {
  return Math.max(1, Math.round(seconds * rateOf(frameRate)));
}

/** FFmpeg arguments that write one frame of the slate as JPEG to standard output. */
export function previewArgs(frame: FrameSize, source: Omit<SlateSource, 'maxBytes'>): string[] {
  const { image, clip, isBlurred, textFilters } = source;
  const input = clip?.hasVideo
    ? [...fileInputArgs, '-i', `file:${clip.path}`]
    : imageInput({ ...frame, frameRate: defaultFrameRate }, image);
  const filters = [...fit(frame, isBlurred && !clip), ...textFilters, 'format=yuvj420p'];
  const output = ['-frames:v', '1', '-vf', filters.join(','), '-q:v', '4', '-f', 'mjpeg', 'pipe:1'];
  return [...common, '-threads', '1', ...input, '-map', '0:V:0', ...output];
}

function imageInput({ width, height, frameRate }: FrameSize & Pick<VideoShape, 'frameRate'>, image?: string): string[] {
  if (!image) return ['-f', 'lavfi', '-i', `color=c=${background}:s=${width}x${height}:r=${frameRate}`];
  return ['-protocol_whitelist', 'file', '-f', 'image2', '-framerate', frameRate, '-i', `file:${image}`];
}

function silenceInput({ sampleRate, channels }: AudioShape): string[] {
  return ['-f', 'lavfi', '-i', `anullsrc=r=${sampleRate}:cl=${layoutOf(channels)}`];
}

function layoutOf(channels: number): string {
  return layouts[channels] ?? 'stereo';
}

function fit({ width, height }: FrameSize, isBlurred: boolean): string[] {
  const sigma = Math.round(Math.min(width, height) / 40);
  return [
    `scale=${width}:${height}:force_original_aspect_ratio=decrease`,
    `pad=${width}:${height}:-1:-1:color=${background}`,
    'setsar=1',
    ...(isBlurred ? [`gblur=sigma=${sigma}:steps=2`] : []),
  ];
}

interface VideoOutput {
  readonly source: SlateSource;
  readonly input: number;
  readonly showsClip: boolean;
  readonly seconds: number;
}

/** Creates a whole number of frames. An image is drawn once and repeated. A clip is cut, or extended with its last frame. */
function videoOutput(shape: VideoShape, { source, input, showsClip, seconds }: VideoOutput): string[] {
  const { frameRate } = shape;
  const { isBlurred, textFilters, clip, maxBytes } = source;
  const end = `trim=end_frame=${framesOf(seconds, shape)}`;
  const filters = showsClip
    ? [`fps=${frameRate}:start_time=0`, 'tpad=stop=-1:stop_mode=clone', end, ...fit(shape, false), ...textFilters]
    : [...fit(shape, isBlurred), ...textFilters, 'loop=loop=-1:size=1:start=0', 'setpts=N/FRAME_RATE/TB', end];
  const kbps = showsClip && clip ? clipKbps(clip.seconds, maxBytes) : undefined;
  return [
    ...['-map', `${input}:V:0`, '-vf', [...filters, 'format=yuv420p'].join(',')],
    ...['-g', String(framesOf(gopSeconds, shape)), '-r', frameRate, ...videoEncoder(shape, kbps)],
  ];
}

/** @param kbps maximum bitrate of a clip; undefined for an image. */
function videoEncoder({ codec, profile, level }: VideoShape, kbps: number | undefined): string[] {
  const rate = kbps === undefined ? [] : ['-maxrate', `${kbps}k`, '-bufsize', `${kbps}k`];
  const quality = ['-crf', kbps === undefined ? imageQuality : clipQuality, ...rate];
  if (codec === 'hevc') {
    const options = 'log-level=error:bframes=0:scenecut=0:open-gop=0';
    return ['-c:v', 'libx265', '-preset', 'veryfast', '-x265-params', options, ...quality];
  }
  return [
    ...['-c:v', 'libx264', '-preset', 'veryfast', ...(kbps === undefined ? ['-tune', 'stillimage'] : [])],
    ...['-bf', '0', '-sc_threshold', '0', '-flags', '+cgop'],
    // When an encoder connects, some parsers decode its first frame with the parameters of the slate. These basic parameters fit every
    // encoder.
    ...(level ? [] : ['-weightp', '0']),
    ...['-profile:v', h264Profiles[profile.toLowerCase()] ?? 'high', ...(level ? ['-level:v', level] : [])],
    ...quality,
  ];
}

/** Maximum bitrate at which the file stays below its maximum size, kbit/s. */
function clipKbps(seconds: number, maxBytes: number): number {
  const fitting = (maxBytes * 8 * mediaPart) / 1000 / seconds - audioKbps;
  return Math.min(maxClipKbps, Math.floor(fitting));
}

interface AudioOutput {
  readonly input: number;
  readonly playsClip: boolean;
  readonly seconds: number | undefined;
}

function audioOutput(
  { codec, sampleRate, channels }: AudioShape,
  { input, playsClip, seconds }: AudioOutput,
): string[] {
  const encoder = { aac: 'aac', opus: 'libopus', mp3: 'libmp3lame' }[codec];
  const end = playsClip ? (seconds === undefined ? undefined : seconds + extraAudioSeconds) : (seconds ?? gopSeconds);
  const filters = [
    ...(playsClip
      ? [`aresample=${sampleRate}:async=1:first_pts=0`, `aformat=channel_layouts=${layoutOf(channels)}`]
      : []),
    ...(playsClip && end !== undefined ? ['apad'] : []),
    ...(end === undefined ? [] : [`atrim=end=${end.toFixed(4)}`]),
  ];
  return [
    ...['-map', `${input}:a:0`, ...(filters.length > 0 ? ['-af', filters.join(',')] : [])],
    ...['-c:a', encoder, '-b:a', `${audioKbps}k`, '-ar', `${sampleRate}`, '-ac', `${channels}`],
  ];
}
