// Datagrams on a connection, the length of each before it in 2 bytes: how RTP, RTCP, DTLS and STUN travel over TCP (RFC 4571 §2, RFC 6544
// §10.1). Pure.
import { ProtocolError } from '../../protocol-error.ts';

const lengthBytes = 2;

export interface StreamFrameReaderOptions {
  /** A longer datagram is the peer's mistake, bytes: no more than that is ever kept. */
  readonly maxDatagramBytes: number;
  /** A view of what came. Empty frames carry none. */
  readonly onDatagram: (datagram: Buffer) => void;
}

export class StreamFrameReader {
  readonly #options: StreamFrameReaderOptions;
  #rest: Buffer = Buffer.alloc(0);

  constructor(options: StreamFrameReaderOptions) {
    this.#options = options;
  }

  /** Takes what came, cut anywhere. Throws ProtocolError when a frame is too long. */
  read(bytes: Buffer): void {
    const { maxDatagramBytes, onDatagram } = this.#options;
    let rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    while (rest.length >= lengthBytes) {
      const end = lengthBytes + rest.readUInt16BE();
      if (end - lengthBytes > maxDatagramBytes) throw new ProtocolError('rtp', 'a frame longer than any datagram');
      if (rest.length < end) break;
      if (end > lengthBytes) onDatagram(rest.subarray(lengthBytes, end));
      rest = rest.subarray(end);
    }
    // A copy: what it is cut from may be large, and the rest may wait for long.
    this.#rest = rest.length === 0 ? rest : Buffer.from(rest);
  }
}

/** @param datagram at most 65,535 bytes */
export function writeStreamFrame(datagram: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(lengthBytes + datagram.length);
  frame.writeUInt16BE(datagram.length);
  datagram.copy(frame, lengthBytes);
  return frame;
}
