// Object storage for other modules: bucket settings, upload queue, and reading from the bucket.
import type { Readable } from 'node:stream';
import {
  AppError,
  type BucketProblem,
  type BucketTestResult,
  changed,
  type LocalCopyChoice,
  type ObjectTransfer,
  verbatim,
} from '@srs-stack/contract';
import type { BackOff } from '@srs-stack/process/back-off.ts';
import type { Log } from '@srs-stack/process/log.ts';
import type { Actor } from '../actor.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { Store } from '../store/store.ts';
import type { BucketPlace, OpenBucket, ReadRange, StoredObject } from './bucket.ts';
import { type BucketSettings, openBucketSettings, type TypedBucket, type TypedSettings } from './bucket-settings.ts';
import { tryBucket } from './bucket-trial.ts';
import { ObjectRemovals } from './object-removals.ts';
import { type FileOffer, ObjectTransfers } from './object-transfers.ts';
import { OpenBuckets } from './open-buckets.ts';
import { isOpenToBrowsers } from './place-rule.ts';
import { openS3Bucket } from './s3-bucket.ts';
import { toBucketError } from './s3-errors.ts';
import { partCollection, removalCollection, transferCollection } from './transfer-facts.ts';
import { UploadMemories } from './upload-memory.ts';

/** Validity of a link to the bucket, seconds. Viewers can seek for this long after playback starts. */
const linkSeconds = 3_600;

/** Maximum number of objects that viewers read in parallel: fewer than connections to a bucket, so that no viewer waits. */
const maxViewers = 64;
/** Interval at which the name of an endpoint is resolved again, milliseconds. */
const opennessMs = 60_000;

/** An owner of uploaded files: recordings, or media files. Each owner ignores results for files of other owners. */
interface ObjectOwner {
  onStored(uuid: string, object: StoredObject): Promise<void>;
  /** Called when the upload settings or the handling of local copies has changed. */
  onSettings(): void | Promise<void>;
}

export interface Objects {
  settings(): BucketSettings;
  revision(): string;
  /** How viewers get a file that this server has only in the bucket: through this server, or directly from the bucket. */
  delivers(): Promise<'server' | 'direct'>;
  /** Throws `settingsChanged`, `bucketSettingsIncomplete` or `addressRefused`. */
  change(typed: TypedSettings, save: { revision?: string | undefined; actor: Actor }): Promise<void>;
  test(typed: TypedBucket): Promise<BucketTestResult>;
  status(): { waiting: { count: number; bytes: number }; problem: BucketProblem | null; removals: RemovalStatus };
  transfers(): ObjectTransfer[];
  retryNow(): void;
  forgetRemovals(actor: Actor): Promise<void>;
  own(owner: ObjectOwner): void;
  /** What happens to local copies of recordings; undefined while uploads are disabled. */
  recordings(): LocalCopyChoice | undefined;
  offer(offer: FileOffer): void;
  /** Stops the upload of a file. Resolves when the file is no longer in use. */
  cancel(uuid: string): Promise<void>;
  /** Deletes the object of a file in the background. Resolves when the deletion is recorded. */
  remove(uuid: string, object: StoredObject | undefined): Promise<void>;
  /** Throws `bucketFailed`, or `serverBusy` while too many viewers read. */
  read(object: StoredObject, range: Omit<ReadRange, 'etag'>, signal: AbortSignal): Promise<Readable>;
  /** Throws `bucketFailed`. */
  link(object: StoredObject, options: { contentType: string; saveAs: string | undefined }): Promise<string>;
  start(): void;
  close(): Promise<void>;
}

interface RemovalStatus {
  readonly count: number;
  readonly problem: BucketProblem | null;
}

export interface ObjectsDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly now: () => Date;
  readonly log: Log;
  /** Called when the bucket begins to fail, when the reason changes, and with null when the bucket works again. */
  readonly onBucket?: (bucket: string, problem: BucketProblem | null) => void;
  readonly openBucket?: OpenBucket;
  readonly partBytes?: number;
  readonly backOff?: BackOff;
}

export async function openObjects(deps: ObjectsDeps): Promise<Objects> {
  const { store, log, now, openBucket = openS3Bucket, onBucket = () => undefined, backOff, partBytes } = deps;
  const settings = await openBucketSettings(deps);
  const buckets = new OpenBuckets(openBucket, () => settings.current().keys);
  const bucketAt = (place: BucketPlace) => buckets.at(place);
  const memories = new UploadMemories(store.collection(transferCollection), store.collection(partCollection));
  await memories.open(log);
  const onTurn = (problem: BucketProblem | null) => onBucket(settings.current().place.bucket, problem);
  const common = { bucketAt, now, log, onTurn, ...(backOff && { backOff }) };
  const removals = new ObjectRemovals({ ...common, rows: store.collection(removalCollection) });
  await removals.open();
  return new BucketObjects({ ...deps, ...common, settings, buckets, memories, removals, openBucket }, partBytes);
}

interface Parts extends ObjectsDeps {
  readonly settings: Awaited<ReturnType<typeof openBucketSettings>>;
  readonly buckets: OpenBuckets;
  readonly bucketAt: OpenBuckets['at'];
  readonly memories: UploadMemories;
  readonly removals: ObjectRemovals;
  readonly openBucket: OpenBucket;
  readonly onTurn: (problem: BucketProblem | null) => void;
}

class BucketObjects implements Objects {
  readonly #parts: Parts;
  readonly #transfers: ObjectTransfers;
  readonly #owners: ObjectOwner[] = [];
  #isStarted = false;
  #viewers = 0;
  #openness: { endpoint: string; atMs: number; isOpen: Promise<boolean> } | undefined;

  constructor(parts: Parts, partBytes: number | undefined) {
    this.#parts = parts;
    this.#transfers = new ObjectTransfers({
      ...parts,
      target: () => {
        const { on, place, prefix } = parts.settings.current();
        return on && this.#isStarted ? { place, prefix } : undefined;
      },
      onStored: async (uuid, object) => {
        for (const owner of this.#owners) await owner.onStored(uuid, object);
      },
      ...(partBytes !== undefined && { partBytes }),
    });
    parts.settings.onOthersChange(() => this.#followSettings());
  }

  settings(): BucketSettings {
    return this.#parts.settings.current();
  }

  revision(): string {
    return this.#parts.settings.revision();
  }

  async delivers(): Promise<'server' | 'direct'> {
    const { delivery, place } = this.settings();
    if (delivery !== 'auto') return delivery;
    const { endpoint } = place;
    if (this.#openness?.endpoint !== endpoint || performance.now() - this.#openness.atMs > opennessMs)
      this.#openness = { endpoint, atMs: performance.now(), isOpen: isOpenToBrowsers(place) };
    return (await this.#openness.isOpen) ? 'direct' : 'server';
  }

  async change(typed: TypedSettings, save: { revision?: string | undefined; actor: Actor }): Promise<void> {
    await this.#parts.settings.change(typed, save);
    await this.#followSettings();
  }

  async #followSettings(): Promise<void> {
    // Empties the queue. `onSettings` adds the files again, and uploads continue from the stored progress.
    await this.#transfers.clear();
    this.#parts.buckets.close();
    this.#parts.removals.retryNow();
    for (const owner of this.#owners) await owner.onSettings();
  }

  async test(typed: TypedBucket): Promise<BucketTestResult> {
    const { openBucket } = this.#parts;
    const result = await tryBucket({ ...this.#parts.settings.complete(typed), openBucket });
    if (result.ok) this.retryNow();
    return result;
  }

  status(): ReturnType<Objects['status']> {
    const { removals } = this.#parts;
    const { problem } = this.#transfers;
    return {
      waiting: this.#transfers.waiting(),
      problem,
      removals: { count: removals.count, problem: removals.problem },
    };
  }

  transfers(): ObjectTransfer[] {
    return this.#transfers.rows();
  }

  retryNow(): void {
    this.#transfers.retryNow();
    this.#parts.removals.retryNow();
  }

  async forgetRemovals(actor: Actor): Promise<void> {
    const count = await this.#parts.removals.forgetAll();
    if (count > 0)
      await this.#parts.audit.record('setting-changed', actor, changed('bucket.removals-forgotten', { count }));
  }

  own(owner: ObjectOwner): void {
    this.#owners.push(owner);
  }

  recordings(): LocalCopyChoice | undefined {
    const { on, local } = this.settings();
    return on ? local : undefined;
  }

  offer(offer: FileOffer): void {
    this.#transfers.offer(offer);
  }

  cancel(uuid: string): Promise<void> {
    return this.#transfers.cancel(uuid);
  }

  async remove(uuid: string, object: StoredObject | undefined): Promise<void> {
    await this.cancel(uuid);
    const { memories, removals } = this.#parts;
    const begun = memories.facts(uuid);
    const { place, key } = object ?? begun ?? {};
    if (!place || key === undefined) return;
    const isBegun = begun !== undefined && begun.key === key;
    await removals.add(uuid, { place, key, uploadId: isBegun ? begun.uploadId : '' });
    await memories.forget(uuid);
  }

  async read(object: StoredObject, range: Omit<ReadRange, 'etag'>, signal: AbortSignal): Promise<Readable> {
    if (this.#viewers >= maxViewers) throw new AppError('serverBusy');
    this.#viewers += 1;
    const onEnd = () => {
      this.#viewers -= 1;
    };
    return this.#reporting(object, async () => {
      const bucket = await this.#parts.bucketAt(object.place);
      const { body } = await bucket.read(object.key, { ...range, etag: object.etag }, signal, 'viewer');
      body.once('close', onEnd);
      return body;
    }).catch((error) => {
      onEnd();
      throw error;
    });
  }

  async link(object: StoredObject, options: { contentType: string; saveAs: string | undefined }): Promise<string> {
    return this.#reporting(object, async () => {
      const bucket = await this.#parts.bucketAt(object.place);
      return bucket.link(object.key, { ...options, seconds: linkSeconds });
    });
  }

  start(): void {
    this.#isStarted = true;
    this.retryNow();
  }

  async close(): Promise<void> {
    await Promise.all([this.#transfers.close(), this.#parts.removals.close()]);
    this.#parts.buckets.close();
  }

  async #reporting<T>({ key }: StoredObject, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#parts.log.warn({ err: error, key }, 'the bucket did not return an object');
      throw new AppError('bucketFailed', verbatim(toBucketError(error, `read ${key}`).message), { cause: error });
    }
  }
}
