// What the rooms see of the store: typed documents, collections of rows, and bounded logs. No service knows which
// store is behind. Values are checked by their schema when read, so an older or damaged value cannot spread.
import type { z } from 'zod';

/** One value under one key, e.g. a settings page. */
export interface DocumentType<T> {
  readonly key: string;
  readonly schema: z.ZodType<T>;
  /** The value while nothing was ever stored. */
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

/** Entries in the order of time; the oldest go when the capacity is reached. */
export interface LogType<T> {
  readonly name: string;
  readonly schema: z.ZodType<T>;
  readonly capacity: number;
}

/** A value with what tells it from every later one in its place; equal values may have different revisions. */
export interface Versioned<T> {
  readonly value: T;
  readonly revision: string;
}

/** The revision of what was never stored, or removed. */
export const absent = 'absent';

/** Something that another control plane of the same store has changed. */
export type StoreChange =
  | { readonly kind: 'document'; readonly key: string; readonly revision: string }
  | { readonly kind: 'row'; readonly collection: string; readonly id: string; readonly revision: string }
  /** The store was out of reach: anything may have changed. */
  | { readonly kind: 'anything' };

export type ChangeListener = (change: StoreChange) => void | Promise<void>;

/**
 * Where a write takes `expected`, it is refused with `settingsChanged` when the revision in the store is another, and
 * compared and written in one step. Writes resolve with the new revision.
 */
export interface Collection<T> {
  get(id: string): Promise<T | undefined>;
  read(id: string): Promise<Versioned<T | undefined>>;
  put(id: string, value: T, expected?: string): Promise<string>;
  /** True when the row existed. */
  remove(id: string, expected?: string): Promise<boolean>;
  /** All rows by id, in the order of their ids. */
  entries(): Promise<Map<string, T>>;
}

export interface Log<T> {
  append(value: T): Promise<void>;
  /** At most `count` entries, newest first. */
  newest(count: number): Promise<T[]>;
}

/**
 * `away`: it does not answer, or is empty or another one; `denied`: it no longer takes the password or right of this server; `full`:
 * it has no memory left; `read-only`: it takes no writes; `slow`: it answers late.
 */
export type StoreTrouble = 'away' | 'denied' | 'full' | 'read-only' | 'slow';

export interface Store {
  /** As an operator is told of it, e.g. `SQLite`. */
  readonly name: string;
  get<T>(type: DocumentType<T>): Promise<T>;
  read<T>(type: DocumentType<T>): Promise<Versioned<T>>;
  set<T>(type: DocumentType<T>, value: T, expected?: string): Promise<string>;
  collection<T>(type: CollectionType<T>): Collection<T>;
  log<T>(type: LogType<T>): Log<T>;
  /** Calls the listener for every change of others, never for those of this process; where it fails is logged. Returns the way to stop. */
  subscribe(listener: ChangeListener): () => void;
  /** Milliseconds since the store is out of reach; 0 while it is not. */
  awayMs(): number;
  /** What is wrong with the store now, as its last answers say; undefined while nothing is. */
  trouble(): StoreTrouble | undefined;
  /** Idempotent; no call may follow. */
  close(): Promise<void>;
}
