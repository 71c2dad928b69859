// Uploads finished recordings to the bucket and decides when local copies are deleted.
import type { Log } from '@srs-stack/process/log.ts';
import type { StoredObject } from '../objects/bucket.ts';
import type { Objects } from '../objects/open-objects.ts';
import type { Posters } from './mp4/poster.ts';
import type { RecordCatalogue } from './record-catalogue.ts';
import type { RecordFacts } from './record-facts.ts';
import { mp4Name, type RecordFolder } from './record-folder.ts';

export type RecordBucket = Pick<
  Objects,
  'own' | 'recordings' | 'offer' | 'cancel' | 'remove' | 'read' | 'link' | 'delivers'
>;

/** Segments stay this long after their last request, milliseconds: longer than viewers usually pause. */
const playlistUseMs = 5 * 60_000;
/** Maximum number of recordings with a remembered last request. The least recently requested recording is dropped first. */
const maxRememberedUses = 10_000;

interface StoredTotals {
  readonly count: number;
  readonly bytes: number;
}

export interface RecordObjects {
  /** Called when a recording is finished, or restored from the recycle bin. */
  offer(facts: RecordFacts): void;
  /** Offers all recordings: at the start, after changed settings, and regularly for segments no longer in use. */
  offerAll(): void;
  /** Notes that segments are being played, which delays their deletion. */
  onPlaylistUse(uuid: string): void;
  cancel(uuid: string): Promise<void>;
  remove(facts: RecordFacts): Promise<void>;
  totals(): { stored: StoredTotals; onlyThere: StoredTotals; onlyHere: StoredTotals };
}

export interface RecordObjectsDeps {
  readonly bucket: RecordBucket;
  readonly folder: RecordFolder;
  readonly catalogue: RecordCatalogue;
  readonly posters: Posters;
  readonly monotonicMs: () => number;
  readonly log: Log;
}

export function createRecordObjects(deps: RecordObjectsDeps): RecordObjects {
  const objects = new BucketRecords(deps);
  deps.bucket.own(objects);
  return objects;
}

class BucketRecords implements RecordObjects {
  readonly #deps: RecordObjectsDeps;
  readonly #usedAtMs = new Map<string, number>();

  constructor(deps: RecordObjectsDeps) {
    this.#deps = deps;
  }

  offer(facts: RecordFacts): void {
    const { bucket, folder } = this.#deps;
    const local = bucket.recordings();
    if (local === undefined || facts.state !== 'done' || facts.mp4Size === 0 || facts.isAway) return;
    // Queues an uploaded recording again to delete its local copy. The upload queue first verifies the object.
    if (facts.object && (local === 'keep' || this.#staysHere(facts))) return;
    bucket.offer({
      ...{ uuid: facts.uuid, path: folder.pathOf(facts.uuid, mp4Name), key: keyOf(facts) },
      ...{ contentType: 'video/mp4', sizeBytes: facts.mp4Size, known: facts.object },
    });
  }

  offerAll(): void {
    for (const facts of this.#rows().toReversed()) this.offer(facts);
  }

  onPlaylistUse(uuid: string): void {
    this.#usedAtMs.delete(uuid);
    this.#usedAtMs.set(uuid, this.#deps.monotonicMs());
    const oldest = this.#usedAtMs.keys().next().value;
    if (this.#usedAtMs.size > maxRememberedUses && oldest !== undefined) this.#usedAtMs.delete(oldest);
  }

  cancel(uuid: string): Promise<void> {
    return this.#deps.bucket.cancel(uuid);
  }

  remove(facts: RecordFacts): Promise<void> {
    return this.#deps.bucket.remove(facts.uuid, facts.object);
  }

  totals(): ReturnType<RecordObjects['totals']> {
    const sumOf = (some: readonly RecordFacts[]) => ({
      count: some.length,
      bytes: some.reduce((sum, { mp4Size }) => sum + mp4Size, 0),
    });
    const finished = this.#rows().filter(({ state, mp4Size }) => state === 'done' && mp4Size > 0);
    const stored = finished.filter(({ object }) => object !== undefined);
    return {
      stored: sumOf(stored),
      onlyThere: sumOf(stored.filter(({ isAway }) => isAway)),
      onlyHere: sumOf(finished.filter(({ object }) => object === undefined)),
    };
  }

  onSettings(): void {
    this.offerAll();
  }

  async onStored(uuid: string, object: StoredObject): Promise<void> {
    const { catalogue, folder, bucket } = this.#deps;
    const facts = catalogue.get(uuid);
    // The recording was deleted during the upload. The deletion also removes the object.
    if (!facts) return;
    const stored: RecordFacts = { ...facts, object };
    await folder.writeFacts(stored);
    await catalogue.keep(stored);
    if (bucket.recordings() === 'remove' && !this.#staysHere(stored)) await this.#removeLocal(stored);
  }

  /** Deletes the local media except the poster. The next start continues after an interruption. */
  async #removeLocal(facts: RecordFacts): Promise<void> {
    const { catalogue, folder, posters, log } = this.#deps;
    await posters.find(facts.uuid);
    const bucketOnly: RecordFacts = { ...facts, isAway: true };
    await folder.writeFacts(bucketOnly);
    await catalogue.keep(bucketOnly);
    await folder.removeMedia(facts.uuid);
    log.info({ uuid: facts.uuid, key: facts.object?.key }, 'local copy of a recording removed after its upload');
  }

  /** Segments stay while they are in use, and if the MP4 is incomplete: then only the segments are complete. */
  #staysHere({ uuid, problemKind }: RecordFacts): boolean {
    return problemKind === 'incomplete' || this.#isInUse(uuid);
  }

  #isInUse(uuid: string): boolean {
    const usedAtMs = this.#usedAtMs.get(uuid);
    return usedAtMs !== undefined && this.#deps.monotonicMs() - usedAtMs < playlistUseMs;
  }

  #rows(): readonly RecordFacts[] {
    return this.#deps.catalogue.list({ search: '', offset: 0, limit: undefined });
  }
}

/** Object key below the prefix: app, stream, start time and uuid. Contains only characters that every S3 service allows. */
function keyOf({ app, stream, begin, uuid }: RecordFacts): string {
  const plain = (text: string) => text.replace(/[^\w.-]/g, '_').replace(/^\.+/, '_') || 'unknown';
  return `${plain(app)}/${plain(stream)}/${plain(begin.slice(0, 19).replaceAll(':', '-'))}-${uuid}.mp4`;
}
