// Preallocates the table of open files of a server in the kernel.
import { readFileSync } from 'node:fs';

/** File descriptors that a child always has: its three streams and the channel to its parent. */
export const firstFreeFile = 4;
/** File descriptor of the standard error, which is duplicated for the child. */
const errorOutput = 2;

/**
 * Entries to append to a child's `stdio`, after the first four, so that the kernel allocates its table of open files for `count` files at
 * once: unused entries, then one file with the highest number. Empty if the process may not open that many files.
 * Otherwise the kernel doubles the table at the 257th connection, the 513th and so on. In a process with several threads, all new
 * connections then wait until every processor has passed a quiescent state (Linux, `expand_fdtable`).
 */
export function roomForFiles(count: number, limit?: number): ('ignore' | number)[] {
  if (count <= firstFreeFile || count > (limit ?? openFilesLimit())) return [];
  return [...new Array<'ignore'>(count - 1 - firstFreeFile).fill('ignore'), errorOutput];
}

/** Limit of open files of this process and its children; 0 if the system does not report it. */
function openFilesLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return Number(soft ?? 0);
  } catch {
    return 0;
  }
}
