// Writes that survive a power failure. A reader sees either the old or the new content; once the call has resolved, the new content.
import { spawn } from 'node:child_process';
import { mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { flushToDisk, writeFileAtomically } from '@srs-stack/process/atomic-file.ts';

/** Replaces a file, which only the owner may read. Creates its folder if needed. */
export async function writeDurably(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFileAtomically(path, content, 0o600);
}

/** Renames within a folder and flushes this folder, so that the new name survives a power failure. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await flushToDisk(dirname(to));
}

/**
 * Flushes all written data of the file system of `path`, before a rename of a folder with thousands of files. Every Linux has the required
 * program `sync`; without it only the rename is flushed.
 */
export function flushFileSystem(path: string): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn('sync', ['--file-system', path], { stdio: 'ignore' });
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
}
