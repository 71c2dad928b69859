// Waits for a condition that has no event of its own, by asking again; the test's own timeout bounds it.
import { setTimeout as delay } from 'node:timers/promises';
import { patience } from '../../scripts/test-run/patience.ts';

/** Pause before the second question, milliseconds. */
const firstPauseMs = 50;
/** Each pause is longer than the last, up to this: every question is a call that three processes work at, milliseconds. */
const longestPauseMs = 200;
const pauseGrowth = 1.3;
/** A condition that is not met by then fails with its name, milliseconds. */
const giveUpAfterMs = 60_000 * patience;

/** Resolves with the first truthy answer of `ask`; rejects, naming `what`, when none comes. */
export async function until<T>(what: string, ask: () => Promise<T> | T): Promise<NonNullable<T>> {
  const deadline = performance.now() + giveUpAfterMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * pauseGrowth)) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await delay(pauseMs);
  }
}
