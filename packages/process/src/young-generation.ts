// Frees the buffers of a long transfer while they are young. The engine counts only the small handles of received pieces
// towards the next quick collection, not the 64 KB behind each: left alone, 64 MB gather until it walks the whole heap, and media
// wait meanwhile. What it is worth: docs/decisions/reverse-proxy.md.
import v8 from 'node:v8';
import vm from 'node:vm';

type Collect = (options: { type: 'minor' }) => void;
let collect: Collect | undefined;

/** Runs one quick collection, below a millisecond; nothing where the engine offers none. */
export function collectYoungGeneration(): void {
  collect ??= findCollect();
  collect({ type: 'minor' });
}

/** Node offers it behind a flag alone, which is set for the moment of asking: no other code sees `gc`. */
function findCollect(): Collect {
  v8.setFlagsFromString('--expose-gc');
  const found = vm.runInNewContext('globalThis.gc') as Collect | undefined;
  v8.setFlagsFromString('--no-expose-gc');
  return found ?? (() => undefined);
}
