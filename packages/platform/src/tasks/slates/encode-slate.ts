// One FFmpeg run that makes a slate file, within limits of the kernel and of time.
import { execFile } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import { limitedCommand } from '@srs-stack/process/programs/limited-command.ts';
import { lowerPriority } from '@srs-stack/process/programs/lower-priority.ts';
import { encoderLimits } from '@srs-stack/process/programs/media-limits.ts';
import { programEnvironment } from '../../workers/launch.ts';
import { type SlateShape, slateArgs, slateSeconds } from './slate-shape.ts';

/** Longest time for one slate, milliseconds: 4K HEVC takes ten seconds on a slow core. */
const timeoutMs = 60_000;
/** Processor time for one slate, seconds. */
const maxCpuSeconds = 60;
/** Largest slate file, bytes: the gateway keeps it in memory and takes no larger one. */
const maxFileBytes = 16 * 1024 ** 2;
/** Live encoders come first. */
const niceness = 10;
const usPerSecond = 1_000_000;

export interface SlateOrderedFile {
  readonly shape: SlateShape;
  /** Absolute path of the image; undefined: a dark screen. */
  readonly image: string | undefined;
  /** Absolute path of the file that is made. */
  readonly file: string;
}

/** Resolves when the file is whole. Rejects with what FFmpeg said. `onProgress` hears how much is done, 0 to 1. */
export async function encodeSlate(
  { shape, image, file }: SlateOrderedFile,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<void> {
  const unfinished = unfinishedName(file);
  try {
    await run(slateArgs(shape, image, unfinished), signal, onProgress);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Where the file is written until it is whole. */
export function unfinishedName(file: string): string {
  return `${file}.part`;
}

function run(wanted: readonly string[], signal: AbortSignal, onProgress: (done: number) => void): Promise<void> {
  const limits = { ...encoderLimits(), cpuSeconds: maxCpuSeconds, fileBytes: maxFileBytes };
  const { program, args } = limitedCommand('ffmpeg', wanted, limits);
  return new Promise((resolve, reject) => {
    const options = { timeout: timeoutMs, killSignal: 'SIGKILL', env: programEnvironment(), signal } as const;
    const child = execFile(program, [...args], options, (error, _stdout, stderr) => {
      if (error) reject(new Error(stderr.trim().split('\n').at(-1) || error.message.split('\n', 1)[0]));
      else resolve();
    });
    child.stdout?.on('data', (text: string) => {
      const encodedUs = Number([...text.matchAll(/out_time_us=(\d+)/g)].at(-1)?.[1]);
      if (encodedUs > 0) onProgress(Math.min(1, encodedUs / usPerSecond / slateSeconds));
    });
    if (child.pid !== undefined) lowerPriority(child.pid, niceness);
  });
}
