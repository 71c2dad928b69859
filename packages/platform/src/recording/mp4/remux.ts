// FFmpeg jobs of recordings: MP4 from segments, and the poster. The MP4 contains copied media, except audio whose configuration changes.
// Each run is one child process that can be aborted.
import { spawn } from 'node:child_process';
import { type LimitReached, limitReached } from '@srs-stack/process/programs/limit-reached.ts';
import { limitedCommand } from '@srs-stack/process/programs/limited-command.ts';
import { maxPicturePixels, recordingLimits } from '@srs-stack/process/programs/media-limits.ts';
import type { ProgramLimits } from '@srs-stack/process/programs/program-limits.ts';
import { setProgramPriority } from '@srs-stack/process/programs/program-priority.ts';
import { programEnvironment } from '../../workers/launch.ts';

/** Priority below encoders and servers: a finished recording can wait. */
const niceness = 10;
/** Error of FFmpeg up to version 5 for a truncated output. The exit code is still 0. */
const cutFile = /Error writing trailer/;
/** Error of FFmpeg when the index exceeds the reserved space (`-moov_size`). */
const indexTooLarge = /reserved_moov_size is too small/;
/**
 * Index size of an MP4 (ISO/IEC 14496-12 §8.6, §8.7), bytes per second: 60 video and 50 audio frames. Size, times and offset of a frame
 * take up to 40 bytes.
 */
const indexBytesPerSecond = (60 + 50) * 40;
/** Size of the MP4 boxes except index and media, bytes. */
const indexBaseBytes = 16 * 1024;
/** Maximum share of the file to reserve for the index. */
const maxIndexShare = 0.02;
/** Bitrate of re-encoded audio, bits per second. Audio is re-encoded when its configuration changes. */
const convertedSoundBps = '192000';
/** Number of characters kept from the end of FFmpeg's messages. */
const maxMessageLength = 600;

export interface Mp4Input {
  /** A playlist, or a list of playlists for the `concat` demuxer. */
  readonly format: 'hls' | 'concat';
  readonly path: string;
  /** Start within the MP4, milliseconds. */
  readonly offsetMs: number;
}

export interface Mp4Job {
  readonly inputs: readonly Mp4Input[];
  /** `input`: index of the input. `changes`: whether the codec configuration changes. Undefined without the track. */
  readonly video: { readonly input: number; readonly isHevc: boolean; readonly changes: boolean } | undefined;
  readonly audio: { readonly input: number; readonly changes: boolean } | undefined;
  readonly output: string;
  /** Bytes reserved for the index at the start of the file; undefined: two passes. */
  readonly indexBytes: number | undefined;
}

/**
 * Converts playlists to an MP4 that plays while it downloads.
 * - If video parameters change, parameter sets are also in the samples: `avc3` and `hev1` signal this (ISO/IEC 14496-15 §5.4.2, §8.3.3).
 *   Without changes, the sample entry is `avc1`, or `hvc1` for Apple's players.
 * - An MP4 has one AAC configuration. Audio that changes is re-encoded with the first configuration.
 */
function mp4Arguments({ inputs, video, audio, output, indexBytes }: Mp4Job): string[] {
  const tag = video?.isHevc ? (video.changes ? 'hev1' : 'hvc1') : video?.changes ? 'avc3' : undefined;
  return [
    ...quiet,
    ...inputs.flatMap(inputArguments),
    ...(video ? ['-map', `${video.input}:v?`] : []),
    ...(audio ? ['-map', `${audio.input}:a?`] : []),
    ...['-c', 'copy'],
    ...(audio?.changes ? ['-c:a', 'aac', '-b:a', convertedSoundBps] : []),
    ...(tag ? ['-tag:v', tag] : []),
    ...(indexBytes === undefined ? ['-movflags', '+faststart'] : ['-moov_size', String(indexBytes)]),
    ...['-f', 'mp4', '-y', output],
  ];
}

function inputArguments({ format, path, offsetMs }: Mp4Input): string[] {
  const options = format === 'hls' ? ['-allowed_extensions', 'ts'] : ['-safe', '0'];
  const offset = offsetMs > 0 ? ['-itsoffset', (offsetMs / 1000).toFixed(3)] : [];
  return ['-protocol_whitelist', 'file', ...offset, ...options, '-f', format, '-i', path];
}

/** Bytes to reserve for the index; undefined if the index would need more than `maxIndexShare` of the file. */
function indexRoom({ durationMs, sizeBytes }: { durationMs: number; sizeBytes: number }): number | undefined {
  const bytes = indexBaseBytes + Math.ceil((durationMs / 1000) * indexBytesPerSecond);
  return bytes <= sizeBytes * maxIndexShare ? bytes : undefined;
}

/**
 * Creates the MP4 in one pass, or in two passes if the index is relatively large or exceeds its reserved space. Never rejects.
 * @param media total duration and size of the segments.
 */
export async function makeMp4(
  run: RunFfmpeg,
  job: Omit<Mp4Job, 'indexBytes'>,
  media: { durationMs: number; sizeBytes: number },
  signal: AbortSignal,
): Promise<FfmpegEnding> {
  const indexBytes = indexRoom(media);
  const limits = recordingLimits(media);
  const ending = await run(mp4Arguments({ ...job, indexBytes }), signal, limits);
  if (ending.ok || signal.aborted || !indexTooLarge.test(ending.message)) return ending;
  return run(mp4Arguments({ ...job, indexBytes: undefined }), signal, limits);
}

/** FFmpeg arguments for an image of the first keyframe of a segment. */
export function posterArguments(segment: string, output: string): string[] {
  return [
    ...quiet,
    ...['-protocol_whitelist', 'file', '-max_pixels', String(maxPicturePixels)],
    ...['-f', 'mpegts', '-skip_frame', 'nokey', '-i', segment],
    ...['-map', '0:v:0', '-frames:v', '1', '-vf', "scale='min(320,iw)':-2", '-q:v', '5', '-f', 'mjpeg', '-y', output],
  ];
}

const quiet = ['-hide_banner', '-nostdin', '-loglevel', 'error'];

interface FfmpegEnding {
  readonly ok: boolean;
  readonly wasKilled: boolean;
  readonly isMissing?: true;
  readonly limit?: LimitReached;
  readonly message: string;
}

export type RunFfmpeg = (args: readonly string[], signal: AbortSignal, limits: ProgramLimits) => Promise<FfmpegEnding>;

/** Never rejects. */
export const runFfmpeg: RunFfmpeg = (wanted, signal, limits) =>
  new Promise((resolve) => {
    let message = '';
    let failure: Error | undefined;
    const { program, args } = limitedCommand('ffmpeg', wanted, limits);
    const child = spawn(program, args, {
      env: programEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
    });
    child.stderr.on('data', (chunk) => {
      message = (message + chunk).slice(-maxMessageLength);
    });
    child.once('error', (error) => {
      failure = error;
      if (child.pid === undefined) resolve({ ok: false, wasKilled: signal.aborted, ...describeFailure(error) });
    });
    child.once('close', (code, killedBy) => {
      const ok = code === 0 && !signal.aborted && !cutFile.test(message);
      const limit = ok ? undefined : limitReached(killedBy, [message]);
      const words = message.trim() || failure?.message || `exit code ${code}`;
      resolve({ ok, wasKilled: killedBy !== null, ...(limit ? { limit } : {}), message: words });
    });
    if (child.pid !== undefined) setProgramPriority(child.pid, niceness);
  });

function describeFailure(error: Error): { message: string; isMissing?: true } {
  const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  return isMissing ? { message: 'FFmpeg is not installed', isMissing } : { message: error.message };
}
