// Determines from the exit of a program which limit the program exceeded.

export type LimitReached = 'memory' | 'cpu' | 'file';

/** Exit signals and messages for each limit. FFmpeg catches signals itself and prints the signal number. The numbers are those of Linux. */
const signs: readonly (readonly [LimitReached, RegExp])[] = [
  ['cpu', /\bSIGXCPU\b|received signal 24\b/],
  ['file', /\bSIGXFSZ\b|received signal 25\b|File too large/],
  ['memory', /Cannot allocate memory|malloc of size \d+ failed|std::bad_alloc|out of memory/i],
];

/** The limit that a program exceeded, from its exit signal and last output lines. Undefined for any other reason. */
export function limitReached(signal: string | null, lines: readonly string[]): LimitReached | undefined {
  const words = [signal ?? '', ...lines];
  return signs.find(([, pattern]) => words.some((line) => pattern.test(line)))?.[0];
}
