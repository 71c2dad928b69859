// Waits for a condition without an event by polling; bounded by the test's own timeout.
import { setTimeout as delay } from 'node:timers/promises';
import { patience } from '../../scripts/test-run/patience.ts';

/** First polling interval, milliseconds. */
const firstPauseMs = 50;
/** Maximum polling interval, milliseconds. The interval grows, because every poll is a call that keeps three processes busy. */
const longestPauseMs = 200;
const pauseGrowth = 1.3;
/** Timeout after which it fails with the name of the condition, milliseconds. */
const giveUpAfterMs = 60_000 * patience;

/** Resolves with the first truthy result of `ask`; rejects on a timeout with `what`. */
export async function until<T>(what: string, ask: () => Promise<T> | T): Promise<NonNullable<T>> {
  const deadline = performance.now() + giveUpAfterMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * pauseGrowth)) {
    const result = await ask();
    if (result) return result;
    if (performance.now() > deadline) throw new Error(`timed out while waiting until ${what}`);
    await delay(pauseMs);
  }
}
