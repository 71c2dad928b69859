import { expect, it } from 'vitest';
import { mergedIdentity, mergedSummary, mergedVhostRows, summedMetrics } from './merged-metrics.ts';

const summary = (pid: number, bytes: number) => ({
  ok: true,
  self: {
    pid,
    version: '5',
    mem_kbyte: 1_000,
    cpu_percent: 0.25,
    ext: { faults: pid, lastFault: pid > 1 ? 'late' : '' },
  },
  system: { cpus: 2, load_1m: 3, srs_recv_bytes: bytes, srs_send_bytes: 2 * bytes, conn_srs: 10 },
});

it('adds metrics of processes and media, and takes those of the machine from the first server', () => {
  expect(mergedSummary([summary(1, 100), summary(2, 50)])).toEqual({
    ok: true,
    self: { pid: 1, version: '5', mem_kbyte: 2_000, cpu_percent: 0.5, ext: { faults: 3, lastFault: 'late' } },
    system: { cpus: 2, load_1m: 3, srs_recv_bytes: 150, srs_send_bytes: 300, conn_srs: 20 },
  });
});

it('accepts a server with fewer fields', () => {
  const bare = { self: 'none', system: null } as never;
  expect(mergedSummary([bare, summary(2, 50)])).toMatchObject({ self: { mem_kbyte: 1_000 }, system: { conn_srs: 10 } });
  expect(mergedSummary([bare])).toMatchObject({ system: {} });
});

it('joins virtual hosts by their names', () => {
  const vhost = (id: string, name: string, clients: number) => ({
    ...{ id, name, enabled: true, clients, streams: 1, send_bytes: 7, recv_bytes: 5 },
    kbps: { recv_30s: 100, send_30s: 200 },
    hls: { enabled: true },
  });
  const lists = [[vhost('v1', 'default', 2), vhost('v2', 'other', 1)], [vhost('w1', 'default', 3)]];
  expect(mergedVhostRows(lists)).toEqual([
    {
      ...{ id: 'v1', name: 'default', enabled: true, clients: 5, streams: 2, send_bytes: 14, recv_bytes: 10 },
      kbps: { recv_30s: 200, send_30s: 400 },
      hls: { enabled: true },
    },
    vhost('v2', 'other', 1),
  ]);
});

it('sums the metrics of processes without a pid, and reports the first fault', () => {
  const metrics = (pid: number, each: number, lastFault: string) => ({
    ...{ pid, receivedBytes: each, sentBytes: 2 * each, cpuCores: 0.5, memoryBytes: 3 * each, connections: 4 },
    ...{ faults: each, lastFault, loop: undefined, slates: pid === 7 ? undefined : { shown: pid, shownMs: each } },
  });
  expect(summedMetrics([metrics(7, 1, ''), metrics(8, 10, 'late'), metrics(9, 100, 'later')])).toEqual({
    ...{ pid: 0, receivedBytes: 111, sentBytes: 222, cpuCores: 1.5, memoryBytes: 333, connections: 12 },
    ...{ faults: 111, lastFault: 'late', slates: { shown: 17, shownMs: 110 } },
  });
  expect(summedMetrics([metrics(7, 1, '')]).slates).toBeUndefined();
});

it('the merged server has the features that all available servers have, and lists each address and version once', () => {
  const server = (api: string, version: string, ...abilities: ('streams' | 'kick' | 'reload')[]) => ({
    ...{ api, version, isUp: version !== '', abilities },
  });
  const away = server('c:1', '');
  expect(mergedIdentity([server('a:1', '5', 'streams', 'kick'), server('b:1', '5', 'kick', 'reload'), away])).toEqual({
    ...{ api: 'a:1, b:1, c:1', isUp: true, version: '5', abilities: ['kick'] },
  });
  expect(mergedIdentity([away, server('', '')])).toEqual({ api: 'c:1', isUp: false, version: '', abilities: [] });
});
