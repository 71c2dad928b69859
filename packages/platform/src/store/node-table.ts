// Rows of the nodes of a cluster: one short text per node, which expires when the node stops writing it. Not included in copies of a store.

export interface NodeText {
  /** Id of the node; it has at most one row. */
  readonly id: string;
  /** Id of the process that wrote it. */
  readonly instance: string;
  /** When that process started, by its own clock, milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly text: string;
}

export interface NodeView {
  /** The clock of the store, milliseconds since 1970. */
  readonly nowMs: number;
  /** Rows that were written within the time to live. */
  readonly rows: readonly NodeText[];
  /** A later process of this node has written its row; nothing was written. */
  readonly isTaken: boolean;
}

/** Every call rejects with `storeNotReady` while the store is unavailable. */
export interface NodeTable {
  look(): Promise<NodeView>;
  /** Writes a row and reads all, in one step. */
  beat(row: NodeText): Promise<NodeView>;
  /** Removes the row unless another process wrote it. */
  leave(row: Pick<NodeText, 'id' | 'instance'>): Promise<void>;
}

/** Time to live of a row, milliseconds: three writes may be lost. */
export const nodeGoneMs = 10_000;
