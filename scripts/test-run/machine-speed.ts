// Measures the current speed of the machine, which makes durations of different machines and days comparable.
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

/** Duration of the encoded clip, seconds. Encoding it takes a few seconds on two cores. */
const clipSeconds = 5;
const framesPerSecond = 30;

/** Frames per second that x264 encodes on all cores, at its default preset and 1280 × 720. */
export async function x264FramesPerSecond(): Promise<number> {
  const source = ['-f', 'lavfi', '-i', `testsrc2=size=1280x720:rate=${framesPerSecond}`, '-t', String(clipSeconds)];
  const encoder = ['-c:v', 'libx264', '-preset', 'medium', '-f', 'null', '-'];
  const startedAt = performance.now();
  await promisify(execFile)('ffmpeg', ['-nostdin', '-loglevel', 'error', ...source, ...encoder]);
  return (clipSeconds * framesPerSecond * 1_000) / (performance.now() - startedAt);
}

/** Number of programs that are started one after another. This takes less than a second, except on the slowest machines. */
const startedPrograms = 10;

/**
 * Number of Node starts per second. Some virtual machines compute at normal speed, but need ten times as long for system calls, which are
 * half of a start.
 */
export function programsPerSecond(): number {
  const startedAt = performance.now();
  for (let count = 0; count < startedPrograms; count++) execFileSync(process.execPath, ['--eval', '0']);
  return (startedPrograms * 1_000) / (performance.now() - startedAt);
}
