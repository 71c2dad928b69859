// Enumerations of a cluster: servers that share one store.

/** `draining`: accepts no new publishers. */
export const nodeStates = ['running', 'draining'] as const;

/** Problems of a cluster, detected by a node. The console has a message and a remedy for each problem. */
export const clusterTroubleKinds = [
  'registry-away',
  'clock-off',
  'id-taken',
  'version',
  'no-address',
  'store-on-this-machine',
  'tasks-nowhere',
] as const;
export type ClusterTroubleKind = (typeof clusterTroubleKinds)[number];
