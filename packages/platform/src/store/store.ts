// The store interface for all modules: typed documents, collections of rows, and limited logs. Modules do not know which store is used.
// Values are validated when read, so that an outdated or damaged value cannot spread.
import type { z } from 'zod';

/** One value under one key, e.g. a settings page. */
export interface DocumentType<T> {
  readonly key: string;
  readonly schema: z.ZodType<T>;
  /** The value before the first write. */
  readonly empty: T;
  /** Encrypted at rest. */
  readonly secret?: boolean;
}

/** Rows by id, e.g. active streams. */
export interface CollectionType<T> {
  readonly name: string;
  readonly schema: z.ZodType<T>;
  readonly secret?: boolean;
}

/** Entries in chronological order; above the capacity the oldest are removed. */
export interface LogType<T> {
  readonly name: string;
  readonly schema: z.ZodType<T>;
  readonly capacity: number;
}

/** A value with its revision, which identifies this write; equal values may have different revisions. */
export interface Versioned<T> {
  readonly value: T;
  readonly revision: string;
}

/** The revision of a value that was never stored, or was removed. */
export const absent = 'absent';

/** A change by another control plane of the same store. */
export type StoreChange =
  | { readonly kind: 'document'; readonly key: string; readonly revision: string }
  | { readonly kind: 'row'; readonly collection: string; readonly id: string; readonly revision: string }
  /** The store was unreachable: anything may have changed. */
  | { readonly kind: 'anything' };

export type ChangeListener = (change: StoreChange) => void | Promise<void>;

/**
 * A write with `expected` throws `settingsChanged` when the stored revision differs; comparison and write are atomic. Writes resolve with
 * the new revision.
 */
export interface Collection<T> {
  get(id: string): Promise<T | undefined>;
  read(id: string): Promise<Versioned<T | undefined>>;
  put(id: string, value: T, expected?: string): Promise<string>;
  /** True when the row existed. */
  remove(id: string, expected?: string): Promise<boolean>;
  /** All rows, sorted by id. */
  entries(): Promise<Map<string, T>>;
}

export interface Log<T> {
  append(value: T): Promise<void>;
  /** At most `count` entries, newest first. */
  newest(count: number): Promise<T[]>;
}

/**
 * `away`: no response, or empty, or a different store; `denied`: it no longer accepts the credentials of this server; `full`: out of
 * memory; `read-only`: it refuses writes; `slow`: it responds slowly.
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
  /**
   * Calls the listener for every change by another control plane. Failures of the listener are logged. Returns a function that
   * unsubscribes.
   */
  subscribe(listener: ChangeListener): () => void;
  /** Milliseconds since the store became unreachable; 0 while it is reachable. */
  awayMs(): number;
  /** Current problem of the store, from its last responses; undefined without one. */
  trouble(): StoreTrouble | undefined;
  /** Idempotent. No other method may be called afterwards. */
  close(): Promise<void>;
}
