// Writes that survive a power failure: a reader sees either the old or the new content, and after the call the new one.
import { spawn } from 'node:child_process';
import { mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { flushToDisk, writeFileAtomically } from '@srs-stack/process/atomic-file.ts';

/** Replaces a whole file, readable by the owner only; creates its folder if needed. */
export async function writeDurably(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFileAtomically(path, content, 0o600);
}

/** Renames within one folder and flushes the folder, so that the new name survives a power failure. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await flushToDisk(dirname(to));
}

/**
 * Flushes all written data of the file system of `path`, for trees of thousands of files before they are renamed. Without the program
 * `sync` (part of every Linux) only the rename is flushed.
 */
export function flushFileSystem(path: string): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn('sync', ['--file-system', path], { stdio: 'ignore' });
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
}
