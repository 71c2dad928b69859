// A lossy network between two sides, in virtual time. Deterministic, without sockets or a real clock.
import type { RemoteAddress } from '../handshake/syn-cookie.ts';

export interface PathOptions {
  readonly seed: number;
  /** Share of datagrams lost in each direction, 0 to 1. */
  readonly loss: number;
  /** One-way delay, microseconds; `jitterUs` is the maximum random addition. */
  readonly delayUs: number;
  readonly jitterUs?: number;
  readonly duplicate?: number;
}

interface InFlight {
  readonly atUs: number;
  readonly order: number;
  readonly deliver: (nowUs: number) => void;
}

/** A seeded generator (mulberry32), so that a run can be repeated. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

export const callerAddress: RemoteAddress = { address: '192.0.2.7', port: 40_000 };

export class VirtualNetwork {
  nowUs = 1_000_000;
  sent = 0;
  lost = 0;
  readonly #options: PathOptions;
  readonly #random: () => number;
  readonly #flying: InFlight[] = [];
  #order = 0;

  constructor(options: PathOptions) {
    this.#options = options;
    this.#random = createRandom(options.seed);
  }

  send(datagram: Buffer, deliver: (datagram: Buffer, nowUs: number) => void): void {
    this.sent++;
    if (this.#random() < this.#options.loss) {
      this.lost++;
      return;
    }
    this.#enqueue(datagram, deliver);
    if (this.#random() < (this.#options.duplicate ?? 0)) this.#enqueue(datagram, deliver);
  }

  #enqueue(datagram: Buffer, deliver: (datagram: Buffer, nowUs: number) => void): void {
    const copy = Buffer.from(datagram);
    const atUs = this.nowUs + this.#options.delayUs + this.#random() * (this.#options.jitterUs ?? 0);
    this.#flying.push({ atUs, order: this.#order++, deliver: (nowUs) => deliver(copy, nowUs) });
  }

  run(durationUs: number, step: (nowUs: number) => void): void {
    const endUs = this.nowUs + durationUs;
    while (this.nowUs < endUs) {
      this.nowUs += 1000;
      const due = this.#flying
        .filter(({ atUs }) => atUs <= this.nowUs)
        .sort((a, b) => a.atUs - b.atUs || a.order - b.order);
      for (const item of due) {
        this.#flying.splice(this.#flying.indexOf(item), 1);
        item.deliver(this.nowUs);
      }
      step(this.nowUs);
    }
  }
}
