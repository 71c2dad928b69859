// Queue of guesses at one password. Guesses are checked one at a time, least suspicious first: a new viewer does not wait behind persistent
// guessers.
import { AppError } from '@srs-stack/contract';
import { maxWaitingGuesses } from './watch-limits.ts';

/** The client of a guess. */
export interface Guesser {
  /** Key of the host. Addresses with equal keys count as one host. */
  readonly group: string;
  /** Higher after more failures, see `LoginThrottle.suspicion`. */
  readonly suspicion: number;
}

interface Waiting extends Guesser {
  start(): void;
  giveUp(error: AppError): void;
}

export class GuessLine {
  readonly #waiting: Waiting[] = [];
  #isJudging = false;

  /** True if no guess is being checked. */
  get isIdle(): boolean {
    return !this.#isJudging;
  }

  /** Throws `serverBusy` if the queue is full of less suspicious guesses. A guess that already waits can also lose its place. */
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
    // Every waiting guess of an address counts like a failure. An address that fills the queue therefore loses its places first.
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

/** The most suspicious guess; of equal guesses, the latest. */
function mostSuspicious(waiting: readonly Waiting[]): Waiting | undefined {
  return waiting.reduce<Waiting | undefined>(
    (worst, each) => (worst && worst.suspicion > each.suspicion ? worst : each),
    undefined,
  );
}

function busy(): AppError {
  return new AppError('serverBusy', undefined, { retryAfterSeconds: 1 });
}
