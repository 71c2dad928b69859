// Encodes a slate file with FFmpeg. Resources and time are limited.
import { execFile } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, because, longestSlateClipSeconds } from '@srs-stack/contract';
import { limitedCommand } from '@srs-stack/process/programs/limited-command.ts';
import { encoderLimits } from '@srs-stack/process/programs/media-limits.ts';
import { setProgramPriority } from '@srs-stack/process/programs/program-priority.ts';
import { probeMedia } from '../../workers/ffprobe.ts';
import { programEnvironment } from '../../workers/launch.ts';
import { type SlateClipSource, slateArgs, slateSeconds } from './slate-args.ts';
import type { SlateLook } from './slate-look.ts';
import type { SlateShape } from './slate-shape.ts';
import { withTexts } from './text-folder.ts';

/** Ends FFmpeg after this time without progress, milliseconds: a 4K HEVC frame takes a second on a busy core. */
const stallMs = 60_000;
/** CPU time limit for the slate of an image, seconds. */
const maxCpuSeconds = 60;
/** CPU time added per second of a clip, seconds. 4K HEVC takes 20 on a slow core. */
const cpuPerClipSecond = 30;
/** Maximum size of a slate file, bytes. Gateways keep slates in memory and refuse larger files. */
const maxFileBytes = 16 * 1024 ** 2;
/** Nice value: live encoders take precedence. */
const niceness = 10;
const usPerSecond = 1_000_000;
/** A stream without video has no texts. */
const noText = { title: '', text: '' };
const noFrame = { width: 0, height: 0 };

export interface SlateOrderedFile extends Omit<SlateLook, 'image'> {
  readonly shape: SlateShape;
  /** Absolute path; undefined for a black frame. */
  readonly image: string | undefined;
  readonly file: string;
}

/**
 * Resolves when the slate file is complete. Rejects with the message of FFmpeg, a missing font, or an unusable clip.
 * @param onProgress gets the progress, 0 to 1.
 */
export async function encodeSlate(
  wanted: SlateOrderedFile,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<void> {
  const unfinished = unfinishedName(wanted.file);
  try {
    await encodeTo(unfinished, wanted, signal, onProgress);
    await rename(unfinished, wanted.file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function encodeTo(
  output: string,
  { shape, image, title, text, clip: clipFile, frame }: SlateOrderedFile,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<void> {
  const clip = clipFile && (await probeClip(clipFile.path));
  const texts = {
    text: shape.video ? { title, text } : noText,
    frame: shape.video ?? noFrame,
    hasImage: image !== undefined || clip?.hasVideo === true || frame !== undefined,
    ...(frame && { files: { [frameName]: frame.jpeg } }),
  };
  await withTexts(texts, async ({ folder, filters }) => {
    const shown = frame && folder ? join(folder, frameName) : image;
    const source = { image: shown, isBlurred: frame?.isBlurred === true, textFilters: filters, clip };
    const args = slateArgs(shape, { ...source, maxBytes: maxFileBytes }, output);
    const seconds = slateSeconds(shape, clip);
    const cpuSeconds = maxCpuSeconds + Math.ceil((clip?.seconds ?? 0) * cpuPerClipSecond);
    await run({ args, folder, cpuSeconds }, signal, (encoded) => onProgress(Math.min(1, encoded / seconds)));
  });
}

/** Probes a clip. `seconds` is the length of the repeated part. */
export async function probeClip(path: string): Promise<SlateClipSource> {
  const { format, video, audio } = await probeMedia({ file: path });
  const known = Number(format.duration);
  if (!(known > 0)) throw new AppError('slateUnusable', because('slate.clip-length-unknown'));
  const seconds = Math.min(known, longestSlateClipSeconds);
  return { path, hasVideo: video !== null, hasAudio: audio !== null, seconds };
}

/** Temporary file name during encoding. */
export function unfinishedName(file: string): string {
  return `${file}.part`;
}

const frameName = 'frame.jpg';

interface Run {
  readonly args: readonly string[];
  readonly folder: string | undefined;
  readonly cpuSeconds: number;
}

/** @param onProgress gets the encoded media time, seconds. */
function run(
  { args: wanted, folder, cpuSeconds }: Run,
  signal: AbortSignal,
  onProgress: (seconds: number) => void,
): Promise<void> {
  const limits = { ...encoderLimits(), cpuSeconds, fileBytes: maxFileBytes };
  const { program, args } = limitedCommand('ffmpeg', wanted, limits);
  return new Promise((resolve, reject) => {
    const options = { killSignal: 'SIGKILL', env: programEnvironment(), signal, maxBuffer: Infinity } as const;
    const child = execFile(program, [...args], { ...options, ...(folder && { cwd: folder }) }, (error, _, stderr) => {
      clearTimeout(stalled);
      if (error) reject(new Error(stderr.trim().split('\n').at(-1) || error.message.split('\n', 1)[0]));
      else resolve();
    });
    let stalled = setTimeout(() => child.kill('SIGKILL'), stallMs);
    let lastUs = 0;
    child.stdout?.on('data', (text: string) => {
      const encodedUs = Number([...text.matchAll(/out_time_us=(\d+)/g)].at(-1)?.[1]);
      if (!(encodedUs > lastUs)) return;
      lastUs = encodedUs;
      clearTimeout(stalled);
      stalled = setTimeout(() => child.kill('SIGKILL'), stallMs);
      onProgress(encodedUs / usPerSecond);
    });
    if (child.pid !== undefined) setProgramPriority(child.pid, niceness);
  });
}
