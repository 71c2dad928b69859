// Requests that wait for media: a first segment, the next part. Their number and time are limited. Responses for one event are spread over
// several turns of the event loop, so that media is processed in between.
import type { ServerResponse } from 'node:http';
import { addressGroup } from '@srs-stack/process/ip-address.ts';

export interface HeldFor {
  readonly ip: string;
  /** Session id of the viewer. */
  readonly session?: string | undefined;
  readonly timeoutMs: number;
  readonly isMet: () => boolean;
  /** Calls back on every change. Returns a function that unsubscribes. */
  readonly onChange: (callback: () => void) => () => void;
}

/** `gone`: the client has disconnected. `full`: a limit is reached. */
export type HeldOutcome = 'met' | 'timeout' | 'gone' | 'full';

/** Maximum number of waiting requests: a playlist and a part for each of 10,000 players, and additional requests during responses. */
const defaultMaxHeld = 32_768;
/** Maximum per address group: half of all places, so that no group uses all of them. Enough for a proxy with 8,000 players. */
const defaultMaxPerAddress = 16_384;
/** Maximum per session: a playlist and a part of a few renditions. */
const defaultMaxPerSession = 16;
/** Responses per turn of the event loop: a few milliseconds of work. */
const responsesPerTurn = 256;
/** Responses per address group before the next group. */
const responsesPerGroup = 8;

export class HeldRequests {
  readonly #maxHeld: number;
  readonly #maxPerAddress: number;
  readonly #maxPerSession: number;
  readonly #byGroup = new Map<string, number>();
  readonly #bySession = new Map<string, number>();
  #held = 0;
  /** Requests with a pending response by address group, in order of their turns. */
  readonly #due = new Map<string, Set<() => void>>();
  #hasTurn = false;

  constructor({
    maxHeld = defaultMaxHeld,
    maxPerAddress = defaultMaxPerAddress,
    maxPerSession = defaultMaxPerSession,
  } = {}) {
    this.#maxHeld = maxHeld;
    this.#maxPerAddress = maxPerAddress;
    this.#maxPerSession = maxPerSession;
  }

  get count(): number {
    return this.#held;
  }

  /** Resolves with the outcome: condition met, timeout, client disconnected, or limit reached. Never rejects. */
  hold(response: ServerResponse, held: HeldFor): Promise<HeldOutcome> {
    if (held.isMet()) return Promise.resolve('met');
    if (response.destroyed) return Promise.resolve('gone');
    const group = addressGroup(held.ip);
    if (this.#isFull(group, held.session)) return Promise.resolve('full');
    this.#held++;
    add(this.#byGroup, group, 1);
    if (held.session !== undefined) add(this.#bySession, held.session, 1);
    return this.#wait(response, group, held);
  }

  #isFull(group: string, session: string | undefined): boolean {
    if (this.#held >= this.#maxHeld || (this.#byGroup.get(group) ?? 0) >= this.#maxPerAddress) return true;
    return session !== undefined && (this.#bySession.get(session) ?? 0) >= this.#maxPerSession;
  }

  /** Keeps as little state as possible: thousands of requests may wait, and each garbage collection copies their state. */
  #wait(
    response: ServerResponse,
    group: string,
    { session, timeoutMs, isMet, onChange }: HeldFor,
  ): Promise<HeldOutcome> {
    return new Promise((resolve) => {
      let hasEnded = false;
      // The client may disconnect while the response waits for its turn.
      const end = (outcome: HeldOutcome): void => {
        if (hasEnded) return;
        hasEnded = true;
        off();
        clearTimeout(timer);
        response.off('close', onClose);
        this.#release(group, session);
        resolve(outcome);
      };
      const onClose = (): void => end('gone');
      const off = onChange(() => {
        if (!isMet()) return;
        off();
        this.#inTurn(group, () => end(response.destroyed ? 'gone' : 'met'));
      });
      const timer = setTimeout(() => end('timeout'), timeoutMs);
      response.once('close', onClose);
    });
  }

  #release(group: string, session: string | undefined): void {
    this.#held--;
    add(this.#byGroup, group, -1);
    if (session !== undefined) add(this.#bySession, session, -1);
  }

  #inTurn(group: string, respond: () => void): void {
    this.#due.set(group, (this.#due.get(group) ?? new Set()).add(respond));
    if (!this.#hasTurn) this.#runTurn();
  }

  #runTurn(): void {
    this.#hasTurn = true;
    setImmediate(() => {
      const now: (() => void)[] = [];
      while (now.length < responsesPerTurn && this.#due.size > 0) this.#takeOfNextGroup(now);
      this.#hasTurn = false;
      if (this.#due.size > 0) this.#runTurn();
      for (const respond of now) respond();
    });
  }

  /** Takes a few responses per group, so that a group with thousands of requests does not delay other groups. */
  #takeOfNextGroup(now: (() => void)[]): void {
    const [group, responses] = this.#due.entries().next().value!;
    this.#due.delete(group);
    let count = 0;
    for (const respond of responses) {
      if (count++ === responsesPerGroup) break;
      responses.delete(respond);
      now.push(respond);
    }
    if (responses.size > 0) this.#due.set(group, responses);
  }
}

function add(counts: Map<string, number>, key: string, more: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + more;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
