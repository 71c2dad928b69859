// Converts one keyframe to a small JPEG, with FFmpeg over pipes. Low priority, below media.
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { limitedCommand } from '@srs-stack/process/programs/limited-command.ts';
import { maxPicturePixels, pictureLimits } from '@srs-stack/process/programs/media-limits.ts';
import { programEnvironment } from './launch.ts';

/** Timeout of one image, milliseconds. */
const timeoutMs = 10_000;
/** Largest image, bytes: a JPEG 320 pixels wide takes a tenth of it. */
const maxPictureBytes = 512 * 1024;
const niceness = 10;

const pictureArguments = [
  ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-protocol_whitelist', 'pipe'],
  ...['-max_pixels', String(maxPicturePixels)],
  ...['-threads', '1', '-f', 'flv', '-i', 'pipe:0', '-map', '0:v:0', '-frames:v', '1'],
  ...['-vf', "scale='min(320,iw)':-2", '-q:v', '5', '-f', 'mjpeg', 'pipe:1'],
];

/** Resolves with undefined when FFmpeg is missing or cannot decode it. Never rejects. */
export function takeStillPicture(keyframe: Buffer, signal: AbortSignal): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const { program, args } = limitedCommand('ffmpeg', pictureArguments, pictureLimits);
    const child = spawn(program, args, {
      env: programEnvironment(),
      stdio: ['pipe', 'pipe', 'ignore'],
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      killSignal: 'SIGKILL',
    });
    const parts: Buffer[] = [];
    let bytes = 0;
    child.on('error', () => resolve(undefined));
    child.stdin.on('error', () => {});
    child.stdout.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > maxPictureBytes) child.kill('SIGKILL');
      else parts.push(part);
    });
    child.on('close', (code) => resolve(code === 0 && bytes > 0 ? Buffer.concat(parts) : undefined));
    if (child.pid !== undefined) lowerPriority(child.pid);
    child.stdin.end(keyframe);
  });
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, niceness);
  } catch {
    // It has already exited.
  }
}
