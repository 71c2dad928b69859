// What the store keeps so that each task is held by one node: per task one row that says who holds it, with a number that only
// grows (fencing), and short texts that holders tell of their tasks. No copy of a store has it.

/** Who takes: a process, and how another process on the same machine can see that it has ended. */
export interface LeaseOwner {
  /** Of the process; no blanks. */
  readonly holder: string;
  /** Id of its node; no blanks. */
  readonly node: string;
  /** Tells processes of one machine apart from all others; no blanks. */
  readonly place: string;
  readonly pid: number;
  /** With the pid, unique on its machine. */
  readonly startTicks: number;
}

export interface LeaseRow extends LeaseOwner {
  readonly fence: number;
  /** As it is stored: it changes with every renewal. */
  readonly text: string;
}

export interface LeaseRenewal {
  readonly id: string;
  readonly fence: number;
  /** Told to the others; undefined: as before. */
  readonly status: string | undefined;
  /** It cannot do the task now: another node that can may offer to. */
  readonly seeks: boolean;
}

/** In place of a node that offers: nobody has yet. */
export const sought = '?';

/** What one exchange has found, all at one moment. */
export interface LeaseView {
  /** Of those that were to be renewed: still the caller's. */
  readonly renewed: ReadonlySet<string>;
  readonly rows: ReadonlyMap<string, LeaseRow>;
  /** How often each task was asked to begin anew. */
  readonly restarts: ReadonlyMap<string, number>;
  /** Where a holder seeks somebody who can do its task: the node that offers, or `sought`. */
  readonly offers: ReadonlyMap<string, string>;
}

export interface LeaseTaken {
  readonly fence: number;
  readonly restarts: number;
}

/** Every call rejects with `storeNotReady` while the store is away; what it asked for may then have happened. */
export interface LeaseTable {
  /** Renews what is still the caller's, tells of offers, and looks, in one step. */
  exchange(owner: LeaseOwner, renewals: readonly LeaseRenewal[], offers: readonly string[]): Promise<LeaseView>;
  /** Takes a task whose row still is the one seen ('' for none). Undefined: somebody was faster. */
  take(owner: LeaseOwner, id: string, seen: string): Promise<LeaseTaken | undefined>;
  /** Gives back what is the caller's. */
  release(owner: LeaseOwner, id: string, fence: number): Promise<void>;
  /** Its holder, whoever it is, begins the task anew. */
  askRestart(id: string): Promise<void>;
  /** What holders tell of their tasks, by id. */
  statuses(): Promise<ReadonlyMap<string, string>>;
}
