// Connections of publishers nobody waits for are read some ten times a second instead of at each packet: on a server of many encoders
// most of the work is being woken for a packet. What comes meanwhile lies in the kernel.
import type { Socket } from 'node:net';
import { outsideSessions } from '../../session-scope.ts';

/** Connections whose rest ends within this time are woken together, milliseconds: as many groups as keep the work of one short. */
const groupMs = 25;
/** `Readable` reads on after `pause` until it holds this much, bytes: with one byte that is one read, the 64 KB of its own would be all that comes. */
export const restingHighWaterMark = 1;

export class RestingReads {
  readonly #groups = new Map<number, { readonly sockets: Set<Socket>; readonly timer: NodeJS.Timeout }>();
  readonly #clock: () => number;

  /** @param clock monotonic milliseconds */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Pauses the socket for so many milliseconds, or a little longer. Returns what ends that early; it does nothing once the rest is over, or `close` was called. */
  rest(socket: Socket, ms: number): () => void {
    socket.pause();
    const sockets = this.#groupDueIn(ms);
    sockets.add(socket);
    return () => {
      if (sockets.delete(socket)) socket.resume();
    };
  }

  /** All go on reading. Idempotent. */
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
