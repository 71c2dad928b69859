// The queue of test files that wait for processors. Before a file starts, a worker of the test runner sends the kind and path of the file,
// and waits for the response. When the connection ends, for example because the worker died, the place of the file becomes free.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FileKind, mayStart } from './file-admission.ts';
import type { Answer } from './time-left.ts';

/** Interval at which the queue and the processors are checked, milliseconds. */
const lookMs = 250;
/** Number of checks over which processor use is averaged. */
const looksAveraged = 8;

export interface AdmissionServer {
  readonly path: string;
  close(): void;
}

interface QueuedFile {
  readonly kind: FileKind;
  readonly path: string;
  readonly socket: Socket;
}

/** @param hasTime whether a file that starts now can finish before the run ends. */
export async function openAdmission(hasTime: (path: string) => boolean): Promise<AdmissionServer> {
  const folder = mkdtempSync(join(tmpdir(), 'srs-stack-admission-'));
  const path = join(folder, 'queue');
  const waiting: QueuedFile[] = [];
  const running = new Set<QueuedFile>();
  const looks = [readProcessorTimes()];
  let startedAt = 0;

  const admit = (): void => {
    const busy = busyShare(looks[0]!, looks.at(-1)!);
    while (waiting[0]) {
      if (!hasTime(waiting[0].path)) {
        respond(waiting.shift()!, 'no time');
        continue;
      }
      const sinceStartMs = performance.now() - startedAt;
      const state = { running: [...running], busy, sinceStartMs, processors: availableParallelism() };
      if (!mayStart(waiting[0], state)) return;
      const file = waiting.shift()!;
      running.add(file);
      if (file.kind !== 'light') startedAt = performance.now();
      respond(file, 'begin');
    }
  };
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (bytes) => {
      const file = readRequest(String(bytes), socket);
      waiting.push(file);
      socket.once('close', () => {
        running.delete(file);
        const place = waiting.indexOf(file);
        if (place >= 0) waiting.splice(place, 1);
        admit();
      });
      admit();
    });
  });
  const timer = setInterval(() => {
    looks.push(readProcessorTimes());
    if (looks.length > looksAveraged) looks.shift();
    admit();
  }, lookMs);
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const close = () => {
    clearInterval(timer);
    server.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { path, close };
}

/** @param line kind and absolute path. The path may contain spaces. */
function readRequest(line: string, socket: Socket): QueuedFile {
  const [kind, ...path] = line.split(' ');
  return { kind: kind as FileKind, path: path.join(' '), socket };
}

function respond({ socket }: QueuedFile, text: Answer): void {
  socket.write(text);
}

interface ProcessorTimes {
  readonly total: number;
  readonly idle: number;
}

/** Time of all processors since boot, in clock ticks, from the first line of `/proc/stat`. Zeros on other systems. */
function readProcessorTimes(): ProcessorTimes {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
    const ticks = line.trim().split(/\s+/).slice(1).map(Number);
    const [, , , idle = 0, waitingForDisk = 0] = ticks;
    return { total: ticks.reduce((sum, count) => sum + count, 0), idle: idle + waitingForDisk };
  } catch {
    return { total: 0, idle: 0 };
  }
}

/** Returns 0 to 1. Without two readings the result is 1, so that a run starts with the minimum number of files. */
function busyShare(from: ProcessorTimes, to: ProcessorTimes): number {
  const total = to.total - from.total;
  return total > 0 ? 1 - (to.idle - from.idle) / total : 1;
}
