// Nodes on a real Redis: each node lists the others, a killed node disappears, and an unsuitable node is refused with the reason.
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type NodeTable, nodeGoneMs } from '../store/node-table.ts';
import { openRedisStore } from '../store/redis/open-redis-store.ts';
import { hasRedis, startRedis, type TestRedis } from '../testing/redis-server.ts';
import { type NodeRegistryDeps, openNodeRegistry } from './node-registry.ts';

const log = pino({ level: 'silent' });
const address = { host: '10.0.0.1', port: 2444 };
const own = { version: '1.2.3', address, log, intervalMs: 50 };

describe.skipIf(!hasRedis)('nodes that share a store', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.dispose());
  beforeEach(async () => {
    await redis.client.flushall();
  });

  async function openTable(): Promise<NodeTable> {
    const options = { now: new Date(), log, knownId: undefined, knownIdFile: '' };
    const { store, nodes } = await openRedisStore(redis.cluster(), options);
    onTestFinished(() => store.close());
    return nodes;
  }

  async function startNode(id: string, changes: Partial<NodeRegistryDeps> = {}) {
    const registry = await openNodeRegistry({ id, name: `node ${id}`, ...own, table: await openTable(), ...changes });
    const stopping = new AbortController();
    const ended = registry.keep(stopping.signal);
    const stop = () => {
      stopping.abort();
      return ended;
    };
    onTestFinished(stop);
    return { registry, stop };
  }
  const namesOf = ({ registry }: Awaited<ReturnType<typeof startNode>>) => registry.list().map(({ name }) => name);

  it('see each other, changes, and nodes that leave', async () => {
    const a = await startNode('a');
    const heard: string[][] = [];
    a.registry.subscribe((nodes) => heard.push(nodes.map(({ name, state }) => `${name} ${state}`)));
    await vi.waitFor(() => expect(heard).toHaveLength(1));
    const load = {
      cpu: 0.5,
      cores: 2,
      memoryUsedBytes: 1,
      memoryTotalBytes: 2,
      receivedBps: 3,
      sentBps: 4,
      streams: 5,
      viewers: 6,
    };
    const b = await startNode('b');
    b.registry.reportMetrics(async () => ({ gateways: 2, load }));
    await b.registry.setState('draining');
    await vi.waitFor(() => expect(namesOf(a)).toEqual(['node a', 'node b']), 10_000);
    expect(namesOf(b)).toEqual(['node b', 'node a']);
    await vi.waitFor(
      () => expect(a.registry.list()[1]).toMatchObject({ gateways: 2, state: 'draining', load }),
      10_000,
    );
    expect(a.registry.list()[1]).toMatchObject({ id: 'b', isSelf: false, address, version: '1.2.3' });
    await b.stop();
    await vi.waitFor(() => expect(namesOf(a)).toEqual(['node a']), 10_000);
    expect(heard.at(-1)).toEqual(['node a running']);
    expect(heard).toContainEqual(['node a running', 'node b draining']);
  });

  it('disappear ten seconds after a kill, but not just after a start', async () => {
    await openTable();
    const row = { name: 'killed', address, version: '1.2.3', startedAt: '', gateways: 1, state: 'running', load: null };
    const [seconds, micros] = await redis.client.time();
    const almostGone = Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000) - nodeGoneMs + 1_500;
    const text = JSON.stringify({ ...row, clockAheadMs: 0 });
    await redis.client.hset('srs-stack:{test}:nodes', 'k', `${almostGone} 1 i ${text}`);
    let monotonicMs = 1_000;
    const a = await startNode('a', { monotonicMs: () => monotonicMs });
    await vi.waitFor(() => expect(namesOf(a)).toEqual(['node a', 'killed']));
    expect(a.registry.isGone('never seen')).toBe(false);
    await vi.waitFor(() => expect(namesOf(a)).toEqual(['node a']), 10_000);
    expect(await redis.client.hkeys('srs-stack:{test}:nodes')).toEqual(['a']);
    expect(a.registry.isGone('k')).toBe(false);
    monotonicMs += 13_000;
    expect([a.registry.isGone('k'), a.registry.isGone('a')]).toEqual([true, false]);
  });

  it('stay in the list while the store is unavailable', async () => {
    const table = await openTable();
    let isAway = false;
    const away = () => (isAway ? Promise.reject(new Error('away')) : undefined);
    const guarded: NodeTable = {
      look: () => away() ?? table.look(),
      beat: (row) => away() ?? table.beat(row),
      leave: (row) => away() ?? table.leave(row),
    };
    await startNode('b');
    let monotonicMs = 1_000;
    const a = await startNode('a', { table: guarded, monotonicMs: () => monotonicMs });
    await vi.waitFor(() => expect(namesOf(a)).toEqual(['node a', 'node b']), 10_000);
    isAway = true;
    await a.registry.setState('running');
    monotonicMs += 60_000;
    expect(namesOf(a)).toEqual(['node a', 'node b']);
    expect(a.registry.troubles()).toMatchObject([{ kind: 'registry-away' }]);
    isAway = false;
    await a.registry.setState('running');
    expect([a.registry.troubles(), a.registry.isGone('x')]).toEqual([[], false]);
  });

  it('are refused with the reason when clock or release differ too much', async () => {
    const wallMs = () => Date.now() + 3_600_000;
    await expect(startNode('late', { wallMs })).rejects.toThrow(
      /^Cannot start: the clock of this server is 3600 s ahead of the clock of the store/,
    );
    await expect(startNode('early', { wallMs: () => Date.now() - 60_000 })).rejects.toThrow('60 s behind');
    const a = await startNode('a');
    await vi.waitFor(() => expect(namesOf(a)).toEqual(['node a']));
    await expect(startNode('old', { version: '1.0.9' })).rejects.toThrow(
      'this server is release 1.0.9, and the node node a of the cluster is 1.2.3',
    );
    await startNode('next', { version: '1.3.0' });
  });

  it('report a clock that drifts while they run', async () => {
    let offMs = 0;
    const a = await startNode('a', { wallMs: () => Date.now() + offMs });
    expect(a.registry.troubles()).toEqual([]);
    offMs = 20_000;
    await a.registry.setState('running');
    expect(a.registry.troubles()).toMatchObject([{ kind: 'clock-off' }]);
  });

  it('detect that a copy of their data folder runs elsewhere, and do not overwrite its row', async () => {
    const first = await startNode('a', { wallMs: () => Date.now() - 1_000 });
    await vi.waitFor(() => expect(namesOf(first)).toHaveLength(1));
    const copy = await startNode('a', { name: 'the copy' });
    await copy.registry.setState('running');
    await first.registry.setState('running');
    expect(first.registry.troubles()).toEqual([{ kind: 'id-taken', byName: 'the copy' }]);
    expect(copy.registry.troubles()).toEqual([]);
    await first.stop();
    expect(await redis.client.hkeys('srs-stack:{test}:nodes')).toEqual(['a']);
  });

  it('ignore unreadable rows of another release', async () => {
    const a = await startNode('a');
    await vi.waitFor(() => expect(namesOf(a)).toEqual(['node a']));
    const [seconds] = await redis.client.time();
    await redis.client.hset('srs-stack:{test}:nodes', 'x', `${seconds}000 1 i {"name":`, 'y', 'odd');
    await a.registry.setState('running');
    expect(namesOf(a)).toEqual(['node a']);
  });
});

describe('a server whose store is a file', () => {
  it('is the only node', async () => {
    const registry = await openNodeRegistry({ id: 'a', name: 'alone', ...own, address: undefined, table: undefined });
    expect(registry.list()).toMatchObject([{ id: 'a', name: 'alone', isSelf: true, gateways: 1 }]);
    expect(['a', '', 'another'].map((id) => registry.isGone(id))).toEqual([false, true, true]);
    expect(registry.troubles()).toEqual([]);
  });
});
