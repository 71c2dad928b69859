// Small images for the seek bar. An image is made from a segment's first keyframe at the first request, and stored beside the segment.
// Number, memory and CPU time are limited. A failed image has no other effect.
import { spawn } from 'node:child_process';
import { rename, stat, unlink } from 'node:fs/promises';
import { limitedCommand } from '@srs-stack/process/programs/limited-command.ts';
import { maxPicturePixels, posterLimits } from '@srs-stack/process/programs/media-limits.ts';
import type { ProgramLimits } from '@srs-stack/process/programs/program-limits.ts';
import { setProgramPriority } from '@srs-stack/process/programs/program-priority.ts';

/** Share of one CPU for all images, averaged over time. */
export const maxImageCpuShare = 0.2;
/** CPU time that may be used in a burst, milliseconds: about forty images, one pass over a seek bar. */
const maxBurstMs = 4_000;
/** Estimated CPU time of the first image, milliseconds. */
const expectedMs = 100;
/** Maximum number of requests that wait for an image. Further requests get an error and may retry. */
const maxWaiting = 64;
/** Time limit of one image, milliseconds. */
const timeoutMs = 10_000;
/** Maximum number of remembered segments whose image failed, for example because they have no video. */
const maxRememberedFailures = 10_000;
/** Gives servers and encoders priority over images. */
const niceness = 15;
const width = 160;

interface FfmpegEnding {
  readonly isMade: boolean;
  /** CPU time, milliseconds; undefined when FFmpeg did not report it. */
  readonly cpuMs: number | undefined;
}

export type RunFfmpeg = (
  args: readonly string[],
  options: { limits: ProgramLimits; timeoutMs: number },
) => Promise<FfmpegEnding>;

export interface StoryboardImagesOptions {
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly run?: RunFfmpeg;
}

/** `none`: there is no image or no segment. `busy`: too many requests wait for images, or the CPU share is used up. */
export type StoryboardLookup = { readonly path: string } | 'none' | 'busy';

export class StoryboardImages {
  readonly #clock: () => number;
  readonly #run: RunFfmpeg;
  readonly #underWay = new Map<string, Promise<StoryboardLookup>>();
  readonly #without = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();
  /** CPU time that may be spent now, milliseconds. */
  #creditMs = maxBurstMs;
  #creditAtMs: number;
  #costMs = expectedMs;

  constructor({ clock, run = runFfmpeg }: StoryboardImagesOptions) {
    this.#clock = clock;
    this.#run = run;
    this.#creditAtMs = clock();
  }

  /** Returns the image of a segment's first frame; makes a missing image. Never rejects. */
  async find(segmentPath: string, imagePath: string): Promise<StoryboardLookup> {
    if (await isThere(imagePath)) return { path: imagePath };
    const begun = this.#underWay.get(imagePath);
    if (begun) return begun;
    if (this.#without.has(segmentPath) || !(await isThere(segmentPath))) return 'none';
    if (this.#underWay.size >= maxWaiting || !this.#spend()) return 'busy';
    const made = this.#underWay.get(imagePath) ?? this.#inTurn(segmentPath, imagePath);
    this.#underWay.set(imagePath, made);
    return made;
  }

  #inTurn(segmentPath: string, imagePath: string): Promise<StoryboardLookup> {
    const made = this.#last
      .then(() => this.#make(segmentPath, imagePath))
      .catch((): StoryboardLookup => 'none')
      .finally(() => this.#underWay.delete(imagePath));
    this.#last = made;
    return made;
  }

  async #make(segmentPath: string, imagePath: string): Promise<StoryboardLookup> {
    const begunAtMs = this.#clock();
    const part = `${imagePath}.part`;
    const { isMade, cpuMs } = await this.#run(imageArguments(segmentPath, part), { limits: posterLimits, timeoutMs });
    // FFmpeg uses one thread, so the elapsed time is an upper limit of the CPU time.
    this.#learn(cpuMs ?? this.#clock() - begunAtMs);
    if (isMade && (await isThere(part))) {
      await rename(part, imagePath);
      return { path: imagePath };
    }
    await unlink(part).catch(() => undefined);
    if (this.#without.size >= maxRememberedFailures) this.#without.clear();
    this.#without.add(segmentPath);
    return 'none';
  }

  #spend(): boolean {
    const now = this.#clock();
    this.#creditMs = Math.min(maxBurstMs, this.#creditMs + (now - this.#creditAtMs) * maxImageCpuShare);
    this.#creditAtMs = now;
    if (this.#creditMs < this.#costMs) return false;
    this.#creditMs -= this.#costMs;
    return true;
  }

  /** Corrects the charged cost to the actual cost, and updates the estimate. */
  #learn(tookMs: number): void {
    this.#creditMs -= tookMs - this.#costMs;
    this.#costMs = Math.min(maxBurstMs, (3 * this.#costMs + tookMs) / 4);
  }
}

async function isThere(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true && found.size > 0;
}

function imageArguments(segment: string, output: string): string[] {
  return [
    ...['-hide_banner', '-nostdin', '-nostats', '-benchmark', '-threads', '1'],
    ...['-protocol_whitelist', 'file', '-max_pixels', String(maxPicturePixels)],
    ...['-f', 'mpegts', '-skip_frame', 'nokey', '-i', segment, '-map', '0:v:0', '-frames:v', '1'],
    ...['-vf', `scale=${width}:-2`, '-q:v', '6', '-f', 'mjpeg', '-y', output],
  ];
}

/** Maximum length of kept output, characters. The end is kept, because `-benchmark` prints last. */
const maxOutputLength = 500;
/** CPU time for starting FFmpeg, milliseconds, which `-benchmark` does not include; 40 were measured. */
const startCpuMs = 50;
const benchmark = /bench: utime=([\d.]+)s stime=([\d.]+)s/;

/** Runs FFmpeg with only PATH in its environment. Never rejects. */
const runFfmpeg: RunFfmpeg = (wanted, { limits, timeoutMs: timeout }) =>
  new Promise((resolve) => {
    const { program, args } = limitedCommand('ffmpeg', wanted, limits);
    const child = spawn(program, args, {
      ...{ env: { PATH: process.env.PATH }, stdio: ['ignore', 'ignore', 'pipe'], timeout, killSignal: 'SIGKILL' },
    });
    let tail = '';
    child.stderr.on('data', (chunk) => {
      tail = (tail + chunk).slice(-maxOutputLength);
    });
    child.once('error', () => resolve({ isMade: false, cpuMs: undefined }));
    child.once('close', (code) => resolve({ isMade: code === 0, cpuMs: cpuMsOf(tail) }));
    if (child.pid !== undefined) setProgramPriority(child.pid, niceness);
  });

function cpuMsOf(tail: string): number | undefined {
  const [, user, system] = benchmark.exec(tail) ?? [];
  return user === undefined ? undefined : startCpuMs + (Number(user) + Number(system)) * 1000;
}
