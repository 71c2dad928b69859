// How loaded this node is, for the row that other nodes see: of the machine, and of the media servers of this node alone.
import type { MediaServer } from '../media-server/media-server.ts';
import type { NodeFigures } from '../nodes/node-registry.ts';
import { createLiveFigures } from './live-figures.ts';
import { createMachineFigures } from './machine-figures.ts';

export interface NodeFiguresDeps {
  /** Of this node. */
  readonly mediaServer: Pick<MediaServer, 'listStreams' | 'listClients' | 'summarize'>;
  readonly gateways: () => Promise<number>;
  readonly monotonicMs?: () => number;
}

/** How old the list of viewers may be, milliseconds, where streams do not tell their viewers themselves. */
const clientsMaxAgeMs = 30_000;

/** Each call gives rates since the call before. */
export function createNodeFigures({ mediaServer, gateways, monotonicMs = () => performance.now() }: NodeFiguresDeps) {
  const lookAtMachine = createMachineFigures(monotonicMs);
  const lookAtStreams = createLiveFigures({ mediaServer, monotonicMs });
  return async (): Promise<NodeFigures> => {
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
