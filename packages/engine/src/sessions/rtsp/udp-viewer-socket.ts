// Sends a broadcast to one viewer over UDP. A broadcast writes interleaved frames (RFC 2326 §10.12); the contents of the frames are sent as
// datagrams. Small bursts with pauses keep the initial GOP from overflowing the receiver's buffer.
import { Duplex } from 'node:stream';
import type { SendDatagrams } from '@srs-stack/rtc';

/** Datagrams per burst, and the pause after a burst, milliseconds: 70 Mbps at most. */
const burst = 32;
const pauseMs = 5;
const frameHeaderBytes = 4;

export class UdpViewerSocket extends Duplex {
  readonly #channels: ReadonlyMap<number, SendDatagrams>;
  #timer: NodeJS.Timeout | undefined;

  /** @param channels channels that the viewer has set up. Frames of all other channels are dropped. */
  constructor(channels: ReadonlyMap<number, SendDatagrams>) {
    super();
    this.#channels = channels;
  }

  override _read(): void {
    // The viewer sends nothing through this socket.
  }

  /** `chunk` contains whole frames. */
  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#sendFrom(chunk, 0, done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#timer);
    done(error);
  }

  #sendFrom(chunk: Buffer, start: number, done: (error?: Error | null) => void): void {
    let at = start;
    let left = burst;
    let hasRoom = true;
    while (hasRoom && left > 0 && at < chunk.length) {
      const datagrams = framesOfOneChannel(chunk, at, left);
      const sent = this.#channels.get(chunk[at + 1]!)?.(datagrams) ?? datagrams.length;
      for (const { length } of datagrams.slice(0, sent)) at += frameHeaderBytes + length;
      left -= sent;
      hasRoom = sent === datagrams.length;
    }
    if (at >= chunk.length && start === 0) done();
    else this.#timer = setTimeout(() => (at >= chunk.length ? done() : this.#sendFrom(chunk, at, done)), pauseMs);
  }
}

/** Contents of the consecutive frames from `start` that have one channel, at most `limit` frames. */
function framesOfOneChannel(chunk: Buffer, start: number, limit: number): Buffer[] {
  const channel = chunk[start + 1];
  const contents: Buffer[] = [];
  for (let at = start; at < chunk.length && chunk[at + 1] === channel && contents.length < limit; ) {
    const end = at + frameHeaderBytes + chunk.readUInt16BE(at + 2);
    contents.push(chunk.subarray(at + frameHeaderBytes, end));
    at = end;
  }
  return contents;
}
