// Frames of RTP, RTCP, DTLS and STUN on a TCP connection: each datagram follows a length prefix of 2 bytes (RFC 4571 §2, RFC 6544 §10.1).
import { ProtocolError } from '../../protocol-error.ts';

const lengthBytes = 2;
const noBytes = Buffer.alloc(0);
/** Frames read per turn of the event loop. A full read buffer (64 KB) has about 50 media frames, but can contain 32,768 empty frames. */
const framesPerTurn = 256;

export interface StreamFrameReaderOptions {
  /** Longest datagram, bytes. A longer datagram is an error of the peer. */
  readonly maxDatagramBytes: number;
  /** `datagram` is a view of the received bytes. */
  readonly onDatagram: (datagram: Buffer) => void;
  /** A frame without a datagram, which keeps a connection open. */
  readonly onEmpty?: () => void;
}

export class StreamFrameReader {
  readonly #options: StreamFrameReaderOptions;
  #rest: Buffer = noBytes;
  #isHeldBack = false;

  constructor(options: StreamFrameReaderOptions) {
    this.#options = options;
  }

  /** Some received data is unprocessed. Call `readOn` in a later turn of the event loop, before the next `read`. */
  get isHeldBack(): boolean {
    return this.#isHeldBack;
  }

  /** Takes received bytes, split anywhere. Throws ProtocolError when a frame is too long. */
  read(bytes: Buffer): void {
    this.#readFrames(this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]));
  }

  /** Processes the data that remains after `read`. Throws like `read`. */
  readOn(): void {
    this.#readFrames(this.#rest);
  }

  #readFrames(bytes: Buffer): void {
    const { maxDatagramBytes, onDatagram, onEmpty } = this.#options;
    let at = 0;
    let frames = 0;
    this.#isHeldBack = false;
    while (bytes.length - at >= lengthBytes) {
      if (frames++ >= framesPerTurn) {
        this.#isHeldBack = true;
        this.#rest = bytes.subarray(at);
        return;
      }
      const start = at + lengthBytes;
      const end = start + bytes.readUInt16BE(at);
      if (end - start > maxDatagramBytes)
        throw new ProtocolError('rtp', `a datagram on a TCP connection is longer than ${maxDatagramBytes} bytes`);
      if (bytes.length < end) break;
      if (end > start) onDatagram(bytes.subarray(start, end));
      else onEmpty?.();
      at = end;
    }
    // Copies the rest, because the source buffer may be large.
    this.#rest = at === bytes.length ? noBytes : Buffer.from(bytes.subarray(at));
  }
}

/** @param datagram at most 65,535 bytes */
export function writeStreamFrame(datagram: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(lengthBytes + datagram.length);
  frame.writeUInt16BE(datagram.length);
  datagram.copy(frame, lengthBytes);
  return frame;
}
