// Bad days of the Redis that nodes share their tasks through: killed, slow, full, and cut off from one node. The target never gets two
// programs at a time, and a task whose node cannot prove that it has it ends in time.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { holdMs, takeAfterMs } from '../src/leases/lease-limits.ts';
import { type ClusterTrial, openClusterTrial } from '../src/testing/cluster-trial.ts';
import { hasRedis } from '../src/testing/redis-server.ts';
import { startTcpProxy, type TcpProxy } from '../src/testing/tcp-proxy.ts';

/** What a busy machine and a start of FFmpeg take beside the limits, milliseconds. */
const slackMs = 7_000;

describe.skipIf(!hasRedis)('a task of a cluster', () => {
  let trial: ClusterTrial;
  let proxy: TcpProxy | undefined;
  beforeEach(async () => {
    trial = await openClusterTrial();
  });
  afterEach(async () => {
    await trial.close();
    await proxy?.close();
    proxy = undefined;
  });
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  it('ends while Redis is away for long, and is begun again by one node when it is back', async () => {
    await trial.start('a');
    await trial.nextRun(0);
    await trial.start('b');
    await trial.redis.kill();
    await trial.says('a', 'the store does not respond: stopping this task here');
    const runs = trial.runs;
    await sleep(holdMs);
    expect(trial.runs).toBe(runs);
    const backMs = performance.now();
    await trial.redis.restart();
    expect((await trial.nextRun(backMs)) - backMs).toBeLessThan(takeAfterMs + slackMs);
    expect(trial.overlaps()).toEqual([]);
  });

  it('goes on when Redis is back soon, and while it is slow', async () => {
    proxy = await startTcpProxy(trial.redis.port);
    await trial.start('a', `redis://127.0.0.1:${proxy.port}`);
    await trial.nextRun(0);
    await trial.start('b');
    await trial.redis.restart();
    proxy.delayMs = 200;
    await sleep(2 * takeAfterMs);
    expect(trial.runs).toBe(1);
    expect(await trial.holder()).toBe('a');
  });

  it('goes on when Redis is full', async () => {
    await trial.start('a');
    await trial.nextRun(0);
    await trial.start('b');
    await trial.redis.client.config('SET', 'maxmemory', '1mb');
    await expect(trial.redis.client.set('filled', 'x'.repeat(10_000))).rejects.toThrow('OOM');
    await sleep(2 * takeAfterMs);
    expect(trial.runs).toBe(1);
    expect(await trial.holder()).toBe('a');
  });

  it('goes to another node when its own is cut off from Redis, and does not come back to a second holder', async () => {
    proxy = await startTcpProxy(trial.redis.port);
    await trial.start('a', `redis://127.0.0.1:${proxy.port}`);
    await trial.nextRun(0);
    await trial.start('b');
    const cutMs = performance.now();
    proxy.isCut = true;
    await trial.says('a', 'the store does not respond: stopping this task here');
    expect((await trial.nextRun(cutMs)) - cutMs).toBeLessThan(takeAfterMs + slackMs);
    expect(await trial.holder()).toBe('b');
    proxy.isCut = false;
    await sleep(2 * takeAfterMs);
    expect(await trial.holder()).toBe('b');
    expect(trial.overlaps()).toEqual([]);
  });

  it('goes to nobody twice when a Redis that was killed has lost the newest rows', async () => {
    await trial.start('a');
    await trial.nextRun(0);
    await trial.start('b');
    const { client } = trial.redis;
    // As after a failover to a replica that never heard of the lease.
    await client.del('srs-stack:{test}:leases:rows');
    await trial.redis.restart();
    await trial.nextRun(performance.now());
    await sleep(takeAfterMs);
    expect(trial.overlaps()).toEqual([]);
  });
});
