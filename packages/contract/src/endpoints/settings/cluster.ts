// The servers that share one store, and the settings with which another server joins them.
import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { maxNodeIdLength } from '../../limits.ts';
import { emptyRequest, nullData } from '../../models/envelope.ts';
import { paths } from '../../paths.ts';
import { clusterTroubleKinds, nodeStates } from '../../values/cluster.ts';

const tag = 'Cluster';

const nodeLoad = z.object({
  /** Share of all cores, 0 to 1. */
  cpu: z.number(),
  cores: z.number().int(),
  memoryUsedBytes: z.number(),
  memoryTotalBytes: z.number(),
  /** Received media, bits per second. */
  receivedBps: z.number(),
  sentBps: z.number(),
  /** Number of streams published on this node. */
  streams: z.number().int(),
  viewers: z.number().int(),
});

const clusterNode = z.object({
  id: z.string(),
  name: z.string(),
  /** Whether this node sent the response. */
  isSelf: z.boolean(),
  /** Address at which other nodes reach the node, `host:port`; empty when they cannot. */
  address: z.string(),
  version: z.string(),
  /** RFC 3339: start of the node's control plane. */
  startedAt: z.string(),
  gateways: z.number().int(),
  state: z.enum(nodeStates),
  load: nodeLoad.nullable(),
  /** Tasks assigned to the node, by kind. */
  tasks: z.object({ forward: z.number().int(), vlive: z.number().int(), transcode: z.number().int() }),
  /** Number of recordings and files without a copy in a bucket, which are unreachable while this node is down. */
  onlyHere: z.object({ recordings: z.number().int(), files: z.number().int() }),
});
export type ClusterNodeRow = z.infer<typeof clusterNode>;

const trouble = z.object({
  kind: z.enum(clusterTroubleKinds),
  /** Name of the other node that the problem is about, if any. */
  name: z.string().optional(),
  version: z.string().optional(),
  seconds: z.number().optional(),
  count: z.number().int().optional(),
});
export type ClusterTrouble = z.infer<typeof trouble>;

export const queryCluster = defineEndpoint({
  ...paths.queryCluster,
  tag,
  summary: 'Lists the servers that share the store with this one, with load, tasks and problems.',
  request: emptyRequest,
  response: z.object({
    /** False: the store is a file, and this is the only server. */
    isShared: z.boolean(),
    /** `CLUSTER_NAME`. */
    name: z.string(),
    /** Address of the store without its password; empty for a file. */
    store: z.string(),
    nodes: z.array(clusterNode),
    troubles: z.array(trouble),
  }),
});

export const queryClusterJoin = defineEndpoint({
  ...paths.queryClusterJoin,
  tag,
  summary:
    'Returns what another server needs to join: the address of the store with its password, and the cluster secret. Each call is recorded in the audit trail.',
  request: emptyRequest,
  response: z.object({ url: z.string(), secret: z.string(), name: z.string() }),
});

export const drainNode = defineEndpoint({
  ...paths.drainNode,
  tag,
  summary:
    'Starts or ends draining of a node before a stop: it accepts no new publishers, and its tasks move to other nodes. Another node follows within seconds.',
  request: z.object({ token: z.string().optional(), node: z.string().max(maxNodeIdLength), draining: z.boolean() }),
  response: nullData,
});
