// Requests that wait for media which is not there yet: a first segment, the next part. Bounded in number and time; who goes away
// costs nothing any more. Whoever waits for the same thing is answered in turns, so that the streams go on meanwhile.
import type { ServerResponse } from 'node:http';
import { addressGroup } from '@srs-stack/process/ip-address.ts';

export interface HeldFor {
  /** Of the viewer. */
  readonly ip: string;
  /** The viewer's own id, if it has one. */
  readonly session?: string | undefined;
  readonly timeoutMs: number;
  readonly isMet: () => boolean;
  /** Calls back whenever something has changed; returns the way off. */
  readonly onChange: (callback: () => void) => () => void;
}

/** `full`: too many wait already. */
export type HeldOutcome = 'met' | 'timeout' | 'gone' | 'full';

/** Requests that wait at one time: 10,000 players with a playlist and a part each, and as many about to be answered. */
const defaultMaxHeld = 32_768;
/** Of one address group: half of all, so that nobody takes every place; a router or proxy with 8,000 players behind it. */
const defaultMaxPerAddress = 16_384;
/** Of one session: a player waits for a playlist and a part of each of a few renditions. */
const defaultMaxPerSession = 16;
/** Requests answered before others get their turn: some milliseconds of work. */
const answeredPerTurn = 256;
/** Requests of one address group that are answered before another group gets its turn. */
const answeredPerGroup = 8;

export class HeldRequests {
  readonly #maxHeld: number;
  readonly #maxPerAddress: number;
  readonly #maxPerSession: number;
  readonly #byGroup = new Map<string, number>();
  readonly #bySession = new Map<string, number>();
  #held = 0;
  /** What can be answered, by address group; the group whose turn is next comes first. */
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

  /** Resolves when it is met, in vain, or left alone. Never rejects. */
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

  /** Nothing but what it needs: a thousand may wait, and each collection of garbage copies what they keep. */
  #wait(
    response: ServerResponse,
    group: string,
    { session, timeoutMs, isMet, onChange }: HeldFor,
  ): Promise<HeldOutcome> {
    return new Promise((resolve) => {
      let hasEnded = false;
      // Who waits for its turn may still leave.
      const end = (outcome: HeldOutcome): void => {
        if (hasEnded) return;
        hasEnded = true;
        off();
        clearTimeout(timer);
        response.off('close', onClose);
        this.#letGo(group, session);
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

  #letGo(group: string, session: string | undefined): void {
    this.#held--;
    add(this.#byGroup, group, -1);
    if (session !== undefined) add(this.#bySession, session, -1);
  }

  #inTurn(group: string, answer: () => void): void {
    this.#due.set(group, (this.#due.get(group) ?? new Set()).add(answer));
    if (!this.#hasTurn) this.#giveTurn();
  }

  #giveTurn(): void {
    this.#hasTurn = true;
    setImmediate(() => {
      const now: (() => void)[] = [];
      while (now.length < answeredPerTurn && this.#due.size > 0) this.#takeOfNextGroup(now);
      this.#hasTurn = false;
      if (this.#due.size > 0) this.#giveTurn();
      for (const answer of now) answer();
    });
  }

  /** Whoever has thousands waiting gets its turns among the others. */
  #takeOfNextGroup(now: (() => void)[]): void {
    const [group, answers] = this.#due.entries().next().value!;
    this.#due.delete(group);
    let count = 0;
    for (const answer of answers) {
      if (count++ === answeredPerGroup) break;
      answers.delete(answer);
      now.push(answer);
    }
    if (answers.size > 0) this.#due.set(group, answers);
  }
}

function add(counts: Map<string, number>, key: string, more: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + more;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
