// Framing of a video access unit in a PES packet (ISO/IEC 13818-1 §2.14, §2.17). A delimiter comes first, then parameter sets for a
// keyframe that has none. Start codes replace lengths; both have 4 bytes, so sizes do not change.
import { h264NalType } from '../../codecs/h264.ts';
import { parseH264Config } from '../../codecs/h264-config.ts';
import { h265NalType } from '../../codecs/h265.ts';
import { parseH265Config } from '../../codecs/h265-config.ts';
import type { VideoTrack } from '../../track.ts';
import { tsStreamType } from './ts-packet.ts';

export interface VideoFraming {
  readonly streamType: number;
  readonly descriptors: Buffer;
  readonly delimiter: Buffer;
  /** Parameter sets with start codes; empty when the configuration is invalid. */
  readonly parameterSets: Buffer;
  classify(firstByte: number): 'delimiter' | 'parameter-set' | 'other';
}

export const startCode = Buffer.from([0, 0, 0, 1]);
const h264Delimiter = Buffer.from([0, 0, 0, 1, 9, 0xf0]);
const h265Delimiter = Buffer.from([0, 0, 0, 1, 0x46, 1, 0x50]);
const noDescriptors = Buffer.alloc(0);
/** registration_descriptor "HEVC", as other muxers write it. */
const hevcDescriptor = Buffer.from([5, 4, 0x48, 0x45, 0x56, 0x43]);

/** Undefined for a codec that MPEG-TS cannot carry (AV1, VP8, VP9). */
export function createVideoFraming({ codec, config }: VideoTrack): VideoFraming | undefined {
  if (codec === 'h264') return h264Framing(config);
  return codec === 'h265' ? h265Framing(config) : undefined;
}

function h264Framing(record: Buffer): VideoFraming {
  const config = parseH264Config(record);
  return {
    streamType: tsStreamType.h264,
    descriptors: noDescriptors,
    delimiter: h264Delimiter,
    parameterSets: withStartCodes([...(config?.sps ?? []), ...(config?.pps ?? [])]),
    classify(firstByte) {
      const type = firstByte & 0x1f;
      if (type === h264NalType.aud) return 'delimiter';
      return type === h264NalType.sps ? 'parameter-set' : 'other';
    },
  };
}

function h265Framing(record: Buffer): VideoFraming {
  return {
    streamType: tsStreamType.h265,
    descriptors: hevcDescriptor,
    delimiter: h265Delimiter,
    parameterSets: withStartCodes(parseH265Config(record)?.parameterSets ?? []),
    classify(firstByte) {
      const type = (firstByte >> 1) & 0x3f;
      if (type === h265NalType.aud) return 'delimiter';
      return type === h265NalType.sps ? 'parameter-set' : 'other';
    },
  };
}

function withStartCodes(units: readonly Buffer[]): Buffer {
  return Buffer.concat(units.flatMap((unit) => [startCode, unit]));
}
