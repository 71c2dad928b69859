// Converts RTMP messages to chunks and back (RTMP 1.0 §5.3). Writes full headers for the first chunk; reads all header formats.

export const messageType = { setChunkSize: 1, control: 4, audio: 8, video: 9, data: 18, command: 20 } as const;

const defaultChunkBytes = 128;
const headerBytes = 12;
const extendedTimestamp = 0xffffff;

export interface MessageHeader {
  /** Chunk stream id, 2 to 63. */
  readonly chunkStream: number;
  readonly type: number;
  readonly stream: number;
  readonly timestampMs: number;
}

/** Splits a message into chunks. A run must be shorter than 4.6 hours: the timestamp must stay below 2^24 ms. */
export function writeMessage(header: MessageHeader, body: Buffer, chunkBytes: number): Buffer {
  const chunks = Math.max(1, Math.ceil(body.length / chunkBytes));
  const bytes = Buffer.allocUnsafe(headerBytes + body.length + chunks - 1);
  bytes[0] = header.chunkStream;
  bytes.writeUIntBE(header.timestampMs, 1, 3);
  bytes.writeUIntBE(body.length, 4, 3);
  bytes[7] = header.type;
  bytes.writeUInt32LE(header.stream, 8);
  let at = headerBytes;
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    if (chunk > 0) bytes[at++] = 0xc0 | header.chunkStream;
    at += body.copy(bytes, at, chunk * chunkBytes, Math.min(body.length, (chunk + 1) * chunkBytes));
  }
  return bytes;
}

interface Incoming {
  length: number;
  type: number;
  isExtended: boolean;
  timestampMs: number;
  /** Timestamp delta for the next message that has no delta in its header. */
  deltaMs: number;
  parts: Buffer[];
  received: number;
}

const nothing: Incoming = {
  ...{ length: 0, type: 0, isExtended: false, timestampMs: 0, deltaMs: 0 },
  ...{ parts: [], received: 0 },
};

/** Assembles chunks to messages. */
export class ChunkReader {
  #chunkBytes = defaultChunkBytes;
  #rest: Buffer = Buffer.alloc(0);
  readonly #incoming = new Map<number, Incoming>();
  readonly #onMessage: (type: number, body: Buffer, timestampMs: number) => void;

  constructor(onMessage: (type: number, body: Buffer, timestampMs: number) => void) {
    this.#onMessage = onMessage;
  }

  push(bytes: Buffer): void {
    this.#rest = this.#rest.length ? Buffer.concat([this.#rest, bytes]) : bytes;
    while (this.#readChunk());
  }

  #readChunk(): boolean {
    const bytes = this.#rest;
    if (bytes.length < 2) return false;
    const format = bytes[0]! >> 6;
    const isLongId = (bytes[0]! & 63) === 0;
    const id = isLongId ? 64 + bytes[1]! : bytes[0]! & 63;
    const basic = isLongId ? 2 : 1;
    const fields = [11, 7, 3, 0][format]!;
    if (bytes.length < basic + fields) return false;

    const known = this.#incoming.get(id) ?? { ...nothing };
    const message = { ...known };
    if (format < 3) message.isExtended = bytes.readUIntBE(basic, 3) === extendedTimestamp;
    if (format < 2) {
      message.length = bytes.readUIntBE(basic + 3, 3);
      message.type = bytes[basic + 6]!;
    }
    const start = basic + fields + (message.isExtended ? 4 : 0);
    const size = Math.min(this.#chunkBytes, message.length - message.received);
    if (bytes.length < start + size) return false;

    if (message.received === 0) this.#setTime(message, format, start);
    message.parts = [...known.parts, bytes.subarray(start, start + size)];
    message.received += size;
    this.#rest = bytes.subarray(start + size);
    const isComplete = message.received === message.length;
    this.#incoming.set(id, isComplete ? { ...message, parts: [], received: 0 } : message);
    if (isComplete) this.#deliver(message, Buffer.concat(message.parts));
    return true;
  }

  /**
   * Sets the timestamp: format 0 contains a timestamp, formats 1 and 2 a delta, format 3 repeats the delta. `start` is
   * the offset of the first byte after the header.
   */
  #setTime(message: Incoming, format: number, start: number): void {
    const bytes = this.#rest;
    const basic = (bytes[0]! & 63) === 0 ? 2 : 1;
    if (format < 3) message.deltaMs = message.isExtended ? bytes.readUInt32BE(start - 4) : bytes.readUIntBE(basic, 3);
    message.timestampMs = format === 0 ? message.deltaMs : message.timestampMs + message.deltaMs;
    if (format === 0) message.deltaMs = 0;
  }

  #deliver({ type, timestampMs }: Incoming, body: Buffer): void {
    if (type === messageType.setChunkSize) this.#chunkBytes = body.readUInt32BE(0) & 0x7fffffff;
    else this.#onMessage(type, body, timestampMs);
  }
}
