// Nodes of a cluster: one short row per node, which expires when the node stops writing. Copies of a store do not include these rows.

export interface NodeText {
  /** Node id; a node has at most one row. */
  readonly id: string;
  readonly instance: string;
  /** Start of the writing process by its own clock, milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly text: string;
}

export interface NodeView {
  /** The clock of the store, milliseconds since 1970. */
  readonly nowMs: number;
  readonly rows: readonly NodeText[];
  /** True if a newer process of this node owns the row. In this case `beat` wrote nothing. */
  readonly isTaken: boolean;
}

/** Every call rejects with `storeNotReady` while the store is unavailable. */
export interface NodeTable {
  look(): Promise<NodeView>;
  /** Writes a row and reads all rows, atomically. */
  beat(row: NodeText): Promise<NodeView>;
  /** Removes the row if `instance` wrote it. */
  leave(row: Pick<NodeText, 'id' | 'instance'>): Promise<void>;
}

/** Time to live of a row, milliseconds: allows two lost writes. */
export const nodeGoneMs = 10_000;
