// 31-bit packet sequence numbers and their circular order (draft-sharabayko-srt-01 §3.1).

/** Largest sequence number (31 bits). The next number is 0. */
export const maxSequenceNumber = 0x7fff_ffff;
const half = 0x3fff_ffff;

/** The number `step` after `sequence`. @param step may be negative; |step| < 2^30. */
export function addToSequence(sequence: number, step: number): number {
  return (sequence + step) & maxSequenceNumber;
}

/** Distance from `b` to `a`, in [-2^30, 2^30): positive when `a` is later. */
export function sequenceDistance(a: number, b: number): number {
  const forward = (a - b) & maxSequenceNumber;
  return forward <= half ? forward : forward - maxSequenceNumber - 1;
}

export function isSequenceBefore(a: number, b: number): boolean {
  return sequenceDistance(a, b) < 0;
}
