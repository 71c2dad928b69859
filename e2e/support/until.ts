// Waits for a condition that has no event, by polling.
import { setTimeout as delay } from 'node:timers/promises';
import { patience } from '../../scripts/test-run/patience.ts';

/** First polling interval, milliseconds. */
const firstPauseMs = 50;
/** Maximum polling interval, milliseconds. The interval grows, because every poll keeps three processes busy. */
const longestPauseMs = 200;
const pauseGrowth = 1.3;
/** Timeout of the wait, milliseconds. The error message contains the name of the condition. */
const giveUpAfterMs = 60_000 * patience;

/** Calls `ask` until it returns a truthy value, and resolves with this value. Rejects after a timeout with `what` in the message. */
export async function until<T>(what: string, ask: () => Promise<T> | T): Promise<NonNullable<T>> {
  const deadline = performance.now() + giveUpAfterMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * pauseGrowth)) {
    const result = await ask();
    if (result) return result;
    if (performance.now() > deadline) throw new Error(`timed out while waiting until ${what}`);
    await delay(pauseMs);
  }
}
