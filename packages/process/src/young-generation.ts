// Frees the buffers of a long transfer while they are young. For its next minor collection V8 counts only the small handles of received
// chunks, not the 64 KB behind each. Without this, 64 MB accumulate until a full collection, which delays media. Measurements:
// docs/decisions/reverse-proxy.md.
import { collectGarbage } from './garbage-collector.ts';

/** Runs one minor collection, below a millisecond. */
export function collectYoungGeneration(): void {
  collectGarbage('minor');
}
