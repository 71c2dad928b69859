// What the rooms see of the store: typed documents, collections of rows, and bounded logs. No service knows which
// store is behind. Values are checked by their schema when read, so an older or damaged value cannot spread.
import type { z } from 'zod';

/** The store this product has, as an operator is told of it. */
export const storeName = 'SQLite';

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

export interface Collection<T> {
  get(id: string): Promise<T | undefined>;
  put(id: string, value: T): Promise<void>;
  /** True when the row existed. */
  remove(id: string): Promise<boolean>;
  /** All rows by id, in the order of their ids. */
  entries(): Promise<Map<string, T>>;
}

export interface Log<T> {
  append(value: T): Promise<void>;
  /** At most `count` entries, newest first. */
  newest(count: number): Promise<T[]>;
}

export interface Store {
  get<T>(type: DocumentType<T>): Promise<T>;
  set<T>(type: DocumentType<T>, value: T): Promise<void>;
  collection<T>(type: CollectionType<T>): Collection<T>;
  log<T>(type: LogType<T>): Log<T>;
  /** Idempotent; no call may follow. */
  close(): Promise<void>;
}
