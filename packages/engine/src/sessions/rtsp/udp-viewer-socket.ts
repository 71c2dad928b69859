// A viewer over UDP in the form that the broadcast needs: takes the bytes of an interleaved connection (RFC 2326 §10.12) and sends the
// contents of its frames as datagrams, a few at a time, so that a GOP at the start does not exceed the receiver's buffer.
import { Duplex } from 'node:stream';

/** Datagrams sent at once, and the pause after them in milliseconds: 70 Mbps at most. */
const burst = 32;
const pauseMs = 5;
const frameHeaderBytes = 4;

type SendDatagram = (channel: number, datagram: Buffer) => void;

export class UdpViewerSocket extends Duplex {
  readonly #send: SendDatagram;
  #timer: NodeJS.Timeout | undefined;

  constructor(send: SendDatagram) {
    super();
    this.#send = send;
  }

  override _read(): void {
    // Nothing is read from it.
  }

  /** A chunk has whole frames. */
  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#sendFrom(chunk, 0, done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#timer);
    done(error);
  }

  #sendFrom(chunk: Buffer, start: number, done: (error?: Error | null) => void): void {
    let at = start;
    for (let count = 0; count < burst && at < chunk.length; count++) {
      const end = at + frameHeaderBytes + chunk.readUInt16BE(at + 2);
      this.#send(chunk[at + 1]!, chunk.subarray(at + frameHeaderBytes, end));
      at = end;
    }
    if (at >= chunk.length && start === 0) done();
    else this.#timer = setTimeout(() => (at >= chunk.length ? done() : this.#sendFrom(chunk, at, done)), pauseMs);
  }
}
