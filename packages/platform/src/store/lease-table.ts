// Task leases: per task one row with the holder and a monotonic number (fencing token), and status texts of the holders. Copies of a store
// do not include leases.

/** The process that holds a lease. `place`, `pid` and `startTicks` show processes on that machine whether the holder still runs. */
export interface LeaseOwner {
  /** Process id of the holder, without spaces. */
  readonly holder: string;
  /** Node id, without spaces. */
  readonly node: string;
  /** Machine and PID namespace, without spaces. */
  readonly place: string;
  readonly pid: number;
  /** Start time of the process. Pid and start time together are unique on the machine. */
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
  /** Status for other nodes; undefined keeps the stored status. */
  readonly status: string | undefined;
  /** True if the holder cannot run the task now. Another node may then offer to take the task. */
  readonly seeks: boolean;
}

/** Value in `offers` if the holder seeks another node, but no node has offered to take the task yet. */
export const sought = '?';

/** Consistent snapshot, the result of one exchange. */
export interface LeaseView {
  readonly renewed: ReadonlySet<string>;
  readonly rows: ReadonlyMap<string, LeaseRow>;
  readonly restarts: ReadonlyMap<string, number>;
  /** By task id: the node that offers to take the task, or `sought` without an offer. */
  readonly offers: ReadonlyMap<string, string>;
}

export interface LeaseTaken {
  readonly fence: number;
  readonly restarts: number;
}

/** Every call rejects with `storeNotReady` while the store is unavailable. The rejected operation may still have been executed. */
export interface LeaseTable {
  /** Renews the caller's leases, publishes offers and reads all rows, atomically. */
  exchange(owner: LeaseOwner, renewals: readonly LeaseRenewal[], offers: readonly string[]): Promise<LeaseView>;
  /** Takes a task if its row still equals `seen` ('' for no row). Undefined if another node was faster. */
  take(owner: LeaseOwner, id: string, seen: string): Promise<LeaseTaken | undefined>;
  release(owner: LeaseOwner, id: string, fence: number): Promise<void>;
  requestRestart(id: string): Promise<void>;
  statuses(): Promise<ReadonlyMap<string, string>>;
}
