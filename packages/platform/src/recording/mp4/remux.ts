// FFmpeg jobs of recordings: segments to MP4 without re-encoding, and the poster. Arguments are pure; a run is one child process that can
// be aborted.
import { spawn } from 'node:child_process';
import { type LimitReached, limitReached } from '@srs-stack/process/programs/limit-reached.ts';
import { limitedCommand } from '@srs-stack/process/programs/limited-command.ts';
import { lowerPriority } from '@srs-stack/process/programs/lower-priority.ts';
import { maxPicturePixels, recordingLimits } from '@srs-stack/process/programs/media-limits.ts';
import type { ProgramLimits } from '@srs-stack/process/programs/program-limits.ts';
import { programEnvironment } from '../../workers/launch.ts';

/** Process priority, below encoders and servers, because a finished recording can wait. */
const niceness = 10;
/** Message that FFmpeg up to version 5 prints when the output is truncated; it exits with 0. */
const cutFile = /Error writing trailer/;
/** Error of a run whose index exceeded the reserved space (`-moov_size`). */
const indexTooLarge = /reserved_moov_size is too small/;
/**
 * Index size of an MP4 (ISO/IEC 14496-12 §8.6, §8.7), bytes per second of recording: 60 video and 50 audio frames, up to 40 bytes each for
 * size, times and offset.
 */
const indexBytesPerSecond = (60 + 50) * 40;
/** Size of the other boxes of an MP4, bytes. */
const indexBaseBytes = 16 * 1024;
/** Share of the file up to which space for the index is reserved at its start. */
const maxIndexShare = 0.02;
/** Bitrate for audio that is re-encoded because its configuration changes, bits per second. */
const convertedSoundBps = '192000';
/** Length of the end of FFmpeg's messages that is kept, characters. */
const maxMessageLength = 600;

export interface Mp4Input {
  /** A playlist, or a list of playlists for the `concat` demuxer. */
  readonly format: 'hls' | 'concat';
  readonly path: string;
  /** Start in the file, milliseconds. */
  readonly offsetMs: number;
}

export interface Mp4Job {
  readonly inputs: readonly Mp4Input[];
  /** Index of the input of the track; `changes`: its configuration changes. Undefined: no such track. */
  readonly video: { readonly input: number; readonly isHevc: boolean; readonly changes: boolean } | undefined;
  readonly audio: { readonly input: number; readonly changes: boolean } | undefined;
  readonly output: string;
  /** Space reserved at the start for the index, bytes; undefined: the file is written in two passes. */
  readonly indexBytes: number | undefined;
}

/**
 * Playlists → MP4 that plays progressively.
 * - Video parameter sets are in the samples and in the sample entry, so that they may change: `avc3` and `hev1` signal that (ISO/IEC
 *   14496-15 §5.4.2, §8.3.3). Without a change the entry is `avc1` or, for Apple's players, `hvc1`.
 * - An MP4 has one AAC configuration: audio that changes is converted to its first configuration.
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

/** Space for the index, bytes; undefined if it would make the file noticeably larger. Pure. */
function indexRoom({ durationMs, sizeBytes }: { durationMs: number; sizeBytes: number }): number | undefined {
  const bytes = indexBaseBytes + Math.ceil((durationMs / 1000) * indexBytesPerSecond);
  return bytes <= sizeBytes * maxIndexShare ? bytes : undefined;
}

/**
 * Creates the MP4 in one pass, or in two when the size of its index cannot be predicted. Never rejects.
 * @param media duration and size of all segments together.
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

/** Arguments for the first frame of a segment, scaled down. */
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
  /** True when the process was killed from outside. */
  readonly wasKilled: boolean;
  readonly isMissing?: true;
  /** The limit that the process exceeded. */
  readonly limit?: LimitReached;
  /** Last message of FFmpeg. */
  readonly message: string;
}

export type RunFfmpeg = (args: readonly string[], signal: AbortSignal, limits: ProgramLimits) => Promise<FfmpegEnding>;

/** Runs to the end; never rejects. */
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
    if (child.pid !== undefined) lowerPriority(child.pid, niceness);
  });

function describeFailure(error: Error): { message: string; isMissing?: true } {
  const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  return isMissing ? { message: 'FFmpeg is not installed', isMissing } : { message: error.message };
}
