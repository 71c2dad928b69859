// Rows of the task leases: per task one row with its holder and a monotonic number (fencing token), and status texts that holders publish.
// Copies of a store do not include it.

/** The holder: a process, with data from which other processes on the same machine detect its end. */
export interface LeaseOwner {
  /** Process id; no spaces. */
  readonly holder: string;
  /** Node id; no spaces. */
  readonly node: string;
  /** Identifies the machine and PID namespace; no spaces. */
  readonly place: string;
  readonly pid: number;
  /** With the pid, unique on the machine. */
  readonly startTicks: number;
}

export interface LeaseRow extends LeaseOwner {
  readonly fence: number;
  /** The stored text: changes with every renewal. */
  readonly text: string;
}

export interface LeaseRenewal {
  readonly id: string;
  readonly fence: number;
  /** Status for other nodes; undefined: unchanged. */
  readonly status: string | undefined;
  /** The holder cannot run the task now: a node that can run it may offer to. */
  readonly seeks: boolean;
}

/** Placeholder while no node has offered. */
export const sought = '?';

/** Result of one exchange, a consistent snapshot. */
export interface LeaseView {
  /** Renewed leases: still held by the caller. */
  readonly renewed: ReadonlySet<string>;
  readonly rows: ReadonlyMap<string, LeaseRow>;
  /** Number of requested restarts of each task. */
  readonly restarts: ReadonlyMap<string, number>;
  /** Where a holder seeks another node for its task: the offering node, or `sought`. */
  readonly offers: ReadonlyMap<string, string>;
}

export interface LeaseTaken {
  readonly fence: number;
  readonly restarts: number;
}

/** Every call rejects with `storeNotReady` while the store is unavailable; the operation may have happened then. */
export interface LeaseTable {
  /** Renews the caller's leases, publishes offers, and reads all rows, in one step. */
  exchange(owner: LeaseOwner, renewals: readonly LeaseRenewal[], offers: readonly string[]): Promise<LeaseView>;
  /** Takes a task if its row is still the given one ('' for none). Undefined: another node was first. */
  take(owner: LeaseOwner, id: string, seen: string): Promise<LeaseTaken | undefined>;
  /** Releases the lease of the caller. */
  release(owner: LeaseOwner, id: string, fence: number): Promise<void>;
  /** Makes the holder restart the task. */
  requestRestart(id: string): Promise<void>;
  /** Status texts of the holders, by task id. */
  statuses(): Promise<ReadonlyMap<string, string>>;
}
