// Determines from the exit of a program which of its limits was exceeded.

export type LimitReached = 'memory' | 'cpu' | 'file';

/** Messages of FFmpeg, which handles the kernel's signals itself and prints their number; the numbers are those of Linux. */
const signs: readonly (readonly [LimitReached, RegExp])[] = [
  ['cpu', /\bSIGXCPU\b|received signal 24\b/],
  ['file', /\bSIGXFSZ\b|received signal 25\b|File too large/],
  ['memory', /Cannot allocate memory|malloc of size \d+ failed|std::bad_alloc|out of memory/i],
];

/** The limit that a program exceeded, from its exit signal and its last output lines; undefined when it exited for another reason. */
export function limitReached(signal: string | null, lines: readonly string[]): LimitReached | undefined {
  const words = [signal ?? '', ...lines];
  return signs.find(([, pattern]) => words.some((line) => pattern.test(line)))?.[0];
}
