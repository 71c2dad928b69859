// Read pace of one connection to a publisher or a pulled RTSP source. While a reader of the stream needs each packet immediately, reads
// each packet on arrival. At other times, reads in batches.
import type { Socket } from 'node:net';
import { ReadPace } from './read-pace.ts';
import type { RestingReads } from './resting-reads.ts';

/** After `readNow`, data is read without pauses for this time, milliseconds. */
const readOnMs = 250;

export class PacedReads {
  readonly #socket: Socket;
  readonly #resting: RestingReads;
  readonly #clock: () => number;
  readonly #pace: ReadPace;
  #wake: (() => void) | undefined;
  #restsFromMs = Number.NEGATIVE_INFINITY;

  /** @param clock monotonic milliseconds */
  constructor(socket: Socket, { resting, clock }: { resting: RestingReads; clock: () => number }) {
    this.#socket = socket;
    this.#resting = resting;
    this.#clock = clock;
    this.#pace = new ReadPace(clock());
  }

  /** Records a read. `mayRest`: no reader needs each packet immediately, and nothing else has paused the socket. */
  onRead(bytes: number, mayRest: boolean): void {
    this.#pace.count(bytes);
    if (!mayRest) return;
    const now = this.#clock();
    const ms = now < this.#restsFromMs ? 0 : this.#pace.restMs(now);
    if (ms > 0) this.#wake = this.#resting.rest(this.#socket, ms);
  }

  /** Ends a pause and reads without pauses for a short time. Returns false when there was no pause since the last call. */
  readNow(): boolean {
    if (this.#wake === undefined) return false;
    this.#wake();
    this.#wake = undefined;
    this.#restsFromMs = this.#clock() + readOnMs;
    return true;
  }
}
