// Frees the buffers of a long transfer early. V8 schedules minor collections by the small handles of received chunks, and ignores the 64 KB
// behind each handle. Without this module, 64 MB accumulate until a full collection, which delays media. Measurements:
// docs/decisions/reverse-proxy.md.
import { collectGarbage } from './garbage-collector.ts';

/** Runs a minor collection, which takes less than a millisecond. */
export function collectYoungGeneration(): void {
  collectGarbage('minor');
}
