// FFmpeg arguments that convert a file to a prepared file of a channel. All prepared files of a profile have equal codecs, size, frame rate
// and sample rate. Lengths are whole numbers of video and audio frames, so that files follow without a gap. Pure.

import { fileInputArgs } from '../../workers/ffmpeg-args/address.ts';
import type { MediaFacts } from '../../workers/ffprobe.ts';

export interface ChannelProfile {
  /** Height of the video, pixels. The aspect ratio is 16:9. */
  readonly height: number;
  readonly fps: number;
  readonly kbps: number;
}

const sampleRate = 48_000;
/** Number of samples in an AAC frame. */
const frameSamples = 1_024;
const audioKbps = 128;
/** Interval of keyframes, seconds. */
const gopSeconds = 2;
/** Constant quality (CRF) of x264; applies below the maximum bitrate. */
const constantQuality = 21;
/** Length of the black video, milliseconds. Must be a whole number of frames at every frame rate. */
export const darkScreenMs = 8_000;
/** Maximum length of a file, milliseconds. */
export const longestFileMs = 24 * 3_600_000;

/** Key of a profile. Files with equal keys can follow each other. */
export function profileKey({ height, fps, kbps }: ChannelProfile): string {
  return `${height}-${fps}-${kbps}`;
}

/** Length of a prepared file, milliseconds, rounded up to a whole number of video and audio frames. */
export function preparedMs(durationMs: number, { fps }: ChannelProfile): number {
  const stepMs = frameStepMs(fps);
  return Math.max(1, Math.ceil(Math.round(durationMs) / stepMs)) * stepMs;
}

/** Smallest common multiple of video frame, audio frame and millisecond. */
function frameStepMs(fps: number): number {
  for (let frames = 1; ; frames++) {
    const ms = (frames * 1000) / fps;
    if (Number.isInteger(ms) && Number.isInteger((ms * sampleRate) / 1000 / frameSamples)) return ms;
  }
}

export interface Preparation {
  /** Absolute path; undefined for a black video. */
  readonly source: string | undefined;
  readonly facts: Pick<MediaFacts, 'video' | 'audio'>;
  /** Length of the prepared file, milliseconds, see `preparedMs`. */
  readonly durationMs: number;
  readonly profile: ChannelProfile;
  readonly output: string;
}

export function preparationArgs({ source, facts, durationMs, profile, output }: Preparation): string[] {
  const { height, fps } = profile;
  const width = widthOf(height);
  const dark = ['-f', 'lavfi', '-i', `color=c=black:s=${width}x${height}:r=${fps}`];
  const silence = ['-f', 'lavfi', '-i', `anullsrc=r=${sampleRate}:cl=stereo`];
  const hasVideo = source !== undefined && facts.video !== null;
  const hasAudio = source !== undefined && facts.audio !== null;
  const inputs = [
    ...(source === undefined ? [] : [[...fileInputArgs, '-i', `file:${source}`]]),
    ...(hasVideo ? [] : [dark]),
    ...(hasAudio ? [] : [silence]),
  ];
  const video = hasVideo ? '0:V:0' : `${inputs.indexOf(dark)}:v:0`;
  const audio = hasAudio ? '0:a:0' : `${inputs.indexOf(silence)}:a:0`;
  return [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-y', '-progress', 'pipe:1', '-stats_period', '0.5'],
    ...inputs.flat(),
    ...['-map', video, '-map', audio, '-map_metadata', '-1', '-map_chapters', '-1', '-sn', '-dn'],
    ...['-vf', videoFilter(width, profile), ...videoEncoder(profile)],
    ...['-af', `aresample=${sampleRate}:async=1:first_pts=0,aformat=channel_layouts=stereo,apad`],
    ...['-c:a', 'aac', '-b:a', `${audioKbps}k`, '-ar', `${sampleRate}`, '-ac', '2'],
    ...['-t', (durationMs / 1000).toFixed(3), '-flvflags', 'no_duration_filesize', '-f', 'flv', `file:${output}`],
  ];
}

/** The encoder requires an even width. */
function widthOf(height: number): number {
  return Math.round((height * 16) / 9 / 2) * 2;
}

/** Sets the colours of HD video: other colours would change the decoder configuration between files. */
function videoFilter(width: number, { height, fps }: ChannelProfile): string {
  return [
    `fps=${fps}:start_time=0`,
    `scale=${width}:${height}:force_original_aspect_ratio=decrease:out_color_matrix=bt709:out_range=tv`,
    `pad=${width}:${height}:-1:-1:color=black`,
    'setsar=1,format=yuv420p',
    'setparams=field_mode=prog:range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709',
    'tpad=stop=-1:stop_mode=clone',
  ].join(',');
}

/** x264 options. `stitchable` keeps the configuration independent of the content. */
function videoEncoder({ fps, kbps }: ChannelProfile): string[] {
  const gop = String(fps * gopSeconds);
  return [
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high', '-crf', String(constantQuality)],
    ...['-maxrate', `${kbps}k`, '-bufsize', `${kbps * 2}k`, '-g', gop, '-keyint_min', gop, '-sc_threshold', '0'],
    ...['-bf', '0', '-flags', '+cgop', '-x264-params', 'stitchable=1'],
  ];
}
