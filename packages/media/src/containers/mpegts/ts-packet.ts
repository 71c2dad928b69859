// Constants of MPEG-TS (ISO/IEC 13818-1) that muxer and demuxer share.
//
//   8 sync=47 | 1 error | 1 unit start | 1 priority | 13 PID | 2 scrambling | 1 adaptation field | 1 payload | 4 continuity

export const tsPacketSize = 188;
export const tsSyncByte = 0x47;
export const tsHeaderSize = 4;
export const patPid = 0;

/** stream_type of the program map table, ISO/IEC 13818-1 Table 2-34. */
export const tsStreamType = {
  mpeg1Audio: 0x03,
  mpeg2Audio: 0x04,
  privatePes: 0x06,
  aacAdts: 0x0f,
  aacLatm: 0x11,
  h264: 0x1b,
  h265: 0x24,
  /** ATSC A/53 Part 3. */
  ac3: 0x81,
  eac3: 0x87,
} as const;

/** Ticks per millisecond of PTS, DTS and PCR base. */
export const ticksPerMs = 90;
/** PTS, DTS and PCR base have 33 bits. */
export const timestampModulus = 2 ** 33;

/** Milliseconds to 90 kHz ticks modulo 2^33. */
export function toTicks(ms: number): number {
  const ticks = Math.round(ms * ticksPerMs) % timestampModulus;
  return ticks < 0 ? ticks + timestampModulus : ticks;
}
