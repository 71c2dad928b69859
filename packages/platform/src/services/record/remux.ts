// FFmpeg for recordings: segments → MP4 without touching a frame, and the poster picture. Arguments are pure; a run is one
// child process that can be ended.
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';

/** Below encoders and servers: a finished recording can wait for them. */
const niceness = 10;
/** End of FFmpeg's messages that is kept, characters. */
const maxMessageLength = 600;

/** `index.m3u8` beside its segments → MP4 that plays from its beginning. HEVC is tagged as Apple's players want it. */
export function mp4Arguments({
  playlist,
  output,
  isHevc,
}: {
  playlist: string;
  output: string;
  isHevc: boolean;
}): string[] {
  return [
    ...quiet,
    ...['-protocol_whitelist', 'file', '-allowed_extensions', 'ts', '-f', 'hls', '-i', playlist],
    ...['-map', '0:v?', '-map', '0:a?', '-c', 'copy'],
    ...(isHevc ? ['-tag:v', 'hvc1'] : []),
    ...['-movflags', '+faststart', '-f', 'mp4', '-y', output],
  ];
}

/** The first picture of a segment, small. */
export function posterArguments(segment: string, output: string): string[] {
  return [
    ...quiet,
    ...['-protocol_whitelist', 'file', '-f', 'mpegts', '-skip_frame', 'nokey', '-i', segment],
    ...['-map', '0:v:0', '-frames:v', '1', '-vf', "scale='min(320,iw)':-2", '-q:v', '5', '-f', 'mjpeg', '-y', output],
  ];
}

const quiet = ['-hide_banner', '-nostdin', '-loglevel', 'error'];

interface FfmpegEnding {
  readonly ok: boolean;
  /** True when somebody ended the process, not itself. */
  readonly wasKilled: boolean;
  /** What it said last. */
  readonly message: string;
}

export type RunFfmpeg = (args: readonly string[], signal: AbortSignal) => Promise<FfmpegEnding>;

/** Runs to the end; never rejects. */
export const runFfmpeg: RunFfmpeg = (args, signal) =>
  new Promise((resolve) => {
    let message = '';
    let failure: Error | undefined;
    const child = spawn('ffmpeg', args, { stdio: ['ignore', 'ignore', 'pipe'], signal, killSignal: 'SIGKILL' });
    child.stderr.on('data', (chunk) => {
      message = (message + chunk).slice(-maxMessageLength);
    });
    child.once('error', (error) => {
      failure = error;
      if (child.pid === undefined) resolve({ ok: false, wasKilled: signal.aborted, message: describeFailure(error) });
    });
    child.once('close', (code, killedBy) => {
      const ok = code === 0 && !signal.aborted;
      resolve({ ok, wasKilled: killedBy !== null, message: message.trim() || failure?.message || `exit code ${code}` });
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

function describeFailure(error: Error): string {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'FFmpeg is not installed' : error.message;
}
