// Room for a server's connections in the kernel's table of its open files, from the start.
import { readFileSync } from 'node:fs';

/** Numbers that a child has anyway: its three streams and the channel to its parent. */
export const firstFreeFile = 4;
/** The child's error output, once more. */
const errorOutput = 2;

/**
 * What follows the first four entries of a child's `stdio` so that its table has room for `count` files: nothing, and at the end one file, whose number
 * makes the table as large as that. Otherwise the kernel doubles it for the 257th connection, the 513th and so on; in a process of several threads
 * that connection and all that come with it wait meanwhile until every processor has passed a quiescent state (Linux, `expand_fdtable`).
 * Empty where the process may not open as many.
 */
export function roomForFiles(count: number, limit?: number): ('ignore' | number)[] {
  if (count <= firstFreeFile || count > (limit ?? openFilesLimit())) return [];
  return [...new Array<'ignore'>(count - 1 - firstFreeFile).fill('ignore'), errorOutput];
}

/** What this process and its children may open now; 0 where the system does not tell. */
function openFilesLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return Number(soft ?? 0);
  } catch {
    return 0;
  }
}
