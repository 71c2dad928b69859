// Triggers V8's garbage collection at times when it costs nothing.
import v8 from 'node:v8';
import vm from 'node:vm';

type Collect = (options: { type: 'minor' | 'major'; flavor?: 'last-resort' }) => void;
let collect: Collect | undefined;

/**
 * Runs the garbage collector. `minor` collects the young generation, in less than a millisecond; `all` everything, in tens of milliseconds.
 * Does nothing if the engine does not support it.
 */
export function collectGarbage(what: 'minor' | 'all'): void {
  collect ??= findCollect();
  collect({ type: what === 'minor' ? 'minor' : 'major' });
}

/**
 * Runs a full collection, compacts the heap, and frees the compiled code of functions that do not run; V8 compiles them again when they are
 * called. Takes about 0.2 s.
 */
export function collectCompiledCode(): void {
  collect ??= findCollect();
  v8.setFlagsFromString('--stress-flush-code');
  collect({ type: 'major', flavor: 'last-resort' });
  v8.setFlagsFromString('--no-stress-flush-code');
}

/** The `gc` function of V8. Node exposes it only with a flag, which is set temporarily here, so that no other code gets it. */
function findCollect(): Collect {
  v8.setFlagsFromString('--expose-gc');
  const found = vm.runInNewContext('globalThis.gc') as Collect | undefined;
  v8.setFlagsFromString('--no-expose-gc');
  return found ?? (() => undefined);
}
