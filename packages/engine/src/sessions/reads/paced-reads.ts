// Reading pace of one publisher's connection: immediately while a reader needs each packet, otherwise in batches.
import type { Socket } from 'node:net';
import { ReadPace } from './read-pace.ts';
import type { RestingReads } from './resting-reads.ts';

/** After a flush, data is read as it arrives for this time, milliseconds, or until the connection ends. */
const readOnMs = 250;

export class PacedReads {
  readonly #socket: Socket;
  readonly #resting: RestingReads;
  readonly #clock: () => number;
  readonly #pace: ReadPace;
  /** Ends a pause; no effect when there is none. */
  #wake: (() => void) | undefined;
  #restsFromMs = Number.NEGATIVE_INFINITY;

  /** @param clock monotonic milliseconds */
  constructor(socket: Socket, { resting, clock }: { resting: RestingReads; clock: () => number }) {
    this.#socket = socket;
    this.#resting = resting;
    this.#clock = clock;
    this.#pace = new ReadPace(clock());
  }

  /** Records a read. `mayRest`: no reader needs more immediately, and nothing else has paused the socket. */
  onRead(bytes: number, mayRest: boolean): void {
    this.#pace.count(bytes);
    if (!mayRest) return;
    const now = this.#clock();
    const ms = now < this.#restsFromMs ? 0 : this.#pace.restMs(now);
    if (ms > 0) this.#wake = this.#resting.rest(this.#socket, ms);
  }

  /** Reads pending data, and then new data as it arrives for a short time. False when it was already doing so. */
  readNow(): boolean {
    if (this.#wake === undefined) return false;
    this.#wake();
    this.#wake = undefined;
    this.#restsFromMs = this.#clock() + readOnMs;
    return true;
  }
}
