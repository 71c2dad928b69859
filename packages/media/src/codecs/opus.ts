// Opus: the identification header (RFC 7845 §5.1) and the table of contents byte (RFC 6716 §3.1).

const magic = Buffer.from('OpusHead');
/** Output sample rate of every Opus decoder, Hz. */
export const opusSampleRate = 48_000;
/** Encoder delay of libopus, samples at 48 kHz. */
const defaultPreSkip = 312;
/** Longest duration of a packet, microseconds (RFC 6716 §3.2.5). */
const maxPacketDurationUs = 120_000;

export interface OpusConfig {
  readonly channels: number;
  readonly preSkip: number;
  /** 0: mono or stereo; 1: up to 8 channels in Vorbis order; 255: no order. */
  readonly mappingFamily: number;
}

/** Undefined for a truncated header, for a header without channels, and for data that is not an OpusHead. */
export function parseOpusConfig(header: Buffer): OpusConfig | undefined {
  if (header.length < 19 || !header.subarray(0, 8).equals(magic)) return undefined;
  const channels = header[9]!;
  return channels === 0 ? undefined : { channels, preSkip: header.readUInt16LE(10), mappingFamily: header[18]! };
}

/** Identification header of mapping family 0, for 1 or 2 channels. */
export function writeOpusConfig(channels: number): Buffer {
  const header = Buffer.alloc(19);
  magic.copy(header);
  header[8] = 1;
  header[9] = channels;
  header.writeUInt16LE(defaultPreSkip, 10);
  header.writeUInt32LE(opusSampleRate, 12);
  return header;
}

/** Duration of a packet, microseconds. 0 for an empty packet, and for a packet with an invalid duration above 120 ms. */
export function opusPacketDurationUs(packet: Buffer): number {
  if (packet.length === 0) return 0;
  const duration = frameDurationUs(packet[0]! >> 3) * frameCount(packet);
  return duration > maxPacketDurationUs ? 0 : duration;
}

function frameDurationUs(configuration: number): number {
  if (configuration < 12) return [10_000, 20_000, 40_000, 60_000][configuration & 3]!;
  if (configuration < 16) return [10_000, 20_000][configuration & 1]!;
  return [2_500, 5_000, 10_000, 20_000][configuration & 3]!;
}

function frameCount(packet: Buffer): number {
  const code = packet[0]! & 3;
  if (code === 0) return 1;
  return code < 3 ? 2 : (packet[1] ?? 0) & 0x3f;
}
