// Sample entries contain the configuration that a decoder needs before the first sample. H.264 and HEVC: ISO/IEC 14496-15 §5.4.2 and
// §8.4.1; AV1: AV1-ISOBMFF §2.2; AAC: ISO/IEC 14496-14 §6.7; Opus: "Encapsulation of Opus in ISOBMFF" §4.3.
import { parseOpusConfig } from '../../codecs/opus.ts';
import type { AudioTrack, Track, VideoCodec, VideoTrack } from '../../track.ts';
import { box, fullBox, uint16, uint32, zeros } from './boxes.ts';

/** Sample entry and configuration box of each video codec. The box contains the configuration record of the track. */
const videoEntries: Partial<Record<VideoCodec, readonly [entry: string, config: string]>> = {
  h264: ['avc1', 'avcC'],
  h265: ['hvc1', 'hvcC'],
  av1: ['av01', 'av1C'],
};

/** Size of an OpusHead before the channel mapping, bytes, RFC 7845 §5.1. */
const opusMappingAt = 19;
/** Maximum size of an AudioSpecificConfig, bytes. A program element with all channels and a comment needs 400. */
const maxAacConfigBytes = 1024;
/** Largest rate in a 16.16 fixed-point field, Hz. */
const maxFixedPointRate = 0xffff;

/** Returns undefined for an unsupported codec, and for a missing or invalid configuration. */
export function sampleEntry(track: Track): Buffer | undefined {
  if (track.kind === 'video') return videoEntry(track);
  if (track.codec === 'aac') return aacEntry(track);
  return track.codec === 'opus' ? opusEntry(track) : undefined;
}

function videoEntry(track: VideoTrack): Buffer | undefined {
  const names = videoEntries[track.codec];
  if (names === undefined || track.config.length === 0) return undefined;
  const [entry, config] = names;
  const size = uint16(track.width, track.height);
  // Constants of VisualSampleEntry (§12.1.3): 72 dpi, one frame per sample, no name, 24 bits without alpha.
  const constants = [uint32(0x00480000, 0x00480000, 0), uint16(1), zeros(32), uint16(0x18, 0xffff)];
  return box(entry, reference, zeros(16), size, ...constants, box(config, track.config));
}

/** Six reserved bytes and the data reference index, §8.5.2. */
const reference = Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]);

function audioEntry(name: string, track: AudioTrack, config: Buffer): Buffer {
  const rate = track.sampleRate > maxFixedPointRate ? 0 : track.sampleRate;
  return box(name, reference, zeros(8), uint16(track.channels, 16, 0, 0), uint16(rate, 0), config);
}

function aacEntry(track: AudioTrack): Buffer | undefined {
  const { length } = track.config;
  return length < 2 || length > maxAacConfigBytes ? undefined : audioEntry('mp4a', track, esds(track.config));
}

/** ES descriptor with the AudioSpecificConfig, ISO/IEC 14496-1 §7.2.6. */
function esds(config: Buffer): Buffer {
  const decoderSpecific = descriptor(0x05, config);
  // Object type 0x40 (MPEG-4 audio), stream type 5 (audio), no buffer size and no bitrates.
  const decoder = descriptor(0x04, Buffer.from([0x40, 0x15, 0, 0, 0]), uint32(0, 0), decoderSpecific);
  const layer = descriptor(0x06, Buffer.from([0x02]));
  return fullBox('esds', 0, 0, descriptor(0x03, uint16(0), Buffer.from([0]), decoder, layer));
}

/** Serializes tag, length in groups of seven bits, and payload. A long configuration needs two groups. */
function descriptor(tag: number, ...parts: readonly Buffer[]): Buffer {
  const payload = Buffer.concat(parts);
  const { length } = payload;
  const size = length < 0x80 ? [length] : [0x80 | (length >> 7), length & 0x7f];
  return Buffer.concat([Buffer.from([tag, ...size]), payload]);
}

function opusEntry(track: AudioTrack): Buffer | undefined {
  const head = parseOpusConfig(track.config);
  if (head === undefined) return undefined;
  const { config } = track;
  if (head.mappingFamily !== 0 && config.length < opusMappingAt + 2 + head.channels) return undefined;
  const mapping =
    head.mappingFamily === 0 ? zeros(0) : config.subarray(opusMappingAt, opusMappingAt + 2 + head.channels);
  const fields = [
    Buffer.from([0, head.channels]),
    uint16(head.preSkip),
    uint32(config.readUInt32LE(12)),
    uint16(config.readUInt16LE(16)),
    Buffer.from([head.mappingFamily]),
  ];
  return audioEntry('Opus', track, box('dOps', ...fields, mapping));
}
