// Requests that wait for media which is not there yet: a first segment, the next part. Bounded in number and time; who goes away
// costs nothing any more. Whoever waits for the same thing is answered in turns, so that the streams go on meanwhile.
import type { ServerResponse } from 'node:http';

export interface HeldFor {
  /** Of the viewer. */
  readonly ip: string;
  readonly timeoutMs: number;
  readonly isMet: () => boolean;
  /** Calls back whenever something has changed; returns the way off. */
  readonly onChange: (callback: () => void) => () => void;
}

/** `full`: too many wait already. */
export type HeldOutcome = 'met' | 'timeout' | 'gone' | 'full';

/** Requests that wait at one time: 10,000 players with a playlist and a part each, and as many about to be answered. */
const defaultMaxHeld = 32_768;
/** Of one address: half of all, so that nobody takes every place; a router or proxy with 8,000 players behind it. */
const defaultMaxPerAddress = 16_384;
/** Requests answered before others get their turn: some milliseconds of work. */
const answeredPerTurn = 256;

export class HeldRequests {
  readonly #maxHeld: number;
  readonly #maxPerAddress: number;
  readonly #byAddress = new Map<string, number>();
  #held = 0;
  #due: (() => void)[] = [];
  #hasTurn = false;

  constructor({ maxHeld = defaultMaxHeld, maxPerAddress = defaultMaxPerAddress } = {}) {
    this.#maxHeld = maxHeld;
    this.#maxPerAddress = maxPerAddress;
  }

  get count(): number {
    return this.#held;
  }

  /** Resolves when it is met, in vain, or left alone. Never rejects. */
  hold(response: ServerResponse, held: HeldFor): Promise<HeldOutcome> {
    if (held.isMet()) return Promise.resolve('met');
    if (response.destroyed) return Promise.resolve('gone');
    const ofAddress = this.#byAddress.get(held.ip) ?? 0;
    if (this.#held >= this.#maxHeld || ofAddress >= this.#maxPerAddress) return Promise.resolve('full');
    this.#held++;
    this.#byAddress.set(held.ip, ofAddress + 1);
    return this.#wait(response, held);
  }

  /** Nothing but what it needs: a thousand may wait, and each collection of garbage copies what they keep. */
  #wait(response: ServerResponse, { ip, timeoutMs, isMet, onChange }: HeldFor): Promise<HeldOutcome> {
    return new Promise((resolve) => {
      let hasEnded = false;
      // Who waits for its turn may still leave.
      const end = (outcome: HeldOutcome): void => {
        if (hasEnded) return;
        hasEnded = true;
        off();
        clearTimeout(timer);
        response.off('close', onClose);
        this.#letGo(ip);
        resolve(outcome);
      };
      const onClose = (): void => end('gone');
      const off = onChange(() => {
        if (!isMet()) return;
        off();
        this.#inTurn(() => end(response.destroyed ? 'gone' : 'met'));
      });
      const timer = setTimeout(() => end('timeout'), timeoutMs);
      response.once('close', onClose);
    });
  }

  #letGo(ip: string): void {
    this.#held--;
    const left = this.#byAddress.get(ip)! - 1;
    if (left === 0) this.#byAddress.delete(ip);
    else this.#byAddress.set(ip, left);
  }

  #inTurn(answer: () => void): void {
    this.#due.push(answer);
    if (!this.#hasTurn) this.#giveTurn();
  }

  #giveTurn(): void {
    this.#hasTurn = true;
    setImmediate(() => {
      const now = this.#due.splice(0, answeredPerTurn);
      this.#hasTurn = false;
      if (this.#due.length > 0) this.#giveTurn();
      for (const answer of now) answer();
    });
  }
}
