// Load of this node, for the node's row in the store: the machine, and only the media servers of this node.
import type { MonitorSnapshot } from '@srs-stack/contract';
import type { MediaServer } from '../media-server/media-server.ts';
import type { NodeMetrics } from '../nodes/node-registry.ts';
import { createLiveMetrics } from './live-metrics.ts';
import { createMachineMetrics } from './machine-metrics.ts';

export interface NodeMetricsDeps {
  readonly mediaServer: Pick<MediaServer, 'listStreams' | 'listClients' | 'summarize'>;
  readonly gateways: () => Promise<number>;
  readonly monotonicMs?: () => number;
}

/** Maximum age of the client list, milliseconds. Only used if streams do not report their viewers. */
const clientsMaxAgeMs = 30_000;

/** Returns a function that measures the time since its previous call. */
export function createNodeMetrics({ mediaServer, gateways, monotonicMs = () => performance.now() }: NodeMetricsDeps) {
  const lookAtMachine = createMachineMetrics(monotonicMs);
  const lookAtStreams = createLiveMetrics({ mediaServer, monotonicMs });
  return async (): Promise<NodeMetrics> => {
    const live = await lookAtStreams(clientsMaxAgeMs);
    const { machineCpu, cores, usedBytes, totalBytes } = lookAtMachine();
    const load = {
      cpu: machineCpu,
      cores,
      memoryUsedBytes: usedBytes,
      memoryTotalBytes: totalBytes,
      receivedBps: Math.round(live.receivedBps ?? 0),
      sentBps: Math.round(live.sentBps ?? 0),
      streams: live.streams.length,
      viewers: live.viewers,
    };
    return { gateways: await gateways(), load };
  };
}

/** Like `createNodeMetrics`, for a single node. Returns the monitor's last sample, which may be a few seconds old. */
export function createOnlyNodeMetrics(monitor: {
  lastSnapshot(): MonitorSnapshot | undefined;
  snapshot(): Promise<MonitorSnapshot>;
}) {
  return async (): Promise<NodeMetrics> => {
    const seen = monitor.lastSnapshot() ?? (await monitor.snapshot());
    const { cpu, memory, receivedBps, sentBps, streams, viewers, mediaServers } = seen;
    const { totalBytes: memoryTotalBytes, usedBytes: memoryUsedBytes } = memory;
    const rates = { receivedBps, sentBps };
    const load = { cpu: cpu.machine, cores: cpu.cores, memoryUsedBytes, memoryTotalBytes, ...rates, streams, viewers };
    return { gateways: mediaServers?.length ?? 1, load };
  };
}
