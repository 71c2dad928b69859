// Failures of the Redis server through which nodes share tasks: killed, slow, full, and disconnected from one node. The target never has
// two programs at a time. A node that cannot renew its lease ends the task in time.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { holdMs, takeAfterMs } from '../src/leases/lease-limits.ts';
import { type ClusterTrial, openClusterTrial } from '../src/testing/cluster-trial.ts';
import { hasRedis } from '../src/testing/redis-server.ts';
import { startTcpProxy, type TcpProxy } from '../src/testing/tcp-proxy.ts';

/** Additional time for a busy machine and the start of FFmpeg, milliseconds. */
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

  it('ends during a long outage of Redis, and is restarted by one node afterwards', async () => {
    await trial.start('a');
    await trial.nextRun(0);
    await trial.start('b');
    await trial.redis.kill();
    await trial.waitForLine('a', 'the store does not respond: stopping this task on this node');
    const runs = trial.runs;
    await sleep(holdMs);
    expect(trial.runs).toBe(runs);
    const backMs = performance.now();
    await trial.redis.restart();
    expect((await trial.nextRun(backMs)) - backMs).toBeLessThan(takeAfterMs + slackMs);
    expect(trial.overlaps()).toEqual([]);
  });

  it('continues during a short outage of Redis, and while it is slow', async () => {
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

  it('continues when Redis is full', async () => {
    await trial.start('a');
    await trial.nextRun(0);
    await trial.start('b');
    await trial.redis.client.config('SET', 'maxmemory', '1mb');
    await expect(trial.redis.client.set('filled', 'x'.repeat(10_000))).rejects.toThrow('OOM');
    await sleep(2 * takeAfterMs);
    expect(trial.runs).toBe(1);
    expect(await trial.holder()).toBe('a');
  });

  it('moves to another node when its own is disconnected from Redis, and never has two holders', async () => {
    proxy = await startTcpProxy(trial.redis.port);
    await trial.start('a', `redis://127.0.0.1:${proxy.port}`);
    await trial.nextRun(0);
    await trial.start('b');
    const cutMs = performance.now();
    proxy.isCut = true;
    await trial.waitForLine('a', 'the store does not respond: stopping this task on this node');
    expect((await trial.nextRun(cutMs)) - cutMs).toBeLessThan(takeAfterMs + slackMs);
    expect(await trial.holder()).toBe('b');
    proxy.isCut = false;
    await sleep(2 * takeAfterMs);
    expect(await trial.holder()).toBe('b');
    expect(trial.overlaps()).toEqual([]);
  });

  it('is never run twice when a killed Redis has lost the newest rows', async () => {
    await trial.start('a');
    await trial.nextRun(0);
    await trial.start('b');
    const { client } = trial.redis;
    // Simulates a failover to a Redis replica that never received the lease.
    await client.del('srs-stack:{test}:leases:rows');
    await trial.redis.restart();
    await trial.nextRun(performance.now());
    await sleep(takeAfterMs);
    expect(trial.overlaps()).toEqual([]);
  });
});
