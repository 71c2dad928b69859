// Guesses at one password that wait for their turn: one is judged at a time, the least suspicious first, so that somebody who asks for the
// first time does not wait behind those who guess all day.
import { AppError } from '@srs-stack/contract';
import { maxWaitingGuesses } from './watch-limits.ts';

/** Who guesses. */
export interface Guesser {
  /** What counts as one address. */
  readonly group: string;
  /** Larger after more failures; see `LoginThrottle.suspicion`. */
  readonly suspicion: number;
}

interface Waiting extends Guesser {
  start(): void;
  giveUp(error: AppError): void;
}

export class GuessLine {
  /** In the order they came. */
  readonly #waiting: Waiting[] = [];
  #isJudging = false;

  /** Nobody is judged or waits. */
  get isIdle(): boolean {
    return !this.#isJudging;
  }

  /** Throws `serverBusy` when the line is full of guesses that are less suspicious, or becomes so. */
  async inTurn<Result>(guesser: Guesser, judge: () => Promise<Result>): Promise<Result> {
    if (this.#isJudging) await this.#wait(guesser);
    this.#isJudging = true;
    try {
      return await judge();
    } finally {
      const next = leastSuspicious(this.#waiting);
      if (next) {
        this.#waiting.splice(this.#waiting.indexOf(next), 1);
        next.start();
      } else this.#isJudging = false;
    }
  }

  #wait({ group, suspicion }: Guesser): Promise<void> {
    // Each further one of an address counts like a failure, so that an address which fills the line gives up its places first.
    const own = this.#waiting.filter((each) => each.group === group).length;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const guess: Waiting = { group, suspicion: suspicion + own, start: resolve, giveUp: reject };
    if (this.#waiting.length >= maxWaitingGuesses) this.#displaceFor(guess);
    this.#waiting.push(guess);
    return promise;
  }

  #displaceFor({ suspicion }: Waiting): void {
    const last = mostSuspicious(this.#waiting);
    if (!last || last.suspicion <= suspicion) throw busy();
    this.#waiting.splice(this.#waiting.indexOf(last), 1);
    last.giveUp(busy());
  }
}

function leastSuspicious(waiting: readonly Waiting[]): Waiting | undefined {
  return waiting.reduce<Waiting | undefined>(
    (best, each) => (best && best.suspicion <= each.suspicion ? best : each),
    undefined,
  );
}

/** Of equals the one that came last. */
function mostSuspicious(waiting: readonly Waiting[]): Waiting | undefined {
  return waiting.reduce<Waiting | undefined>(
    (worst, each) => (worst && worst.suspicion > each.suspicion ? worst : each),
    undefined,
  );
}

function busy(): AppError {
  return new AppError('serverBusy', undefined, { retryAfterSeconds: 1 });
}
