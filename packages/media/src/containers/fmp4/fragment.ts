// Writes one movie fragment (ISO/IEC 14496-12 §8.8): `moof` with the times and sizes of the samples, `mdat` with the sample bytes.
import { box, boxHeader, boxHeaderBytes, fullBox, uint32 } from './boxes.ts';

export interface FragmentSample {
  readonly payload: Buffer;
  /** Duration, in ticks of the track. */
  readonly duration: number;
  /** Presentation minus decode time, ticks; may be negative. */
  readonly compositionOffset: number;
  readonly isSync: boolean;
}

export interface FragmentTrack {
  readonly id: number;
  /** Decode time of the first sample, ticks; below 2^53. */
  readonly baseTime: number;
  readonly samples: readonly FragmentSample[];
}

/** `default-base-is-moof`, §8.8.7.1: offsets count from the start of the fragment. */
const defaultBaseIsMoof = 0x02_0000;
/** The fields of each sample of a `trun`, §8.8.8.1: duration, size, flags and composition offset. */
const sampleFields = 0x0f00;
const hasDataOffset = 0x01;
const bytesPerSample = 16;
/** Ranges of the fields; only invalid timestamps exceed them. */
const maxUint32 = 0xffff_ffff;
const maxInt32 = 0x7fff_ffff;
/** Version of `trun` with signed composition offsets, §8.8.8. */
const signedOffsets = 1;
/** Sample flags (§8.8.3.1) of a keyframe, and of a frame at which a decoder cannot start. */
const syncFlags = 0x0200_0000;
const dependentFlags = 0x0101_0000;

/** The bytes of a fragment; payloads are not copied. Tracks without samples are omitted. `sequence` counts from 1. */
export function writeFragment(sequence: number, tracks: readonly FragmentTrack[]): Buffer[] {
  const used = tracks.filter(({ samples }) => samples.length > 0);
  const payloads = used.flatMap(({ samples }) => samples.map(({ payload }) => payload));
  const dataBytes = payloads.reduce((total, { length }) => total + length, 0);
  const moof = writeMoof(sequence, used);
  return [moof, boxHeader('mdat', boxHeaderBytes + dataBytes), ...payloads];
}

function writeMoof(sequence: number, tracks: readonly FragmentTrack[]): Buffer {
  const moof = box('moof', fullBox('mfhd', 0, 0, uint32(sequence)), tracks.map(writeTrackFragment));
  // Written last, because the data offset of each track depends on the size of the `moof`.
  let dataAt = moof.length + boxHeaderBytes;
  let at = boxHeaderBytes + moof.readUInt32BE(boxHeaderBytes);
  for (const { samples } of tracks) {
    moof.writeUInt32BE(dataAt, at + dataOffsetAt);
    dataAt += samples.reduce((total, { payload }) => total + payload.length, 0);
    at += moof.readUInt32BE(at);
  }
  return moof;
}

const headerBytes = 16;
const decodeTimeBytes = 20;
/** Position of the data offset field in a `traf`. The 16 bytes are the header, flags and sample count of `trun`. */
const dataOffsetAt = boxHeaderBytes + headerBytes + decodeTimeBytes + 16;

function writeTrackFragment({ id, baseTime, samples }: FragmentTrack): Buffer {
  const header = fullBox('tfhd', 0, defaultBaseIsMoof, uint32(id));
  const decodeTime = fullBox('tfdt', 1, 0, uint32(Math.floor(baseTime / 2 ** 32), baseTime % 2 ** 32));
  const table = Buffer.allocUnsafe(samples.length * bytesPerSample);
  samples.forEach(({ duration, payload, isSync, compositionOffset }, index) => {
    const at = index * bytesPerSample;
    table.writeUInt32BE(Math.min(duration, maxUint32), at);
    table.writeUInt32BE(payload.length, at + 4);
    table.writeUInt32BE(isSync ? syncFlags : dependentFlags, at + 8);
    table.writeInt32BE(Math.max(-maxInt32, Math.min(compositionOffset, maxInt32)), at + 12);
  });
  const flags = sampleFields | hasDataOffset;
  return box('traf', header, decodeTime, fullBox('trun', signedOffsets, flags, uint32(samples.length, 0), table));
}
