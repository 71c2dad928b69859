// Converts a chunk stream to messages (RTMP 1.0 §5.3). Pull parser: `push` bytes, then call `next` until it returns undefined. A message
// that arrives in one chunk is a slice of the received bytes; any other is copied once. `allowChunks` bounds the work.
import { ProtocolError } from '../../protocol-error.ts';
import {
  type ChunkHeader,
  type ChunkStreamState,
  createChunkStream,
  defaultChunkSize,
  extendedRepeat,
  parseBasicHeader,
  parseMessageHeader,
} from './chunk-header.ts';
import { messageType, type RtmpMessage } from './message.ts';

/** Maximum chunk streams per peer; encoders use at most eight. */
const maxChunkStreams = 64;
/** Messages up to this length are allocated immediately, bytes; longer ones grow as they arrive, so that a header alone costs little. */
const allocateAtOnceBytes = 64 * 1024;
/** Maximum memory of all unfinished messages of a connection, in messages of the maximum length. */
const maxBufferedMessages = 2;
const noBytes = Buffer.alloc(0);

export class ChunkReader {
  #data: Buffer = noBytes;
  #offset = 0;
  #chunkSize = defaultChunkSize;
  #maxMessageBytes: number;
  /** Memory of unfinished messages. */
  #partialBytes = 0;
  /** The chunk whose payload is being read, and its missing bytes. */
  #current: ChunkStreamState | undefined;
  #chunkLeft = 0;
  #chunksAllowed = Number.POSITIVE_INFINITY;
  readonly #streams = new Map<number, ChunkStreamState>();

  /** `maxMessageBytes`: longest accepted message. */
  constructor(maxMessageBytes: number) {
    this.#maxMessageBytes = maxMessageBytes;
  }

  /** Changes the longest accepted message, bytes: an authorized publisher may send longer ones. */
  allowMessageBytes(maxMessageBytes: number): void {
    this.#maxMessageBytes = maxMessageBytes;
  }

  /** Allows this many more chunks until the next call; without a call there is no limit. */
  allowChunks(count: number): void {
    this.#chunksAllowed = count;
  }

  /** Counts other work as this many chunks. */
  spendChunks(count: number): void {
    this.#chunksAllowed -= count;
  }

  /** Chunks are still allowed. */
  get mayRead(): boolean {
    return this.#chunksAllowed > 0;
  }

  /** There may be unread messages in the pushed bytes, because the chunk limit was reached. */
  get isHeldBack(): boolean {
    return this.#chunksAllowed <= 0 && this.#offset < this.#data.length;
  }

  /** Bytes held: unread input and memory of unfinished messages. */
  get bufferedBytes(): number {
    return this.#data.length - this.#offset + this.#partialBytes;
  }

  push(data: Buffer): void {
    const unread = this.#data.length - this.#offset;
    this.#data = unread === 0 ? data : Buffer.concat([this.#data.subarray(this.#offset), data]);
    this.#offset = 0;
  }

  /** The next complete message, or undefined when more bytes are needed. After a `ProtocolError` the reader cannot be used. */
  next(): RtmpMessage | undefined {
    while (this.#chunksAllowed > 0 && (this.#current !== undefined || this.#readHeader())) {
      this.#chunksAllowed--;
      const message = this.#readPayload(this.#current!);
      if (message !== undefined && !this.#handleChunkControl(message)) return message;
      if (this.#current !== undefined) break; // the rest of this chunk has not arrived
    }
    this.#releaseDrained();
    return undefined;
  }

  /** Releases the last read buffer of an idle connection. */
  #releaseDrained(): void {
    if (this.#offset < this.#data.length) return;
    this.#data = noBytes;
    this.#offset = 0;
  }

  /** Reads the next chunk header; returns false without consuming anything while it is incomplete. */
  #readHeader(): boolean {
    const basic = parseBasicHeader(this.#data, this.#offset);
    if (basic === undefined) return false;
    const stream = this.#streams.get(basic.chunkStreamId);
    const header = parseMessageHeader(this.#data, this.#offset + basic.length, basic.format, stream);
    if (header === undefined) return false;
    if (basic.format === 3) return this.#startContinuation(stream, header);
    if (stream === undefined && basic.format === 2)
      throw new ProtocolError('rtmp', 'the first message of a chunk stream has no length');
    if (stream !== undefined && stream.received > 0)
      throw new ProtocolError('rtmp', 'a new message begins in a chunk stream before the previous message is complete');
    this.#startMessage(stream ?? this.#openStream(basic.chunkStreamId), header);
    return true;
  }

  /** Format 3: the next part of a message, or a new message with the same time difference as the previous one. */
  #startContinuation(stream: ChunkStreamState | undefined, header: ChunkHeader): boolean {
    if (stream === undefined)
      throw new ProtocolError('rtmp', 'the first chunk of a chunk stream has no message header');
    const repeat = extendedRepeat(this.#data, header.end, stream);
    if (repeat === 'unknown') return false;
    this.#offset = repeat === 'repeated' ? header.end + 4 : header.end;
    if (stream.received === 0) {
      stream.timestamp = (stream.timestamp + stream.delta) >>> 0;
      this.#checkLength(stream);
    }
    this.#enterChunk(stream);
    return true;
  }

  #startMessage(stream: ChunkStreamState, header: ChunkHeader): void {
    this.#offset = header.end;
    stream.length = header.length;
    stream.typeId = header.typeId;
    stream.streamId = header.streamId;
    stream.extendedField = header.extended ? header.time : undefined;
    if (header.absolute) {
      stream.timestamp = header.time;
      // §5.3.1.2.4: a format 3 message directly after a format 0 message adds that message's timestamp. No peer does so with an extended
      // timestamp.
      stream.delta = header.extended ? 0 : header.time;
    } else {
      stream.timestamp = (stream.timestamp + header.time) >>> 0;
      stream.delta = header.time;
    }
    this.#checkLength(stream);
    this.#enterChunk(stream);
  }

  #checkLength(stream: ChunkStreamState): void {
    if (stream.length > this.#maxMessageBytes) {
      throw new ProtocolError(
        'rtmp',
        `message of ${stream.length} bytes is over the limit of ${this.#maxMessageBytes}`,
      );
    }
  }

  #enterChunk(stream: ChunkStreamState): void {
    this.#current = stream;
    this.#chunkLeft = Math.min(this.#chunkSize, stream.length - stream.received);
  }

  #openStream(id: number): ChunkStreamState {
    if (this.#streams.size >= maxChunkStreams) throw new ProtocolError('rtmp', 'too many chunk streams');
    const stream = createChunkStream();
    this.#streams.set(id, stream);
    return stream;
  }

  #readPayload(stream: ChunkStreamState): RtmpMessage | undefined {
    const start = this.#offset;
    const taken = Math.min(this.#chunkLeft, this.#data.length - start);
    this.#offset = start + taken;
    this.#chunkLeft -= taken;
    if (this.#chunkLeft === 0) this.#current = undefined;
    if (taken === stream.length) return toMessage(stream, this.#data.subarray(start, start + taken));
    if (taken === 0) return undefined;
    this.#reservePartial(stream, stream.received + taken);
    this.#data.copy(stream.partial, stream.received, start, start + taken);
    stream.received += taken;
    return stream.received === stream.length ? toMessage(stream, this.#takePartial(stream)) : undefined;
  }

  /** Ensures memory for at least `bytes` of the message: all of it when short, doubled as it arrives when long. */
  #reservePartial(stream: ChunkStreamState, bytes: number): void {
    const held = stream.partial.length;
    if (held >= bytes) return;
    const wanted = Math.min(stream.length, Math.max(allocateAtOnceBytes, held * 2, bytes));
    this.#partialBytes += wanted - held;
    if (this.#partialBytes > this.#maxMessageBytes * maxBufferedMessages) {
      throw new ProtocolError('rtmp', 'too many unfinished messages');
    }
    const grown = Buffer.allocUnsafe(wanted);
    stream.partial.copy(grown, 0, 0, stream.received);
    stream.partial = grown;
  }

  #takePartial(stream: ChunkStreamState): Buffer {
    const payload = stream.partial;
    this.#partialBytes -= payload.length;
    stream.partial = noBytes;
    stream.received = 0;
    return payload;
  }

  /** §5.4: messages of the chunk layer itself are handled here. */
  #handleChunkControl(message: RtmpMessage): boolean {
    if (message.typeId === messageType.setChunkSize) this.#setChunkSize(message.payload);
    else if (message.typeId === messageType.abort) this.#abort(message.payload);
    else return false;
    return true;
  }

  #setChunkSize(payload: Buffer): void {
    const size = payload.length < 4 ? 0 : payload.readUInt32BE(0) & 0x7fffffff;
    if (size === 0) throw new ProtocolError('rtmp', 'invalid chunk size');
    this.#chunkSize = size;
  }

  #abort(payload: Buffer): void {
    if (payload.length < 4) return; // contains no chunk stream id: nothing to abort
    const stream = this.#streams.get(payload.readUInt32BE(0));
    if (stream !== undefined) this.#takePartial(stream);
  }
}

function toMessage(stream: ChunkStreamState, payload: Buffer): RtmpMessage {
  return { typeId: stream.typeId, streamId: stream.streamId, timestamp: stream.timestamp, payload };
}
