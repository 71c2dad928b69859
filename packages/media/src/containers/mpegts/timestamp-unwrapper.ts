// Converts 33-bit timestamps to a continuous clock: a step of more than half the range is a wrap (every 26.5 hours).
import { ticksPerMs, timestampModulus } from './ts-packet.ts';

export class TimestampUnwrapper {
  #last: number | undefined;

  /** Milliseconds on a clock that does not wrap; negative if a step goes below zero. */
  toMs(ticks: number): number {
    const last = this.#last ?? ticks;
    const unwrapped = last + nearestStep(ticks - last);
    this.#last = unwrapped;
    return unwrapped / ticksPerMs;
  }
}

/** The smallest positive or negative step that equals `difference` modulo 2^33. */
function nearestStep(difference: number): number {
  const forward = ((difference % timestampModulus) + timestampModulus) % timestampModulus;
  return forward >= timestampModulus / 2 ? forward - timestampModulus : forward;
}
