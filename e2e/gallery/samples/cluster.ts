// A single server, and clusters: three healthy servers, a drained server, several problems.
import type { endpoints, ResponseOf } from '@srs-stack/contract';

type Cluster = ResponseOf<typeof endpoints.queryCluster>;
type Node = Cluster['nodes'][number];
const gigabyte = 1024 ** 3;
const noTasks = { forward: 0, vlive: 0, transcode: 0 };
const load = {
  ...{ cpu: 0.34, cores: 8, memoryUsedBytes: 5.2 * gigabyte, memoryTotalBytes: 16 * gigabyte },
  ...{ receivedBps: 24_600_000, sentBps: 812_000_000, streams: 6, viewers: 412 },
};

const north: Node = {
  ...{ id: '9f2c41d07ab35e68', name: 'studio-north', isSelf: true, address: '10.0.0.11:2024', version: '7.2.0' },
  ...{ startedAt: '2026-03-01T08:15:00Z', gateways: 4, state: 'running', load },
  tasks: { forward: 3, vlive: 1, transcode: 0 },
  onlyHere: { recordings: 1_284, files: 3 },
};
const south: Node = {
  ...{ ...north, id: '27d5b1e4c0986fa3', name: 'studio-south', isSelf: false, address: '10.0.0.12:2024' },
  ...{ startedAt: '2026-03-02T21:40:10Z', tasks: { forward: 2, vlive: 0, transcode: 1 } },
  onlyHere: { recordings: 1, files: 0 },
  load: { ...load, cpu: 0.93, streams: 3, viewers: 1_204, sentBps: 2_410_000_000 },
};
const west: Node = {
  ...{ ...south, id: '5be8036dc1f7a294', name: 'studio-west', address: '10.0.0.13:2024', gateways: 1 },
  ...{ startedAt: '2026-03-08T11:00:03Z', tasks: noTasks },
  onlyHere: { recordings: 0, files: 0 },
  load: { ...load, cpu: 0.02, cores: 2, receivedBps: 0, sentBps: 0, streams: 0, viewers: 0 },
};

export const alone: Cluster = {
  ...{ isShared: false, name: '', store: '', troubles: [] },
  nodes: [{ ...north, tasks: noTasks }],
};
export const three: Cluster = {
  ...{ isShared: true, name: 'srs-stack', store: 'rediss://cache.example.com:6379', troubles: [] },
  nodes: [north, south, west],
};
export const draining: Cluster = {
  ...three,
  nodes: [north, { ...south, state: 'draining', tasks: noTasks, load: { ...load, streams: 2, viewers: 87 } }, west],
};
export const drained: Cluster = {
  ...three,
  nodes: [
    north,
    {
      ...south,
      state: 'draining',
      tasks: noTasks,
      load: { ...load, cpu: 0.03, receivedBps: 0, sentBps: 0, streams: 0, viewers: 0 },
    },
    west,
  ],
};
export const troubled: Cluster = {
  ...three,
  store: 'redis://127.0.0.1:6379',
  nodes: [
    { ...north, address: '' },
    { ...south, version: '7.0.4', load: null },
  ],
  troubles: [
    { kind: 'registry-away', seconds: 42 },
    { kind: 'clock-off', seconds: -31 },
    { kind: 'id-taken', name: 'studio-west' },
    { kind: 'version', name: 'studio-south', version: '7.0.4' },
    { kind: 'no-address' },
    { kind: 'store-on-this-machine' },
    { kind: 'tasks-nowhere', count: 2 },
  ],
};
export const join = {
  url: 'rediss://:correct-horse-battery@cache.example.com:6379',
  secret: '5f0f3c9d2b7e41a8960c4d1e8b3a7f25',
  name: 'srs-stack',
};
