// The temporary folder for `npm test`, in memory if there is enough. Tests open hundreds of stores and flush each change, which takes
// longer on a disk than all computation.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

/** An in-memory file system of every Linux. It is sometimes too small, or mounted without execute permission. */
const memoryFileSystem = '/dev/shm';
/** Space reserved for parallel tests, bytes. They use some hundred megabytes. */
const roomBytes = 2 * 1024 ** 3;
/** Required free memory, bytes: eight products with browsers at a gigabyte each, and the reserved space. */
const freeMemoryBytes = 10 * 1024 ** 3;
/**
 * Name of a run's folder with the process id of the run. The name is short, because the path of a socket in the folder has at most 108
 * bytes.
 */
const namePattern = /^srs-stack-(\d+)$/;

export interface MemoryFolder {
  readonly path: string;
  remove(): void;
}

/**
 * Creates the folder of this run, and removes folders of killed runs. Returns undefined if there is too little memory, or if programs in
 * the folder cannot be executed. The tests then use the disk.
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

/** Checks that programs in the folder can be executed, as tests require. @throws Error if they cannot. */
function runFrom(folder: string): void {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n');
  chmodSync(program, 0o700);
  execFileSync(program);
  rmSync(program);
}
