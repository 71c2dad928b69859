// How fast this machine is today, so that times of different machines and days can be compared.
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

/** Media time encoded, seconds: some seconds of work on two cores. */
const clipSeconds = 5;
const framesPerSecond = 30;

/** Frames per second that x264 encodes at its default preset, 1280 × 720, on all cores. */
export async function x264FramesPerSecond(): Promise<number> {
  const source = ['-f', 'lavfi', '-i', `testsrc2=size=1280x720:rate=${framesPerSecond}`, '-t', String(clipSeconds)];
  const encoder = ['-c:v', 'libx264', '-preset', 'medium', '-f', 'null', '-'];
  const startedAt = performance.now();
  await promisify(execFile)('ffmpeg', ['-nostdin', '-loglevel', 'error', ...source, ...encoder]);
  return (clipSeconds * framesPerSecond * 1_000) / (performance.now() - startedAt);
}

/** Programs started, one after the other: less than a second on any machine but the slowest. */
const startedPrograms = 10;

/**
 * Starts of Node per second, one after the other. Some virtual machines compute as others do and need ten times as long for what the kernel
 * does, of which a start is half.
 */
export function programsPerSecond(): number {
  const startedAt = performance.now();
  for (let count = 0; count < startedPrograms; count++) execFileSync(process.execPath, ['--eval', '0']);
  return (startedPrograms * 1_000) / (performance.now() - startedAt);
}
