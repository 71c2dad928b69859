import type { MonitorSnapshot } from '@srs-stack/contract';
import { expect, test } from 'vitest';
import { createOnlyNodeMetrics } from './node-metrics.ts';

const seen = (streams: number) =>
  ({
    cpu: { machine: 0.25, cores: 2, gatewayCores: 0.1, platformCores: 0.1 },
    memory: { totalBytes: 8, usedBytes: 4, gatewayBytes: 1, platformBytes: 1 },
    ...{ receivedBps: 1_000, sentBps: 2_000, streams, viewers: 3 },
  }) as MonitorSnapshot;
const load = { cpu: 0.25, cores: 2, memoryUsedBytes: 4, memoryTotalBytes: 8, receivedBps: 1_000, sentBps: 2_000 };

test('a single node reports the last sample of its monitor, and measures itself only before the first', async () => {
  let last: MonitorSnapshot | undefined;
  let looks = 0;
  const values = createOnlyNodeMetrics({
    lastSnapshot: () => last,
    snapshot: async () => {
      looks++;
      return seen(1);
    },
  });
  expect(await values()).toEqual({ gateways: 1, load: { ...load, streams: 1, viewers: 3 } });
  last = { ...seen(2), mediaServers: [0, 1].map((index) => ({ name: `gateway-${index}` })) } as MonitorSnapshot;
  expect(await values()).toEqual({ gateways: 2, load: { ...load, streams: 2, viewers: 3 } });
  expect(looks).toBe(1);
});
