// V8's garbage collection on demand, for the few places that know better when it costs nothing.
import v8 from 'node:v8';
import vm from 'node:vm';

type Collect = (options: { type: 'minor' | 'major' }) => void;
let collect: Collect | undefined;

/** `minor`: of what is young, below a millisecond. `all`: everything, tens of milliseconds. Nothing where the engine offers none. */
export function collectGarbage(what: 'minor' | 'all'): void {
  collect ??= findCollect();
  collect({ type: what === 'minor' ? 'minor' : 'major' });
}

/** Node offers it behind a flag alone, which is set for the moment of asking: no other code sees `gc`. */
function findCollect(): Collect {
  v8.setFlagsFromString('--expose-gc');
  const found = vm.runInNewContext('globalThis.gc') as Collect | undefined;
  v8.setFlagsFromString('--no-expose-gc');
  return found ?? (() => undefined);
}
