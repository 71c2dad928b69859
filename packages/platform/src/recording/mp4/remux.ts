// FFmpeg for recordings: segments → MP4 without touching a frame, and the poster picture. Arguments are pure; a run is one
// child process that can be ended.
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import {
  type LimitReached,
  limitedCommand,
  limitReached,
  maxPicturePixels,
  type ProgramLimits,
  recordingLimits,
} from '@srs-stack/programs';
import { programEnvironment } from '../../workers/launch.ts';

/** Below encoders and servers: a finished recording can wait for them. */
const niceness = 10;
/** FFmpeg up to 5 says this and ends with 0. */
const cutFile = /Error writing trailer/;
/** Ends a run whose index did not fit into the room it was given (`-moov_size`). */
const indexTooLarge = /reserved_moov_size is too small/;
/**
 * Index of an MP4 (ISO/IEC 14496-12 §8.6, §8.7), bytes per second of recording: 60 pictures and 50 frames of sound, of which
 * each may need 40 bytes for its size, times, and place.
 */
const indexBytesPerSecond = (60 + 50) * 40;
/** … and its other boxes, bytes. */
const indexBaseBytes = 16 * 1024;
/** Room for the index is left in front when it is at most this share of the file. */
const maxIndexShare = 0.02;
/** Sound that is converted, because it changes in the middle; bits per second. */
const convertedSoundBps = '192000';
/** End of FFmpeg's messages that is kept, characters. */
const maxMessageLength = 600;

export interface Mp4Input {
  /** A playlist, or a list of playlists for the `concat` demuxer. */
  readonly format: 'hls' | 'concat';
  readonly path: string;
  /** Where it begins in the file, milliseconds. */
  readonly offsetMs: number;
}

export interface Mp4Job {
  readonly inputs: readonly Mp4Input[];
  /** Number of the input it is taken from; `changes`: its configuration is another one in the middle. Undefined: it is left out. */
  readonly video: { readonly input: number; readonly isHevc: boolean; readonly changes: boolean } | undefined;
  readonly audio: { readonly input: number; readonly changes: boolean } | undefined;
  readonly output: string;
  /** Left free in front for the index, bytes; without it the file is written twice. */
  readonly indexBytes: number | undefined;
}

/**
 * Playlists beside their segments → MP4 that plays from its beginning. Parameter sets of the picture are in the samples beside the
 * sample entry, so that a change needs no new file: `avc3` and `hev1` tell that (ISO/IEC 14496-15 §5.4.2, §8.3.3). Without one
 * the entry is `avc1` or, as Apple's players want it, `hvc1`. An MP4 has one configuration of AAC: sound that changes is converted
 * to what it is in the beginning.
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

/** Room for the index; undefined where it would make the file noticeably larger. Pure. */
function indexRoom({ durationMs, sizeBytes }: { durationMs: number; sizeBytes: number }): number | undefined {
  const bytes = indexBaseBytes + Math.ceil((durationMs / 1000) * indexBytesPerSecond);
  return bytes <= sizeBytes * maxIndexShare ? bytes : undefined;
}

/**
 * Makes the MP4 in one pass, or in two where the size of its index cannot be told before. Never rejects.
 * @param media of all segments together.
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

/** The first picture of a segment, small. */
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
  /** True when somebody ended the process, not itself. */
  readonly wasKilled: boolean;
  readonly isMissing?: true;
  /** The limit it met. */
  readonly limit?: LimitReached;
  /** What it said last. */
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
    if (child.pid !== undefined) lowerPriority(child.pid);
  });

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, niceness);
  } catch {
    // It has ended already.
  }
}

function describeFailure(error: Error): { message: string; isMissing?: true } {
  const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  return isMissing ? { message: 'FFmpeg is not installed', isMissing } : { message: error.message };
}
