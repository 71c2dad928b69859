// Names of all keys of a cluster in Redis. The name of the cluster is the hash tag: in a Redis Cluster all its keys are in one slot, as
// scripts and MULTI require.

export interface RedisKeys {
  /** Hash with `id` of the store, `schema`, the counter `changes`, and `made`. */
  readonly meta: string;
  /** Hash from key to text. */
  readonly documents: string;
  /** Hash from id to text. */
  rows(collection: string): string;
  /** List of texts, the newest first. */
  log(name: string): string;
  /** Hash from process to the time it was last active: control planes that have the store open. */
  readonly open: string;
  /** Hash from node to its row: not part of the store, so that copies exclude it. */
  readonly nodes: string;
  /** Lock of a migration. */
  readonly lock: string;
  /** Channel of changes. */
  readonly channel: string;
  /** Prefix of all other keys, for a copy of the whole store. */
  readonly prefix: string;
}

export function redisKeys(cluster: string, part = 'store'): RedisKeys {
  const prefix = `srs-stack:{${cluster}}:${part}:`;
  return {
    prefix,
    meta: `${prefix}meta`,
    documents: `${prefix}documents`,
    rows: (collection) => `${prefix}rows:${collection}`,
    log: (name) => `${prefix}log:${name}`,
    open: `${prefix}open`,
    nodes: `srs-stack:{${cluster}}:nodes`,
    lock: `${prefix}lock`,
    channel: `${prefix}changes`,
  };
}

/** Assignment of tasks to nodes: not part of the store, so that copies exclude it. */
export interface LeaseKeys {
  /** Hash from task to its row. */
  readonly rows: string;
  /** Hash from task to the number of requested restarts. */
  readonly restarts: string;
  /** Hash from task to the node that offers to run it. */
  readonly offers: string;
  /** Hash from task to the status of its holder, encrypted. */
  readonly statuses: string;
  /** Number of the last lease; monotonic. */
  readonly fences: string;
}

export function leaseKeys(cluster: string): LeaseKeys {
  const prefix = `srs-stack:{${cluster}}:leases:`;
  return {
    rows: `${prefix}rows`,
    restarts: `${prefix}restarts`,
    offers: `${prefix}offers`,
    statuses: `${prefix}statuses`,
    fences: `${prefix}fences`,
  };
}
