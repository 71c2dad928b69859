// Reads the connections of publishers about ten times a second instead of per packet, while no reader needs each packet immediately.
// Meanwhile data accumulates in the kernel. On a server with many encoders, wake-ups use most of the CPU time.
import type { Socket } from 'node:net';
import { outsideSessions } from '../../session-scope.ts';

/** Pauses that end within this time end together, milliseconds: a larger value saves wake-ups but lengthens the pauses. */
const groupMs = 25;
/**
 * After `pause`, a `Readable` reads until its buffer has this size, bytes: with 1 that is one read; the default would be 64 KB in total.
 */
export const restingHighWaterMark = 1;

export class RestingReads {
  readonly #groups = new Map<number, { readonly sockets: Set<Socket>; readonly timer: NodeJS.Timeout }>();
  readonly #clock: () => number;

  /** @param clock monotonic milliseconds */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /**
   * Pauses the socket for this time, or slightly longer. Returns a function that ends the pause early; the function has no effect once the
   * pause is over, or after `close`.
   */
  rest(socket: Socket, ms: number): () => void {
    socket.pause();
    const sockets = this.#groupDueIn(ms);
    sockets.add(socket);
    return () => {
      if (sockets.delete(socket)) socket.resume();
    };
  }

  /** Resumes all sockets. Idempotent. */
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
