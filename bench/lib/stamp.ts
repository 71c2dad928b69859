// The stamp of every test frame: capture time and frame number, which the load tools parse.
//
//   "LSTMP" + 16 hex digits (CLOCK_MONOTONIC, microseconds) + 8 hex digits (frame number)
//
// Video has the stamp in an SEI NALU (user data unregistered, H.264 §D.1.7), audio at the start of the frame.

export const stampBytes = 29;
const word = 'LSTMP';

export interface Stamp {
  readonly atUs: number;
  readonly number: number;
}

export function nowUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

function hex(value: number, width: number): string {
  return value.toString(16).padStart(width, '0');
}

/** A stamp with the current time. */
export function stampText(frameNumber: number): string {
  return `${word}${hex(nowUs(), 16)}${hex(frameNumber >>> 0, 8)}`;
}

/** SEI NALU with the stamp. Its UUID field contains the size of all slices of the frame, which lets readers detect truncated frames. */
export function stampedSei(frameNumber: number, sliceBytes: number): Buffer {
  return Buffer.from(`\x06\x05\x2dLOADSIZE${hex(sliceBytes, 8)}${stampText(frameNumber)}\x80`, 'latin1');
}

/** The first stamp in the bytes; undefined when there is none. */
export function readStamp(bytes: Buffer): Stamp | undefined {
  const start = bytes.indexOf(word, 0, 'latin1');
  if (start < 0 || start + stampBytes > bytes.length) return undefined;
  const atUs = Number.parseInt(bytes.toString('latin1', start + 5, start + 21), 16);
  const number = Number.parseInt(bytes.toString('latin1', start + 21, start + 29), 16);
  return Number.isNaN(atUs) ? undefined : { atUs, number };
}
