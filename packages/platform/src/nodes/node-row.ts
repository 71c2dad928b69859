// The row in which a node describes itself for other nodes.
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
  streams: z.number(),
  viewers: z.number(),
});

const nodeRow = z.object({
  name: z.string(),
  /** Address of the internal port for other nodes; null for none. */
  address: z.object({ host: z.string(), port: z.number() }).nullable(),
  version: z.string(),
  /** Start of the control plane, RFC 3339. */
  startedAt: z.string(),
  gateways: z.number(),
  state: z.enum(['running', 'draining']),
  load: nodeLoad.nullable(),
  /** How far the node's clock is ahead of the store's clock, milliseconds. */
  clockAheadMs: z.number(),
});

export type NodeLoad = z.infer<typeof nodeLoad>;
export type NodeRow = z.infer<typeof nodeRow>;
export type NodeState = NodeRow['state'];

/** Parses a row; undefined for a missing or invalid row. */
export function parseNodeRow(text: string): NodeRow | undefined {
  try {
    return nodeRow.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
