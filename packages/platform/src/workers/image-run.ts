// Runs FFmpeg to get one image on standard output, with limits on resources, size and time.
import { spawn } from 'node:child_process';
import { limitedCommand } from '@srs-stack/process/programs/limited-command.ts';
import { imageLimits } from '@srs-stack/process/programs/media-limits.ts';
import { setProgramPriority } from '@srs-stack/process/programs/program-priority.ts';
import { programEnvironment } from './launch.ts';

/** Length of the kept log, characters. FFmpeg logs only errors here, and the first errors matter. */
const maxLogLength = 16 * 1024;

export interface ImageRun {
  readonly args: readonly string[];
  readonly program?: string;
  readonly input?: Buffer;
  readonly folder?: string | undefined;
  /** Maximum image size, bytes. A larger image ends the run. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Nice value above 0: media takes precedence. */
  readonly niceness?: number;
}

export type ImageResult =
  | { readonly kind: 'image'; readonly image: Buffer }
  | { readonly kind: 'no-program'; readonly log: string }
  /** Ended by the timeout or by `signal`, or not started because of a system error. */
  | { readonly kind: 'stopped'; readonly log: string }
  | { readonly kind: 'too-large' | 'failed'; readonly log: string; readonly signal: NodeJS.Signals | null };

/** Runs FFmpeg until its end or a limit. Never rejects. */
export function runForImage(run: ImageRun): Promise<ImageResult> {
  const { maxBytes, input } = run;
  return new Promise((resolve) => {
    const child = start(run);
    const parts: Buffer[] = [];
    let bytes = 0;
    let log = '';
    child.on('error', ({ code }: NodeJS.ErrnoException) =>
      resolve({ kind: code === 'ENOENT' ? 'no-program' : 'stopped', log }),
    );
    // FFmpeg may exit without reading all input.
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > maxBytes) child.kill('SIGKILL');
      else parts.push(part);
    });
    child.stderr.on('data', (part: Buffer) => {
      log = (log + part.toString()).slice(0, maxLogLength);
    });
    child.on('close', (code, signal) => {
      if (bytes > maxBytes) resolve({ kind: 'too-large', log, signal });
      else if (code === 0 && bytes > 0) resolve({ kind: 'image', image: Buffer.concat(parts) });
      else resolve({ kind: 'failed', log, signal });
    });
    child.stdin.end(input);
  });
}

function start({ args: wanted, program: name = 'ffmpeg', folder, timeoutMs, signal, niceness = 0 }: ImageRun) {
  const { program, args } = limitedCommand(name, wanted, imageLimits);
  const timeout = AbortSignal.timeout(timeoutMs);
  const child = spawn(program, args, {
    ...{ env: programEnvironment(), stdio: 'pipe', killSignal: 'SIGKILL' },
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    ...(folder !== undefined && { cwd: folder }),
  });
  if (child.pid !== undefined && niceness > 0) setProgramPriority(child.pid, niceness);
  return child;
}
