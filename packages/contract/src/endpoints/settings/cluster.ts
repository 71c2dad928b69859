// Servers of a cluster, which share one store, and the settings with which a server joins.
import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { maxNodeIdLength } from '../../limits.ts';
import { emptyRequest, nullData } from '../../models/envelope.ts';
import { paths } from '../../paths.ts';
import { clusterTroubleKinds, nodeStates } from '../../values/cluster.ts';

const tag = 'Cluster';

const nodeLoad = z.object({
  /** Share of all CPU cores, 0 to 1. */
  cpu: z.number(),
  cores: z.number().int(),
  memoryUsedBytes: z.number(),
  memoryTotalBytes: z.number(),
  /** Received media, bits per second. */
  receivedBps: z.number(),
  sentBps: z.number(),
  streams: z.number().int(),
  viewers: z.number().int(),
});

const clusterNode = z.object({
  id: z.string(),
  name: z.string(),
  isSelf: z.boolean(),
  /** Address for other nodes, `host:port`; '' if unreachable. */
  address: z.string(),
  version: z.string(),
  /** Start of the control plane, RFC 3339. */
  startedAt: z.string(),
  gateways: z.number().int(),
  state: z.enum(nodeStates),
  load: nodeLoad.nullable(),
  tasks: z.object({ forward: z.number().int(), vlive: z.number().int(), transcode: z.number().int() }),
  /** Recordings and files that exist only on this node, without a copy in a bucket. */
  onlyHere: z.object({ recordings: z.number().int(), files: z.number().int() }),
});
export type ClusterNodeRow = z.infer<typeof clusterNode>;

const trouble = z.object({
  kind: z.enum(clusterTroubleKinds),
  /** Name of the other affected node, if any. */
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
    /** False if the store is a file, which only this server uses. */
    isShared: z.boolean(),
    /** `CLUSTER_NAME`. */
    name: z.string(),
    /** Address of the store without its password; '' for a file. */
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
    'Starts or ends draining of a node before a stop: it accepts no new publishers, and its tasks move to other nodes. For another node, this takes effect within seconds.',
  request: z.object({ token: z.string().optional(), node: z.string().max(maxNodeIdLength), draining: z.boolean() }),
  response: nullData,
});
