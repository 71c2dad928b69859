// Triggers V8's garbage collection at times when it costs nothing.
import v8 from 'node:v8';
import vm from 'node:vm';

type Collect = (options: { type: 'minor' | 'major' }) => void;
let collect: Collect | undefined;

/**
 * `minor`: the young generation, in less than a millisecond. `all`: everything, in tens of milliseconds. Does nothing if the engine does
 * not support it.
 */
export function collectGarbage(what: 'minor' | 'all'): void {
  collect ??= findCollect();
  collect({ type: what === 'minor' ? 'minor' : 'major' });
}

/** Node exposes `gc` only with a flag, which is set temporarily here, so that no other code gets it. */
function findCollect(): Collect {
  v8.setFlagsFromString('--expose-gc');
  const found = vm.runInNewContext('globalThis.gc') as Collect | undefined;
  v8.setFlagsFromString('--no-expose-gc');
  return found ?? (() => undefined);
}
