// Finished recordings and the bucket: what is offered to it, what is kept of it, and when the local copy goes.
import type { Log } from '@srs-stack/process/log.ts';
import type { StoredObject } from '../objects/bucket.ts';
import type { Objects } from '../objects/open-objects.ts';
import type { Posters } from './mp4/poster.ts';
import type { RecordCatalogue } from './record-catalogue.ts';
import type { RecordFacts } from './record-facts.ts';
import { mp4Name, type RecordFolder } from './record-folder.ts';

/** What recordings need of the bucket. */
export type RecordBucket = Pick<
  Objects,
  'own' | 'recordings' | 'offer' | 'cancel' | 'remove' | 'read' | 'link' | 'delivers'
>;

/** Slices stay so long after somebody fetched one, milliseconds: longer than a pause in watching. */
const playlistUseMs = 5 * 60_000;
/** Recordings whose use is remembered; the longest unused go first. */
const maxRememberedUses = 10_000;

interface StoredTotals {
  readonly count: number;
  readonly bytes: number;
}

export interface RecordObjects {
  /** A recording is finished, or was taken out of the bin. */
  offer(facts: RecordFacts): void;
  /** Everything that is there: a start, other settings, or slices that nobody plays any more. */
  offerAll(): void;
  /** Somebody plays it as slices: they stay for a while. */
  onPlaylistUse(uuid: string): void;
  /** It goes to the bin: nothing more of it is sent. */
  cancel(uuid: string): Promise<void>;
  /** It goes for good: the bucket is to forget it, too. */
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
    // One that is there already is offered again where its local copy is to go: it is looked at first.
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
    // Gone meanwhile: what deleted it has noted the object.
    if (!facts) return;
    const stored: RecordFacts = { ...facts, object };
    await folder.writeFacts(stored);
    await catalogue.keep(stored);
    if (bucket.recordings() === 'remove' && !this.#staysHere(stored)) await this.#removeLocal(stored);
  }

  /** The picture stays; whatever interrupts it, the next start goes on. */
  async #removeLocal(facts: RecordFacts): Promise<void> {
    const { catalogue, folder, posters, log } = this.#deps;
    await posters.find(facts.uuid);
    const away: RecordFacts = { ...facts, isAway: true };
    await folder.writeFacts(away);
    await catalogue.keep(away);
    await folder.removeMedia(facts.uuid);
    log.info({ uuid: facts.uuid, key: facts.object?.key }, 'local copy of the recording removed, the bucket has it');
  }

  /** Of an MP4 that lacks something the slices are all there is. */
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

/** Below the prefix: whose stream it was and when, in characters that every service takes. */
function keyOf({ app, stream, begin, uuid }: RecordFacts): string {
  const plain = (text: string) => text.replace(/[^\w.-]/g, '_').replace(/^\.+/, '_') || 'unknown';
  return `${plain(app)}/${plain(stream)}/${plain(begin.slice(0, 19).replaceAll(':', '-'))}-${uuid}.mp4`;
}
