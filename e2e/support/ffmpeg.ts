// FFmpeg as encoder and player, independent of the code under test.
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { playing, shortClip, type TestSource, testSourceArguments } from './test-source.ts';

export interface FfmpegRun {
  /** Resolves when FFmpeg has sent this number of video frames. For one frame (the default), audio also suffices. */
  sending(frames?: number): Promise<void>;
  readonly exited: Promise<number | null>;
  log(): string;
  /** `gracefully` sends SIGTERM, which ends FFmpeg like the key q; `abruptly` sends SIGKILL. */
  stop(how?: 'gracefully' | 'abruptly'): Promise<number | null>;
}

const runs = new Set<FfmpegRun>();
const common = ['-hide_banner', '-nostdin', '-loglevel', 'warning', '-stats_period', '0.1', '-progress', 'pipe:1'];

/** Runs FFmpeg with `-progress` to observe its progress. FFmpeg starts when `args` has resolved. */
export function runFfmpeg(args: readonly string[] | Promise<readonly string[]>): FfmpegRun {
  const news = new EventEmitter();
  let log = '';
  let progress = { frames: 0, microseconds: 0 };
  const starting = Promise.resolve(args).then((own) => {
    const child = spawn('ffmpeg', [...common, ...own], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stderr.on('data', (chunk) => {
      log += chunk;
    });
    child.stdout.on('data', (chunk) => {
      progress = readProgress(`${chunk}`, progress);
      news.emit('progress');
    });
    return { child, closed: once(child, 'close') };
  });
  const exited = starting
    .then(({ closed }) => closed)
    .then(([code]) => code as number | null)
    .finally(() => runs.delete(run));
  const run: FfmpegRun = {
    exited,
    log: () => log,
    sending: async (frames = 1) => {
      const ended = exited.then((code) => {
        throw new Error(`ffmpeg ended with ${code} before it sent ${frames} frames: ${log}`);
      });
      ended.catch(() => undefined);
      while (progress.frames < frames && !(frames === 1 && progress.microseconds > 0)) {
        await Promise.race([once(news, 'progress'), ended]);
      }
    },
    stop: async (how = 'gracefully') => {
      (await starting).child.kill(how === 'gracefully' ? 'SIGTERM' : 'SIGKILL');
      return exited;
    },
  };
  runs.add(run);
  return run;
}

/** Ends every FFmpeg that a test left running. */
export async function stopAllFfmpeg(): Promise<void> {
  await Promise.all([...runs].map((run) => run.stop('abruptly')));
}

function readProgress(text: string, before: { frames: number; microseconds: number }) {
  const last = (pattern: RegExp) => Number([...text.matchAll(pattern)].at(-1)?.[1]);
  return {
    frames: last(/^frame=\s*(\d+)/gm) || before.frames,
    microseconds: last(/^out_time_us=(\d+)/gm) || before.microseconds,
  };
}

/** Publishes a clip unchanged and in real time, repeatedly or the given number of times. */
export function publishClip(
  url: string,
  { clip = shortClip, times }: { clip?: string | Promise<string>; times?: number } = {},
): FfmpegRun {
  return runFfmpeg(Promise.resolve(clip).then((file) => [...playing(file, times), '-c', 'copy', '-f', 'flv', url]));
}

/** Publishes HEVC with AAC over SRT until it is stopped: only FFmpeg 6.1 and later can publish HEVC over RTMP. */
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

const formats: Readonly<Record<string, string>> = { 'srt:': 'mpegts', 'rtsp:': 'rtsp' };

/** Publishes a test source until it is stopped. The scheme of `url` selects RTMP, SRT or RTSP. */
export function publishTestSource(url: string, source: TestSource): FfmpegRun {
  const format = formats[new URL(url).protocol] ?? 'flv';
  return runFfmpeg(testSourceArguments(source).then((args) => [...args, '-f', format, url]));
}
