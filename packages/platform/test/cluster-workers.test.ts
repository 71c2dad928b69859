// A task that several nodes share, with a real Redis, real processes and a real FFmpeg: a node that is killed or hangs loses it to
// another within the limits, and the target never gets two at a time. More bad days: `cluster-workers.long.test.ts`.
import { afterEach, describe, expect, it } from 'vitest';
import { type ClusterTrial, openClusterTrial } from '../src/testing/cluster-trial.ts';
import { hasRedis } from '../src/testing/redis-server.ts';

/** Until another node sends: the row is watched for 8 s, then a renewal, a start of FFmpeg, and a busy machine. */
const takeoverMs = 15_000;

let trial: ClusterTrial;
afterEach(() => trial.close());

describe.skipIf(!hasRedis)('a task of a cluster', () => {
  it('goes to another node when its node is killed, and when its node hangs; never two at a time', async () => {
    trial = await openClusterTrial();
    await trial.start('a');
    await trial.nextRun(0);
    await trial.start('b');
    await trial.start('c');

    const killedMs = performance.now();
    trial.signal('a', 'SIGKILL');
    const takenMs = await trial.nextRun(killedMs);
    expect(takenMs - killedMs).toBeLessThan(takeoverMs);

    // Its FFmpeg is a process of its own and goes on, until the guard beside it hears nothing more.
    const holder = await trial.holder();
    const stoppedMs = performance.now();
    trial.signal(holder, 'SIGSTOP');
    expect((await trial.nextRun(stoppedMs)) - stoppedMs).toBeLessThan(takeoverMs);
    const other = await trial.holder();
    expect(other).not.toBe(holder);
    trial.signal(holder, 'SIGCONT');
    await trial.says(holder, 'stopping');

    // One that ends in order gives it back at once.
    const endedMs = performance.now();
    trial.signal(other, 'SIGTERM');
    expect((await trial.nextRun(endedMs)) - endedMs).toBeLessThan(takeoverMs / 2);
    expect(await trial.holder()).toBe(holder);
    expect(trial.overlaps()).toEqual([]);
  });
});
