// Triggers V8's garbage collection, so that callers can choose a time when a pause is harmless.
import v8 from 'node:v8';
import vm from 'node:vm';

type Collect = (options: { type: 'minor' | 'major'; flavor?: 'last-resort' }) => void;
let collect: Collect | undefined;

/**
 * Runs the garbage collector, if V8 exposes it. `minor` collects the young generation in less than a millisecond. `all` collects everything
 * in tens of milliseconds.
 */
export function collectGarbage(what: 'minor' | 'all'): void {
  collect ??= findCollect();
  collect({ type: what === 'minor' ? 'minor' : 'major' });
}

/**
 * Runs a full collection, compacts the heap, and frees compiled code of functions that do not run. V8 compiles such a function again at its
 * next call. Takes about 0.2 s.
 */
export function collectCompiledCode(): void {
  collect ??= findCollect();
  v8.setFlagsFromString('--stress-flush-code');
  collect({ type: 'major', flavor: 'last-resort' });
  v8.setFlagsFromString('--no-stress-flush-code');
}

/** V8's `gc` function. A flag exposes it only during this lookup, so that no other code can call it. */
function findCollect(): Collect {
  v8.setFlagsFromString('--expose-gc');
  const found = vm.runInNewContext('globalThis.gc') as Collect | undefined;
  v8.setFlagsFromString('--no-expose-gc');
  return found ?? (() => undefined);
}
