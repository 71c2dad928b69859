// Names of all Redis keys of a cluster. The cluster name is the hash tag, which puts all keys into one slot of a Redis Cluster. Scripts and
// MULTI require one slot.

export interface RedisKeys {
  /** Hash with `id` of the store, `schema`, the counter `changes`, and `made`. */
  readonly meta: string;
  readonly documents: string;
  rows(collection: string): string;
  /** List of texts, newest first. */
  log(name: string): string;
  /** Hash from process to last activity: control planes that have the store open. */
  readonly open: string;
  /** Hash from node id to row. Copies exclude this hash, because nodes are not part of the store. */
  readonly nodes: string;
  readonly lock: string;
  readonly channel: string;
  /** Prefix of all keys of the store, without `nodes`. Used to copy a whole store. */
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

/** Assignment of tasks to nodes. Copies exclude these keys, because leases are not part of the store. */
export interface LeaseKeys {
  readonly rows: string;
  readonly restarts: string;
  /** Hash from task to the node that offers to run the task. */
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
