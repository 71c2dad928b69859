// Parses headers of chunks (RTMP 1.0 §5.3.1) without consuming bytes. Undefined means that more bytes are needed.
//
//   basic header:   format (2 bits) chunk stream id (6 bits); id 0: 64 + next byte; id 1: 64 + next 2 bytes, little endian
//   message header: format 0: timestamp(3) length(3) type(1) message stream id(4, little endian)
//                   format 1: delta(3) length(3) type(1)    format 2: delta(3)    format 3: nothing
//   extended time:  4 bytes when the time field is ffffff; repeated in format 3 chunks by most peers, not by all

/** Chunk size of both directions by default (§5.4.1), bytes. */
export const defaultChunkSize = 128;
/** Value of the time field that announces an extended time field. */
export const extendedMarker = 0xffffff;
const messageHeaderBytes = [11, 7, 3, 0] as const;

/** State of one chunk stream between chunks. */
export interface ChunkStreamState {
  timestamp: number;
  /** Added to the timestamp when a format 3 header starts a message, milliseconds. */
  delta: number;
  length: number;
  typeId: number;
  streamId: number;
  /** Extended time of the last message header; undefined if the header had none. */
  extendedField: number | undefined;
  /** Buffer of the unfinished message. The first `received` bytes are filled. */
  partial: Buffer;
  received: number;
}

export function createChunkStream(): ChunkStreamState {
  return {
    timestamp: 0,
    delta: 0,
    length: 0,
    typeId: 0,
    streamId: 0,
    extendedField: undefined,
    partial: Buffer.alloc(0),
    received: 0,
  };
}

export interface BasicHeader {
  readonly format: number;
  readonly chunkStreamId: number;
  readonly length: number;
}

export function parseBasicHeader(data: Buffer, offset: number): BasicHeader | undefined {
  if (offset >= data.length) return undefined;
  const first = data[offset]!;
  const format = first >>> 6;
  const id = first & 0x3f;
  if (id >= 2) return { format, chunkStreamId: id, length: 1 };
  if (offset + id + 2 > data.length) return undefined;
  const chunkStreamId = 64 + (id === 0 ? data[offset + 1]! : data.readUInt16LE(offset + 1));
  return { format, chunkStreamId, length: id + 2 };
}

export interface ChunkHeader {
  /** Time field, milliseconds: a timestamp when `absolute`, else the difference to the previous message. */
  readonly time: number;
  readonly absolute: boolean;
  readonly extended: boolean;
  readonly length: number;
  readonly typeId: number;
  readonly streamId: number;
  /** Offset after the header, without the repeated extended time of format 3. */
  readonly end: number;
}

/** Copies omitted fields from `previous`. Returns undefined if bytes are missing. */
export function parseMessageHeader(
  data: Buffer,
  offset: number,
  format: number,
  previous: ChunkStreamState | undefined,
): ChunkHeader | undefined {
  const fieldsEnd = offset + messageHeaderBytes[format]!;
  if (fieldsEnd > data.length) return undefined;
  const field = format === 3 ? 0 : data.readUIntBE(offset, 3);
  const extended = field === extendedMarker;
  const end = extended ? fieldsEnd + 4 : fieldsEnd;
  if (end > data.length) return undefined;
  return {
    time: extended ? data.readUInt32BE(fieldsEnd) : field,
    absolute: format === 0,
    extended,
    length: format <= 1 ? data.readUIntBE(offset + 3, 3) : (previous?.length ?? 0),
    typeId: format <= 1 ? data[offset + 6]! : (previous?.typeId ?? 0),
    streamId: format === 0 ? data.readUInt32LE(offset + 7) : (previous?.streamId ?? 0),
    end,
  };
}

/**
 * Detects whether a format 3 chunk repeats the extended time, which old Flash Media Encoders omit. Compares the next four bytes with the
 * extended time; one differing byte means "absent".
 */
export function extendedRepeat(
  data: Buffer,
  offset: number,
  stream: ChunkStreamState,
): 'repeated' | 'absent' | 'unknown' {
  if (stream.extendedField === undefined) return 'absent';
  const available = Math.min(4, data.length - offset);
  for (let i = 0; i < available; i++) {
    if (data[offset + i] !== ((stream.extendedField >>> (24 - 8 * i)) & 0xff)) return 'absent';
  }
  return available === 4 ? 'repeated' : 'unknown';
}
