// Reads connections to publishers and pulled RTSP sources about ten times a second while no reader needs each packet immediately. Data
// accumulates in the kernel during a pause. With many encoders, reading each packet would use most of the CPU time.
import type { Socket } from 'node:net';
import { outsideSessions } from '../../session-scope.ts';

/** Pauses that end within this time of each other end together, milliseconds. A larger value saves wake-ups but lengthens the pauses. */
const groupMs = 25;
/** Buffer size of the sockets, bytes. A paused `Readable` reads until its buffer is full: one read with 1 byte, 64 KB by default. */
export const restingHighWaterMark = 1;

export class RestingReads {
  readonly #groups = new Map<number, { readonly sockets: Set<Socket>; readonly timer: NodeJS.Timeout }>();
  readonly #clock: () => number;

  /** @param clock monotonic milliseconds */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /**
   * Pauses the socket for at least this time. The returned function ends the pause early, and does nothing after the pause or after
   * `close`.
   */
  rest(socket: Socket, ms: number): () => void {
    socket.pause();
    const sockets = this.#groupDueIn(ms);
    sockets.add(socket);
    return () => {
      if (sockets.delete(socket)) socket.resume();
    };
  }

  close(): void {
    for (const number of [...this.#groups.keys()]) this.#wake(number);
  }

  #groupDueIn(ms: number): Set<Socket> {
    const now = this.#clock();
    const number = Math.ceil((now + ms) / groupMs);
    const known = this.#groups.get(number);
    if (known) return known.sockets;
    const timer = outsideSessions(() => setTimeout(() => this.#wake(number), number * groupMs - now)).unref();
    const sockets = new Set<Socket>();
    this.#groups.set(number, { sockets, timer });
    return sockets;
  }

  #wake(number: number): void {
    const group = this.#groups.get(number);
    if (!group) return;
    this.#groups.delete(number);
    clearTimeout(group.timer);
    for (const socket of group.sockets) socket.resume();
    group.sockets.clear();
  }
}
