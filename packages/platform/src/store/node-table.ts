// What the store keeps for the nodes of a cluster beside settings: one short text of each, which goes by itself when its node
// does not write it again. No copy of a store has it.

export interface NodeText {
  /** Of the node; at most one row. */
  readonly id: string;
  /** Of the process that wrote it. */
  readonly instance: string;
  /** When that process started, by its own clock, milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly text: string;
}

export interface NodeView {
  /** The clock of the store, milliseconds since 1970. */
  readonly nowMs: number;
  /** Written within the time to live. */
  readonly rows: readonly NodeText[];
  /** Another process, started later, has written the row of this node: nothing was written. */
  readonly isTaken: boolean;
}

/** Every call rejects with `storeNotReady` while the store is away. */
export interface NodeTable {
  look(): Promise<NodeView>;
  /** Writes a row and looks, in one step. */
  beat(row: NodeText): Promise<NodeView>;
  /** Removes the row, unless another process has written it. */
  leave(row: Pick<NodeText, 'id' | 'instance'>): Promise<void>;
}

/** A row that was not written for this long is gone, milliseconds: three beats may be lost. */
export const nodeGoneMs = 10_000;
