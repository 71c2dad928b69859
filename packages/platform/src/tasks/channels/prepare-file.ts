// Prepares a file for a channel: runs FFmpeg with limits on resources and time, then writes the index of the output.
import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { FlvIndexer } from '@srs-stack/media/containers/flv/flv-index.ts';
import { writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import { indexNameOf } from '@srs-stack/process/channel-orders.ts';
import { limitedCommand } from '@srs-stack/process/programs/limited-command.ts';
import { encoderLimits } from '@srs-stack/process/programs/media-limits.ts';
import { setProgramPriority } from '@srs-stack/process/programs/program-priority.ts';
import { probeMedia } from '../../workers/ffprobe.ts';
import { programEnvironment } from '../../workers/launch.ts';
import {
  type ChannelProfile,
  darkScreenMs,
  longestFileMs,
  type Preparation,
  preparationArgs,
  preparedMs,
} from './preparation-args.ts';

/** Ends FFmpeg after this time without progress, milliseconds. */
const stallMs = 120_000;
/** Limit of CPU time per second of media, seconds. 1080p at 60 frames per second takes 4 on a slow core. */
const cpuPerSecond = 30;
/** CPU time added to the limit, seconds. */
const extraCpuSeconds = 60;
/** Bitrate of audio and container, kbps. */
const otherKbps = 200;
/** Added to the duration before the size is estimated, seconds: short files exceed their bitrate. */
const extraSeconds = 4;
/** Maximum size relative to the estimate. */
const sizeFactor = 2;
/** Nice value: live encoders take precedence. */
const niceness = 15;
const readableByAll = 0o644;

export interface FileToPrepare {
  /** Absolute path; undefined for a black video. */
  readonly source: string | undefined;
  readonly profile: ChannelProfile;
  readonly output: string;
  /** Throws `diskFull` if the disk has no space for this number of bytes. */
  readonly requireSpace: (bytes: number) => Promise<void>;
}

/** Resolves with the length in milliseconds when file and index are complete. @param onProgress gets the progress, 0 to 1. */
export async function prepareFile(
  { source, profile, output, requireSpace }: FileToPrepare,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<number> {
  const unfinished = `${output}.part`;
  try {
    const facts = source === undefined ? undefined : await probeMedia({ file: source });
    const knownMs = facts ? Number(facts.format.duration) * 1000 : darkScreenMs;
    if (!(knownMs > 0)) throw new Error('the duration of the file is unknown');
    const durationMs = preparedMs(Math.min(knownMs, longestFileMs), profile);
    await requireSpace(largestBytes(durationMs, profile));
    const tracks = facts ?? { video: null, audio: null };
    await run({ source, facts: tracks, durationMs, profile, output: unfinished }, signal, onProgress);
    const index = { ...(await indexOf(unfinished)), durationMs };
    // Writes the index before the rename: a file is ready only with its index.
    await writeFileAtomically(indexNameOf(output), JSON.stringify(index), readableByAll);
    await rename(unfinished, output);
    return durationMs;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

function largestBytes(durationMs: number, { kbps }: ChannelProfile): number {
  return Math.ceil(((durationMs / 1000 + extraSeconds) * (kbps + otherKbps) * 1000) / 8);
}

async function indexOf(file: string) {
  const indexer = new FlvIndexer();
  for await (const bytes of createReadStream(file, { highWaterMark: 1024 * 1024 })) indexer.read(bytes as Buffer);
  return indexer.end();
}

function run(wanted: Preparation, signal: AbortSignal, onProgress: (done: number) => void): Promise<void> {
  const { durationMs, profile } = wanted;
  const seconds = durationMs / 1000;
  const limits = {
    ...encoderLimits(),
    cpuSeconds: Math.ceil(extraCpuSeconds + cpuPerSecond * seconds),
    fileBytes: sizeFactor * largestBytes(durationMs, profile),
  };
  const { program, args } = limitedCommand('ffmpeg', preparationArgs(wanted), limits);
  return new Promise((resolve, reject) => {
    const options = { killSignal: 'SIGKILL', env: programEnvironment(), signal, maxBuffer: Infinity } as const;
    const child = execFile(program, [...args], options, (error, _stdout, stderr) => {
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
      onProgress(Math.min(1, encodedUs / 1000 / durationMs));
    });
    if (child.pid !== undefined) setProgramPriority(child.pid, niceness);
  });
}
