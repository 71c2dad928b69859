// Framing of SRT datagrams on a connection between two gateways: length of the rest (2 bytes), port (2), length of the address (1),
// address, datagram. Pure.
import type { DatagramSource } from '@srs-stack/engine';

const headBytes = 5;
/** Largest frame, bytes: a datagram of the largest MTU that SRT negotiates, and an address. */
const maxFrameBytes = 2 * 1024;

export function writeDatagramFrame(datagram: Buffer, { address, port }: DatagramSource): Buffer {
  const frame = Buffer.alloc(headBytes + address.length + datagram.length);
  frame.writeUInt16BE(frame.length - 2);
  frame.writeUInt16BE(port, 2);
  frame[4] = address.length;
  frame.write(address, headBytes, 'latin1');
  datagram.copy(frame, headBytes + address.length);
  return frame;
}

export class DatagramFrameReader {
  readonly #onDatagram: (datagram: Buffer, remote: DatagramSource) => void;
  #rest: Buffer = Buffer.alloc(0);

  constructor(onDatagram: (datagram: Buffer, remote: DatagramSource) => void) {
    this.#onDatagram = onDatagram;
  }

  /** Throws a `RangeError` for invalid frames. */
  read(bytes: Buffer): void {
    let rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    while (rest.length >= headBytes) {
      const frameBytes = 2 + rest.readUInt16BE();
      const addressEnd = headBytes + rest[4]!;
      if (frameBytes > maxFrameBytes || addressEnd > frameBytes)
        throw new RangeError('the frame around a datagram has an invalid length');
      if (rest.length < frameBytes) break;
      const address = rest.toString('latin1', headBytes, addressEnd);
      this.#onDatagram(rest.subarray(addressEnd, frameBytes), { address, port: rest.readUInt16BE(2) });
      rest = rest.subarray(frameBytes);
    }
    this.#rest = rest;
  }
}
