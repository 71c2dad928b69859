// Frees the buffers of a long transfer while they are young. The engine counts only the small handles of received chunks
// towards the next quick collection, not the 64 KB behind each: left alone, 64 MB gather until it walks the whole heap.
import v8 from 'node:v8';
import vm from 'node:vm';

type Collect = (options: { type: 'minor' }) => void;

/** Runs one quick collection, below a millisecond; nothing where the engine offers none. */
export function createYoungCollection(): () => void {
  let collect: Collect | undefined;
  return () => {
    collect ??= findCollect();
    collect({ type: 'minor' });
  };
}

function findCollect(): Collect {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('globalThis.gc') as Collect | undefined;
  v8.setFlagsFromString('--no-expose-gc');
  return collect ?? (() => undefined);
}
