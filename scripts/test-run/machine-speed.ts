// Measures the current speed of the machine, so that durations of different machines and days are comparable.
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

/** Media time that is encoded, seconds: a few seconds of work on two cores. */
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

/** Number of programs started, one after the other: less than a second on any but the slowest machines. */
const startedPrograms = 10;

/**
 * Starts of Node per second, one after the other. Some virtual machines compute at normal speed but need ten times as long for system
 * calls, which are half of a start.
 */
export function programsPerSecond(): number {
  const startedAt = performance.now();
  for (let count = 0; count < startedPrograms; count++) execFileSync(process.execPath, ['--eval', '0']);
  return (startedPrograms * 1_000) / (performance.now() - startedAt);
}
