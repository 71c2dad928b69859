// Assignment of tasks to the nodes of a cluster: the interface between the workers, which run tasks, and the leases, which decide where.

/** A task that runs on one node of the cluster. */
export interface LeasedTask {
  /** Starts the task; this node now holds the lease. */
  begin(): void;
  /** Restarts the task, on request or with changed settings; this node holds the lease. */
  beginAnew(): void;
  /** Resolves when the task has stopped here. */
  end(): Promise<void>;
  /** Status for the other nodes. */
  status(): string | undefined;
  /** Whether no program of the task runs, so that another node can take it without a gap. */
  isIdle(): boolean;
  /** Whether this node can run it now. */
  suits(): Promise<boolean>;
}

export interface TaskLeases {
  /** Takes the task whenever no other node holds it. */
  want(id: string, task: LeasedTask): void;
  /** Stops the task on this node. With `everywhere`, resolves when no node holds it any more, or after `remoteEndMs`. */
  unwant(id: string, everywhere: boolean): Promise<void>;
  isHeld(id: string): boolean;
  /** Checks in the store whether this node still holds the lease. Never rejects. */
  confirm(id: string): Promise<boolean>;
  /** Makes the node that holds the task restart it. */
  requestRestart(id: string): Promise<void>;
  /** Node that holds the task, as last seen; undefined if none does. */
  nodeOf(id: string): string | undefined;
  /** Status from the node that holds the task; may be a second old. */
  statusOf(id: string): string | undefined;
  /** Calls the listener on every change with the time until running tasks must have stopped, milliseconds. */
  onProven(listener: (leftMs: number) => void): void;
  /** Stops all tasks and releases their leases. */
  close(): Promise<void>;
}
