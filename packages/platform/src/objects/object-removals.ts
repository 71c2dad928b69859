// Deletes the objects of deleted recordings and media files in the background. A table lists the objects before the file is deleted, so
// that no object is forgotten.
import type { BucketProblem } from '@srs-stack/contract';
import type { BackOff } from '@srs-stack/process/back-off.ts';
import type { Log } from '@srs-stack/process/log.ts';
import type { Collection } from '../store/store.ts';
import type { Bucket, BucketPlace } from './bucket.ts';
import { BucketPatience } from './bucket-patience.ts';
import type { RemovalFacts } from './transfer-facts.ts';

/** Timeout of one deletion, milliseconds. Then the deletion is retried. */
const removalTimeoutMs = 60_000;

export interface ObjectRemovalsDeps {
  readonly rows: Collection<RemovalFacts>;
  readonly bucketAt: (place: BucketPlace) => Promise<Bucket>;
  readonly onTurn: (problem: BucketProblem | null) => void;
  readonly now: () => Date;
  readonly log: Log;
  readonly backOff?: BackOff;
}

export class ObjectRemovals {
  readonly #deps: ObjectRemovalsDeps;
  readonly #patience: BucketPatience;
  readonly #pending = new Map<string, RemovalFacts>();
  readonly #stopping = new AbortController();
  #work: Promise<void> | undefined;

  constructor(deps: ObjectRemovalsDeps) {
    this.#deps = deps;
    const { now, onTurn, backOff } = deps;
    this.#patience = new BucketPatience({ now, onTurn, onReady: () => this.#begin(), ...(backOff && { backOff }) });
  }

  get count(): number {
    return this.#pending.size;
  }

  get problem(): BucketProblem | null {
    return this.#pending.size > 0 ? this.#patience.problem : null;
  }

  async open(): Promise<void> {
    const stored = await this.#deps.rows.entries().catch((error) => {
      this.#deps.log.error({ err: error }, 'the table of objects to delete cannot be read');
      return new Map<string, RemovalFacts>();
    });
    for (const [uuid, facts] of stored) this.#pending.set(uuid, facts);
  }

  /** Resolves when the entry is stored. The deletion runs in the background. */
  async add(uuid: string, facts: Omit<RemovalFacts, 'since'>): Promise<void> {
    const noted = { ...facts, since: this.#deps.now().toISOString() };
    await this.#deps.rows.put(uuid, noted);
    this.#pending.set(uuid, noted);
    this.#begin();
  }

  retryNow(): void {
    this.#patience.retryNow();
  }

  /** Removes all entries from the table; the objects stay in the bucket. Returns the number of entries. */
  async forgetAll(): Promise<number> {
    const uuids = [...this.#pending.keys()];
    for (const uuid of uuids) await this.#forget(uuid);
    this.#patience.reset();
    return uuids.length;
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    this.#patience.reset();
    await this.#work;
  }

  #begin(): void {
    if (this.#work || this.#patience.isPaused || this.#stopping.signal.aborted || this.#pending.size === 0) return;
    this.#work = this.#removeAll().finally(() => {
      this.#work = undefined;
      // An entry may have been added while the last deletion completed.
      if (!this.#patience.isPaused) this.#begin();
    });
  }

  async #removeAll(): Promise<void> {
    for (const [uuid, facts] of this.#pending) {
      try {
        await this.#remove(facts);
        await this.#forget(uuid);
        this.#patience.worked();
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        const { words, retryAt } = this.#patience.failed(error, `delete ${facts.key}`);
        this.#deps.log.warn(
          { uuid, key: facts.key, problem: words, retryAt },
          'object could not be deleted from the bucket, will be retried',
        );
        // Moves the entry to the end, so that the next attempt starts with another entry.
        this.#pending.delete(uuid);
        this.#pending.set(uuid, facts);
        return;
      }
    }
  }

  async #remove({ place, key, uploadId }: RemovalFacts): Promise<void> {
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(removalTimeoutMs)]);
    const bucket = await this.#deps.bucketAt(place);
    if (uploadId !== '') await bucket.abortUpload({ key, uploadId }, signal);
    await bucket.remove(key, signal);
    this.#deps.log.info({ key, bucket: place.bucket }, 'object deleted');
  }

  async #forget(uuid: string): Promise<void> {
    await this.#deps.rows.remove(uuid);
    this.#pending.delete(uuid);
  }
}
