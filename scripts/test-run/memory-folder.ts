// The temporary folder for `npm test`, in memory if there is enough: the tests open hundreds of stores and flush each change, which takes
// longer than the computation.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

/** An in-memory file system of every Linux, sometimes too small or mounted without execute permission. */
const memoryFileSystem = '/dev/shm';
/** Space reserved for parallel tests, bytes: they use some hundred megabytes. */
const roomBytes = 2 * 1024 ** 3;
/** Free memory required, bytes: eight products with browsers at a gigabyte each, and that space. */
const freeMemoryBytes = 10 * 1024 ** 3;
/** Short, because the path of a socket below it has at most 108 bytes. The number is the process id of the run. */
const namePattern = /^srs-stack-(\d+)$/;

export interface MemoryFolder {
  /** Absolute path of the folder. */
  readonly path: string;
  /** Removes the folder with its content. */
  remove(): void;
}

/**
 * Creates the folder of this run and removes those of killed runs. Undefined when there is too little memory, or programs cannot be
 * executed there; the tests then use the disk.
 */
export function openMemoryFolder({ parent = memoryFileSystem, freeBytes = freemem() } = {}): MemoryFolder | undefined {
  const path = join(parent, `srs-stack-${process.pid}`);
  const remove = () => rmSync(path, { recursive: true, force: true });
  try {
    removeLeftovers(parent);
    const { bavail, bsize } = statfsSync(parent);
    if (freeBytes < freeMemoryBytes || bavail * bsize < roomBytes) return undefined;
    mkdirSync(path, { mode: 0o700 });
    runFrom(path);
    return { path, remove };
  } catch {
    remove();
    return undefined;
  }
}

function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = namePattern.exec(name)?.[1];
    if (pid && !isRunning(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Tests write programs into temporary folders. @throws Error when they cannot be executed there. */
function runFrom(folder: string): void {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n');
  chmodSync(program, 0o700);
  execFileSync(program);
  rmSync(program);
}
