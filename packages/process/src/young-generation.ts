// Frees the buffers of a long transfer while they are young. The engine counts only the small handles of received pieces
// towards the next quick collection, not the 64 KB behind each: left alone, 64 MB gather until it walks the whole heap, and media
// wait meanwhile. What it is worth: docs/decisions/reverse-proxy.md.
import { collectGarbage } from './garbage-collector.ts';

/** Runs one quick collection, below a millisecond. */
export function collectYoungGeneration(): void {
  collectGarbage('minor');
}
