// Datagrams on a connection, the length of each before it in 2 bytes: how RTP, RTCP, DTLS and STUN travel over TCP (RFC 4571 §2, RFC 6544
// §10.1). Pure.
import { ProtocolError } from '../../protocol-error.ts';

const lengthBytes = 2;
const noBytes = Buffer.alloc(0);

export interface StreamFrameReaderOptions {
  /** A longer datagram is the peer's mistake, bytes: no more than that is ever kept. */
  readonly maxDatagramBytes: number;
  /** A view of the datagram. */
  readonly onDatagram: (datagram: Buffer) => void;
  /** A frame without a datagram, which keeps a connection open. */
  readonly onEmpty?: () => void;
}

export class StreamFrameReader {
  readonly #options: StreamFrameReaderOptions;
  #rest: Buffer = noBytes;

  constructor(options: StreamFrameReaderOptions) {
    this.#options = options;
  }

  /** Takes what came, cut anywhere. Throws ProtocolError when a frame is too long. */
  read(bytes: Buffer): void {
    const { maxDatagramBytes, onDatagram, onEmpty } = this.#options;
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    let at = 0;
    while (all.length - at >= lengthBytes) {
      const start = at + lengthBytes;
      const end = start + all.readUInt16BE(at);
      if (end - start > maxDatagramBytes) throw new ProtocolError('rtp', 'a frame longer than any datagram');
      if (all.length < end) break;
      if (end > start) onDatagram(all.subarray(start, end));
      else onEmpty?.();
      at = end;
    }
    // A copy: what it is cut from may be large, and the rest may wait for long.
    this.#rest = at === all.length ? noBytes : Buffer.from(all.subarray(at));
  }
}

/** @param datagram at most 65,535 bytes */
export function writeStreamFrame(datagram: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(lengthBytes + datagram.length);
  frame.writeUInt16BE(datagram.length);
  datagram.copy(frame, lengthBytes);
  return frame;
}
