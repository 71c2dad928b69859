// The temporary folder of the tests of `npm test`, in memory where there is room: they open hundreds of stores and write each
// change through to the disk, which waits longer for the disk than it computes.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

/** A file system in memory that every Linux has, sometimes too small or without the right to run programs from it. */
const memoryFileSystem = '/dev/shm';
/** What tests that run side by side keep there at most is some hundred megabytes, bytes. */
const roomBytes = 2 * 1024 ** 3;
/** Eight products with browsers, a gigabyte each, and that room, bytes. */
const freeMemoryBytes = 10 * 1024 ** 3;
/** Short: sockets below it have 108 bytes for their path. The number is the process id of the run. */
const namePattern = /^srs-stack-(\d+)$/;

export interface MemoryFolder {
  /** Absolute. */
  readonly path: string;
  /** Removes it with all that tests left there. */
  remove(): void;
}

/**
 * Makes the folder of this run and removes what runs that were killed have left. Undefined where memory has no room for it, or
 * programs cannot be run from there: the tests are as good with a disk.
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

/** Tests put programs of their own into temporary folders. @throws Error where they could not be run. */
function runFrom(folder: string): void {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n');
  chmodSync(program, 0o700);
  execFileSync(program);
  rmSync(program);
}
