// The row of a node in the store, for the other nodes.
import { z } from 'zod';

const nodeLoad = z.object({
  /** Share of all cores of the machine, 0 to 1. */
  cpu: z.number(),
  cores: z.number(),
  memoryUsedBytes: z.number(),
  memoryTotalBytes: z.number(),
  /** Sum of all streams, bits per second; 0 before the second measurement. */
  receivedBps: z.number(),
  sentBps: z.number(),
  /** Number of streams published on this node. */
  streams: z.number(),
  /** Number of viewers served by this node. */
  viewers: z.number(),
});

const nodeRow = z.object({
  name: z.string(),
  /** Address of its internal port for other nodes; null when it has none. */
  address: z.object({ host: z.string(), port: z.number() }).nullable(),
  version: z.string(),
  /** RFC 3339, start of its control plane. */
  startedAt: z.string(),
  gateways: z.number(),
  state: z.enum(['running', 'draining']),
  load: nodeLoad.nullable(),
  /** How far its clock is ahead of the store's, milliseconds. */
  clockAheadMs: z.number(),
});

export type NodeLoad = z.infer<typeof nodeLoad>;
export type NodeRow = z.infer<typeof nodeRow>;
export type NodeState = NodeRow['state'];

/** Parses a row; undefined when it is unreadable or missing. */
export function parseNodeRow(text: string): NodeRow | undefined {
  try {
    return nodeRow.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
