// The reading of one publisher's connection: as it comes while somebody waits for it, in pieces else.
import type { Socket } from 'node:net';
import { ReadPace } from './read-pace.ts';
import type { RestingReads } from './resting-reads.ts';

/** Who was asked for what it has sent is read as it comes for this long, milliseconds: until its goodbye, if it is one. */
const readOnMs = 250;

export class PacedReads {
  readonly #socket: Socket;
  readonly #resting: RestingReads;
  readonly #clock: () => number;
  readonly #pace: ReadPace;
  /** Ends a rest; of no effect when there is none. */
  #wake: (() => void) | undefined;
  #restsFromMs = Number.NEGATIVE_INFINITY;

  /** @param clock monotonic milliseconds */
  constructor(socket: Socket, { resting, clock }: { resting: RestingReads; clock: () => number }) {
    this.#socket = socket;
    this.#resting = resting;
    this.#clock = clock;
    this.#pace = new ReadPace(clock());
  }

  /** So much was read. Nobody waits for more at once when `mayRest`, and nobody else has paused the socket. */
  onRead(bytes: number, mayRest: boolean): void {
    this.#pace.count(bytes);
    if (!mayRest) return;
    const now = this.#clock();
    const ms = now < this.#restsFromMs ? 0 : this.#pace.restMs(now);
    if (ms > 0) this.#wake = this.#resting.rest(this.#socket, ms);
  }

  /** What has come is read, and what follows for a moment as it comes. False: so it is anyway. */
  readNow(): boolean {
    if (this.#wake === undefined) return false;
    this.#wake();
    this.#wake = undefined;
    this.#restsFromMs = this.#clock() + readOnMs;
    return true;
  }
}
