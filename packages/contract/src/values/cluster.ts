// Words of a cluster: servers that share one store.

/** `draining`: takes nobody new and is about to stop. */
export const nodeStates = ['running', 'draining'] as const;

/** What may be wrong with a cluster as one of its nodes sees it. The console has a sentence and a remedy for each. */
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
