// Detects the framing of H.264 or H.265 frames in a stream: length prefixes, which FLV requires, or start codes (Annex B), which some
// encoders send. A single message is not enough, because the length of a NAL unit of 256 to 511 bytes looks like a start code.
import type { LengthSize } from './nal-length.ts';

/** A score of this value, positive or negative, is certain. */
const certain = 3;

export class NalFraming {
  /** Size of a length prefix in bytes, from the configuration record. */
  lengthSize: LengthSize = 4;
  /** From `-certain` (start codes) to `certain` (length prefixes). */
  #score = 0;

  hasStartCodes(payload: Buffer): boolean {
    const code = startCodeSize(payload);
    if (code === 0 && this.#score === certain) return false;
    const addsUp = lengthsAddUp(payload, this.lengthSize);
    if (addsUp && code === 0)
      this.#score = certain; // only valid as lengths
    // A start code of four bytes would be the length 1, which is rare. A start code of three bytes would be a length of 256 to 511, which
    // is common.
    else if (!addsUp && code > 0) this.#score = Math.max(-certain, this.#score - (code === 4 ? certain : 1));
    if (code > 0 && addsUp) return this.#score === -certain; // one message is not sufficient
    return this.#score < 0;
  }
}

/** Size of a start code at the beginning, 3 or 4 bytes; 0 without a start code. */
export function startCodeSize(payload: Buffer): 0 | 3 | 4 {
  if (payload.length < 4 || payload[0] !== 0 || payload[1] !== 0) return 0;
  if (payload[2] === 1) return 3;
  return payload[2] === 0 && payload[3] === 1 ? 4 : 0;
}

/** True when each length leads to the next NAL unit, and the last length to the end or to zero padding. */
function lengthsAddUp(payload: Buffer, lengthSize: LengthSize): boolean {
  let offset = 0;
  while (offset + lengthSize < payload.length) {
    const size = payload.readUIntBE(offset, lengthSize);
    if (size === 0) break;
    const isHeader = (payload[offset + lengthSize]! & 0x80) === 0; // forbidden_zero_bit
    offset += lengthSize + size;
    if (!isHeader || offset > payload.length) return false;
  }
  return offset > 0 && payload.subarray(offset).every((byte) => byte === 0);
}
