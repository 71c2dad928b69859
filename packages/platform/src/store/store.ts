// The store interface of all modules: typed documents, collections of rows, and limited logs. Modules do not know the kind of store. Every
// value is validated when it is read: outdated and damaged values cannot spread.
import type { z } from 'zod';

/** One value under one key, e.g. a settings page. */
export interface DocumentType<T> {
  readonly key: string;
  readonly schema: z.ZodType<T>;
  readonly empty: T;
  /** Whether the value is encrypted at rest. */
  readonly secret?: boolean;
}

/** Rows by id, e.g. active streams. */
export interface CollectionType<T> {
  readonly name: string;
  readonly schema: z.ZodType<T>;
  readonly secret?: boolean;
}

/** Entries in chronological order. Above the capacity, the oldest entry is removed. */
export interface LogType<T> {
  readonly name: string;
  readonly schema: z.ZodType<T>;
  readonly capacity: number;
}

/** A value and the revision of its last write. Equal values may have different revisions. */
export interface Versioned<T> {
  readonly value: T;
  readonly revision: string;
}

/** Revision of a value that is not stored. */
export const absent = 'absent';

/** A change by another control plane. */
export type StoreChange =
  | { readonly kind: 'document'; readonly key: string; readonly revision: string }
  | { readonly kind: 'row'; readonly collection: string; readonly id: string; readonly revision: string }
  /** Anything may have changed while the store was unreachable. */
  | { readonly kind: 'anything' };

export type ChangeListener = (change: StoreChange) => void | Promise<void>;

/**
 * `put` and `remove` compare and write atomically. Both throw `settingsChanged` if `expected` differs from the stored revision. `put`
 * resolves with the new revision.
 */
export interface Collection<T> {
  get(id: string): Promise<T | undefined>;
  read(id: string): Promise<Versioned<T | undefined>>;
  put(id: string, value: T, expected?: string): Promise<string>;
  /** True if the row existed. */
  remove(id: string, expected?: string): Promise<boolean>;
  /** All rows, sorted by id. */
  entries(): Promise<Map<string, T>>;
}

export interface Log<T> {
  append(value: T): Promise<void>;
  /** Newest first. */
  newest(count: number): Promise<T[]>;
}

/**
 * Problem of a store. `away`: no response, a different store, or an empty store; `denied`: credentials are refused; `full`: out of memory;
 * `read-only`: writes are refused; `slow`: responses are slow.
 */
export type StoreTrouble = 'away' | 'denied' | 'full' | 'read-only' | 'slow';

export interface Store {
  /** Name for the operator, e.g. `SQLite`. */
  readonly name: string;
  get<T>(type: DocumentType<T>): Promise<T>;
  read<T>(type: DocumentType<T>): Promise<Versioned<T>>;
  set<T>(type: DocumentType<T>, value: T, expected?: string): Promise<string>;
  collection<T>(type: CollectionType<T>): Collection<T>;
  log<T>(type: LogType<T>): Log<T>;
  /** Calls the listener for every change by another control plane. Logs errors of the listener. Returns a function that unsubscribes. */
  subscribe(listener: ChangeListener): () => void;
  /** Milliseconds since the store became unreachable; 0 while the store is reachable. */
  awayMs(): number;
  trouble(): StoreTrouble | undefined;
  /** Idempotent. No other method may be called after `close`. */
  close(): Promise<void>;
}
