// Converts a chunk stream to messages (RTMP 1.0 §5.3). After `push`, call `next` until it returns undefined. A message that arrives
// at once in one chunk is a slice of the received bytes; any other message is copied. `allowChunks` bounds the work.
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
/** Longest message whose memory is allocated immediately, bytes. A longer message grows as data arrives, so a header alone costs little. */
const allocateAtOnceBytes = 64 * 1024;
/** Memory limit of unfinished messages per connection, as a multiple of the longest message. */
const maxBufferedMessages = 2;
const noBytes = Buffer.alloc(0);

export class ChunkReader {
  #data: Buffer = noBytes;
  #offset = 0;
  #chunkSize = defaultChunkSize;
  #maxMessageBytes: number;
  #partialBytes = 0;
  #current: ChunkStreamState | undefined;
  #chunkLeft = 0;
  #chunksAllowed = Number.POSITIVE_INFINITY;
  readonly #streams = new Map<number, ChunkStreamState>();

  constructor(maxMessageBytes: number) {
    this.#maxMessageBytes = maxMessageBytes;
  }

  /** Changes the longest accepted message, bytes. An authorized publisher may send longer messages. */
  allowMessageBytes(maxMessageBytes: number): void {
    this.#maxMessageBytes = maxMessageBytes;
  }

  /** Allows `count` more chunks until the next call. Without a call there is no limit. */
  allowChunks(count: number): void {
    this.#chunksAllowed = count;
  }

  spendChunks(count: number): void {
    this.#chunksAllowed -= count;
  }

  get mayRead(): boolean {
    return this.#chunksAllowed > 0;
  }

  /** The chunk limit was reached while pushed bytes are still unread. */
  get isHeldBack(): boolean {
    return this.#chunksAllowed <= 0 && this.#offset < this.#data.length;
  }

  /** Unread input and memory of unfinished messages, bytes. */
  get bufferedBytes(): number {
    return this.#data.length - this.#offset + this.#partialBytes;
  }

  push(data: Buffer): void {
    const unread = this.#data.length - this.#offset;
    this.#data = unread === 0 ? data : Buffer.concat([this.#data.subarray(this.#offset), data]);
    this.#offset = 0;
  }

  /**
   * Returns the next complete message. Undefined when more bytes are needed or the chunk limit is reached. After a `ProtocolError` the
   * reader cannot be used.
   */
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

  /** Releases the receive buffer, so that an idle connection holds no memory. */
  #releaseDrained(): void {
    if (this.#offset < this.#data.length) return;
    this.#data = noBytes;
    this.#offset = 0;
  }

  /** Reads the next chunk header. Returns false and consumes nothing while the header is incomplete. */
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

  /** Format 3 continues a message, or starts a message with the previous time difference. */
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
      // §5.3.1.2.4: a format 3 message after a format 0 message adds the timestamp of the format 0 message. No peer adds an extended
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

  /** Reserves memory for `bytes` of the message. The memory of a long message doubles while the message arrives. */
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

  /** Handles messages of the chunk layer (§5.4). */
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
