// Preallocates the kernel's table of open files for a server.
import { readFileSync } from 'node:fs';

/** Number of file descriptors of every child: three standard streams and the channel to its parent. */
export const firstFreeFile = 4;
/** Standard error. A duplicate of this file gets the highest file number of the child. */
const errorOutput = 2;

/**
 * Entries to append to a child's `stdio` (after the first four), so that the kernel allocates its table for `count` open files at once. The
 * entries are unused, except the last, which is a file with the highest number. Empty if the process may not open that many files. Without
 * these entries, the kernel doubles the table at the 257th connection, the 513th and so on. In a process with several threads, all new
 * connections then wait until every processor has passed a quiescent state (Linux, `expand_fdtable`).
 */
export function roomForFiles(count: number, limit?: number): ('ignore' | number)[] {
  if (count <= firstFreeFile || count > (limit ?? openFilesLimit())) return [];
  return [...new Array<'ignore'>(count - 1 - firstFreeFile).fill('ignore'), errorOutput];
}

function openFilesLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return Number(soft ?? 0);
  } catch {
    return 0;
  }
}
