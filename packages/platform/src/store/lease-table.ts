// Rows of the task leases: one row per task with its holder and a monotonic number (fencing token), and status texts that holders publish.
// Not included in copies of a store.

/** The holder of a lease: a process, with data by which other processes on the same machine detect its end. */
export interface LeaseOwner {
  /** Process id; no spaces. */
  readonly holder: string;
  /** Node id; no spaces. */
  readonly node: string;
  /** Identifies the machine and PID namespace; no spaces. */
  readonly place: string;
  readonly pid: number;
  /** Start time of the process; unique on the machine together with the pid. */
  readonly startTicks: number;
}

export interface LeaseRow extends LeaseOwner {
  readonly fence: number;
  /** The stored text; every renewal changes it. */
  readonly text: string;
}

export interface LeaseRenewal {
  readonly id: string;
  readonly fence: number;
  /** Status for other nodes; undefined keeps the stored one. */
  readonly status: string | undefined;
  /** The holder cannot run the task now, so that nodes that can run it may offer to take it. */
  readonly seeks: boolean;
}

/** Value of an offer while no node has made one. */
export const sought = '?';

/** Result of one exchange, a consistent snapshot. */
export interface LeaseView {
  /** Tasks whose lease was renewed, so that the caller still holds it. */
  readonly renewed: ReadonlySet<string>;
  readonly rows: ReadonlyMap<string, LeaseRow>;
  /** Number of requested restarts of each task. */
  readonly restarts: ReadonlyMap<string, number>;
  /** Offering node, or `sought`, by task whose holder seeks another node. */
  readonly offers: ReadonlyMap<string, string>;
}

export interface LeaseTaken {
  readonly fence: number;
  readonly restarts: number;
}

/** While the store is unavailable, every call rejects with `storeNotReady`; the operation may have been executed. */
export interface LeaseTable {
  /** Renews the caller's leases, publishes offers, and reads all rows, in one step. */
  exchange(owner: LeaseOwner, renewals: readonly LeaseRenewal[], offers: readonly string[]): Promise<LeaseView>;
  /** Takes a task if its row is still `seen` ('' for none). Undefined: another node was faster. */
  take(owner: LeaseOwner, id: string, seen: string): Promise<LeaseTaken | undefined>;
  /** Releases the lease of the caller. */
  release(owner: LeaseOwner, id: string, fence: number): Promise<void>;
  /** Makes the holder restart the task. */
  requestRestart(id: string): Promise<void>;
  /** Status texts of the holders, by task id. */
  statuses(): Promise<ReadonlyMap<string, string>>;
}
