// A task that several nodes share, with a real Redis, real processes and FFmpeg. When a node is killed or hangs, another node takes over
// within the limits. The target never receives data from two FFmpeg processes at the same time. More failure cases:
// `cluster-workers.long.test.ts`.
import { afterEach, describe, expect, it } from 'vitest';
import { type ClusterTrial, openClusterTrial } from '../src/testing/cluster-trial.ts';
import { hasRedis } from '../src/testing/redis-server.ts';

/** Maximum time until another node sends, milliseconds: 8 s of observing the lease, a renewal, the start of FFmpeg, and a busy machine. */
const takeoverMs = 15_000;

let trial: ClusterTrial;
afterEach(() => trial.close());

describe.skipIf(!hasRedis)('a task of a cluster', () => {
  it('moves to another node when its node is killed or hangs; never two senders at a time', async () => {
    trial = await openClusterTrial();
    await trial.start('a');
    await trial.nextRun(0);
    await trial.start('b');
    await trial.start('c');

    const killedMs = performance.now();
    trial.signal('a', 'SIGKILL');
    const takenMs = await trial.nextRun(killedMs);
    expect(takenMs - killedMs).toBeLessThan(takeoverMs);

    // The node stops, but its FFmpeg is a separate process and continues until the guard kills it.
    const holder = await trial.holder();
    const stoppedMs = performance.now();
    trial.signal(holder, 'SIGSTOP');
    expect((await trial.nextRun(stoppedMs)) - stoppedMs).toBeLessThan(takeoverMs);
    const other = await trial.holder();
    expect(other).not.toBe(holder);
    trial.signal(holder, 'SIGCONT');
    await trial.waitForLine(holder, 'stopping');

    // A node that shuts down releases the lease immediately.
    const endedMs = performance.now();
    trial.signal(other, 'SIGTERM');
    expect((await trial.nextRun(endedMs)) - endedMs).toBeLessThan(takeoverMs / 2);
    expect(await trial.holder()).toBe(holder);
    expect(trial.overlaps()).toEqual([]);
  });
});
