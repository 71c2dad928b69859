// Splits a file into the parts of an upload.

/** Part size, bytes. An interruption loses only the running parts. Each running part takes this much memory. */
export const defaultPartBytes = 8 * 1024 ** 2;
/** Maximum number of parts in S3. Larger files have larger parts. */
const maxParts = 10_000;
/** Part sizes are multiples of this, bytes. */
const partStep = 1024 ** 2;

export interface Part {
  /** Part number, from 1. */
  readonly number: number;
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export function partBytesOf(sizeBytes: number, smallest: number): number {
  if (sizeBytes <= smallest * maxParts) return smallest;
  return Math.ceil(sizeBytes / maxParts / partStep) * partStep;
}

export function partsOf(sizeBytes: number, partBytes: number): Part[] {
  const count = Math.max(1, Math.ceil(sizeBytes / partBytes));
  return Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    start: index * partBytes,
    end: Math.min(sizeBytes, (index + 1) * partBytes),
  }));
}
