// Assignment of tasks to the nodes of a cluster. The interface between workers, which run tasks, and leases, which decide where tasks run.

/** A task that runs on one node of the cluster. */
export interface LeasedTask {
  /** Starts the task. This node now holds the lease. */
  begin(): void;
  /** Restarts the task, on request or after a change of settings. This node holds the lease. */
  beginAnew(): void;
  end(): Promise<void>;
  /** Status to show on other nodes. */
  status(): string | undefined;
  /** True while no program of the task runs. Another node can then take the task without a gap. */
  isIdle(): boolean;
  suits(): Promise<boolean>;
}

export interface TaskLeases {
  /** Takes the task whenever its lease is free and this node accepts further tasks. */
  want(id: string, task: LeasedTask): void;
  /** Stops the task on this node. With `everywhere`, resolves when no node holds the lease, or after `remoteEndMs`. */
  unwant(id: string, everywhere: boolean): Promise<void>;
  isHeld(id: string): boolean;
  /** Asks the store whether this node still holds the lease. Never rejects. */
  confirm(id: string): Promise<boolean>;
  requestRestart(id: string): Promise<void>;
  /** Node that holds the lease, as last seen; undefined for none. */
  nodeOf(id: string): string | undefined;
  /** Status from the holder of the lease; may be a second old. */
  statusOf(id: string): string | undefined;
  /** Calls the listener after every renewal and every new lease, with the time until running tasks must have stopped, milliseconds. */
  onProven(listener: (leftMs: number) => void): void;
  close(): Promise<void>;
}
