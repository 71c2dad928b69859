// Size of the length prefix of NAL units, from the configuration record. The hub supports only 4 bytes, which nearly every encoder uses.
import type { VideoCodec } from '../../track.ts';

export type LengthSize = 1 | 2 | 3 | 4;

/** Position of `lengthSizeMinusOne` (the low two bits): avcC ISO/IEC 14496-15 §5.3.3.1, hvcC §8.3.3.1. */
const lengthSizeOffset: Partial<Record<VideoCodec, number>> = { h264: 4, h265: 21 };

/** Returns 4 for codecs without NAL units and for truncated records. */
export function lengthSizeOf(codec: VideoCodec, config: Buffer): LengthSize {
  const byte = config[lengthSizeOffset[codec] ?? Number.POSITIVE_INFINITY];
  return byte === undefined ? 4 : (((byte & 3) + 1) as LengthSize);
}

/** Copies the record and sets the length size to 4 bytes. */
export function withFourByteLengthSize(codec: VideoCodec, config: Buffer): Buffer {
  const copy = Buffer.from(config);
  const offset = lengthSizeOffset[codec];
  if (offset !== undefined && offset < copy.length) copy[offset]! |= 3;
  return copy;
}
