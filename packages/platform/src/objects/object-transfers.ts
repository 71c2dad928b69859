// The upload queue of the bucket: a few files in parallel, in order of arrival. A failed upload moves to the end of the queue and is
// retried without limit, unless the file is missing. The reason is reported.
import { stat } from 'node:fs/promises';
import type { BucketProblem, ObjectTransfer } from '@srs-stack/contract';
import type { BackOff } from '@srs-stack/process/back-off.ts';
import type { Log } from '@srs-stack/process/log.ts';
import type { Bucket, BucketPlace, StoredObject } from './bucket.ts';
import { BucketPatience } from './bucket-patience.ts';
import { defaultPartBytes, partBytesOf } from './part-plan.ts';
import { sendFile } from './send-file.ts';
import type { UploadMemories } from './upload-memory.ts';

/** Maximum number of parallel uploads. More than one, so that a slow completion does not block the next file. */
const filesAtOnce = 2;
/** Maximum number of rows in a response for a page. */
const maxShownTransfers = 500;

export interface FileOffer {
  readonly uuid: string;
  readonly path: string;
  /** Object key below the prefix. */
  readonly key: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** An existing object, which only needs verification. */
  readonly known?: StoredObject | undefined;
}

export interface ObjectTransfersDeps {
  readonly memories: UploadMemories;
  /** Destination; undefined while uploads are disabled. */
  readonly target: () => { place: BucketPlace; prefix: string } | undefined;
  readonly bucketAt: (place: BucketPlace) => Promise<Bucket>;
  /** Called when the object is verified. A rejection causes a retry of the upload. */
  readonly onStored: (uuid: string, object: StoredObject) => Promise<void>;
  readonly onTurn: (problem: BucketProblem | null) => void;
  readonly now: () => Date;
  readonly log: Log;
  readonly partBytes?: number;
  readonly backOff?: BackOff;
}

interface Transfer {
  readonly offer: FileOffer;
  readonly since: string;
  readonly abort: AbortController;
  state: ObjectTransfer['state'];
  sentBytes: number;
  problem: BucketProblem | null;
  ended: Promise<void>;
}

export class ObjectTransfers {
  readonly #deps: ObjectTransfersDeps;
  readonly #patience: BucketPatience;
  readonly #waiting = new Map<string, Transfer>();
  readonly #running = new Map<string, Transfer>();
  #isClosed = false;

  constructor(deps: ObjectTransfersDeps) {
    this.#deps = deps;
    const { now, onTurn, backOff } = deps;
    this.#patience = new BucketPatience({ now, onTurn, onReady: () => this.#startNext(), ...(backOff && { backOff }) });
  }

  get problem(): BucketProblem | null {
    return this.#waiting.size + this.#running.size > 0 ? this.#patience.problem : null;
  }

  /** Returns immediately. Ignores a file that is already in the queue. */
  offer(offer: FileOffer): void {
    if (this.#isClosed || this.#waiting.has(offer.uuid) || this.#running.has(offer.uuid)) return;
    const memory = this.#deps.memories.facts(offer.uuid);
    const since = memory?.since ?? this.#deps.now().toISOString();
    const rest = { sentBytes: 0, problem: null, ended: Promise.resolve() };
    this.#waiting.set(offer.uuid, { offer, since, abort: new AbortController(), state: 'waiting', ...rest });
    this.#startNext();
  }

  /** Stops the upload. Resolves when the file is no longer in use. The progress stays stored. */
  async cancel(uuid: string): Promise<void> {
    this.#waiting.delete(uuid);
    const transfer = this.#running.get(uuid);
    transfer?.abort.abort();
    await transfer?.ended;
    this.#waiting.delete(uuid);
  }

  rows(): ObjectTransfer[] {
    const all = [...this.#running.values(), ...this.#waiting.values()].slice(0, maxShownTransfers);
    const { problem } = this.#patience;
    return all.map((transfer) => ({
      ...{ uuid: transfer.offer.uuid, state: transfer.state, since: transfer.since },
      ...{ sentBytes: transfer.sentBytes, sizeBytes: transfer.offer.sizeBytes },
      problem: transfer.problem ? { ...transfer.problem, retryAt: problem?.retryAt ?? '' } : problem,
    }));
  }

  waiting(): { count: number; bytes: number } {
    const all = [...this.#running.values(), ...this.#waiting.values()];
    const bytes = all.reduce((sum, { offer, sentBytes }) => sum + offer.sizeBytes - sentBytes, 0);
    return { count: all.length, bytes };
  }

  retryNow(): void {
    this.#patience.retryNow();
  }

  /** Stops all uploads and empties the queue. The progress stays stored. */
  async clear(): Promise<void> {
    const all = [...this.#waiting.keys(), ...this.#running.keys()];
    this.#waiting.clear();
    await Promise.all(all.map((uuid) => this.cancel(uuid)));
    this.#patience.reset();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.clear();
  }

  #startNext(): void {
    while (!this.#isClosed && !this.#patience.isPaused && this.#running.size < filesAtOnce) {
      const [next] = this.#waiting;
      if (!next || !this.#deps.target()) return;
      const [uuid, transfer] = next;
      this.#waiting.delete(uuid);
      this.#running.set(uuid, transfer);
      transfer.ended = this.#run(transfer).finally(() => {
        this.#running.delete(uuid);
        this.#startNext();
      });
    }
  }

  async #run(transfer: Transfer): Promise<void> {
    const { offer, abort } = transfer;
    const { memories, log } = this.#deps;
    try {
      const object = await this.#send(transfer);
      abort.signal.throwIfAborted();
      await this.#deps.onStored(offer.uuid, object);
      await memories.forget(offer.uuid);
      log.info({ uuid: offer.uuid, key: object.key, sizeBytes: object.sizeBytes }, 'file was uploaded to the bucket');
      this.#patience.worked();
    } catch (error) {
      if (abort.signal.aborted) return;
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
        log.error({ uuid: offer.uuid, path: offer.path }, 'a file was deleted before it was uploaded');
        return;
      }
      const problem = this.#patience.failed(error, 'send the file');
      log.warn(
        { uuid: offer.uuid, problem: problem.words, retryAt: problem.retryAt },
        'file could not be uploaded to the bucket, will be retried',
      );
      // Moves the file to the end of the queue, so that a refused file does not block other files.
      const again = { sentBytes: transfer.sentBytes, state: 'waiting' as const, problem };
      this.#waiting.set(offer.uuid, { ...transfer, ...again });
    }
  }

  async #send(transfer: Transfer): Promise<StoredObject> {
    const { offer, abort } = transfer;
    const { bucketAt, memories, now } = this.#deps;
    const known = await this.#stillThere(transfer);
    if (known) return known;
    const { place, key, partBytes } = await this.#prepare(transfer);
    const file = { path: offer.path, sizeBytes: offer.sizeBytes, contentType: offer.contentType, key, partBytes };
    const facts = await sendFile({
      ...{ bucket: await bucketAt(place), file, memory: memories.of(offer.uuid), signal: abort.signal },
      onProgress: (progress) => Object.assign(transfer, progress),
    });
    return { place, key, ...facts, at: now().toISOString() };
  }

  /** The existing object, if the bucket still has the verified version. */
  async #stillThere({ offer: { known }, abort }: Transfer): Promise<StoredObject | undefined> {
    if (!known) return undefined;
    const facts = await (await this.#deps.bucketAt(known.place)).head(known.key, abort.signal);
    return facts?.etag === known.etag && facts.sizeBytes === known.sizeBytes ? known : undefined;
  }

  /** Continues an interrupted upload if file and destination are unchanged. */
  async #prepare({ offer, since }: Transfer): Promise<{ place: BucketPlace; key: string; partBytes: number }> {
    const { memories, target, partBytes: smallest = defaultPartBytes } = this.#deps;
    const aim = target();
    if (!aim) throw new Error('uploads are disabled');
    const { mtimeMs, size } = await stat(offer.path);
    if (size !== offer.sizeBytes)
      throw new Error(`the file has ${size} bytes instead of the expected ${offer.sizeBytes}`);
    const before = memories.facts(offer.uuid);
    const isSame = before?.sizeBytes === size && before.mtimeMs === mtimeMs && isEqualPlace(before.place, aim.place);
    if (isSame) return before;
    const facts = {
      ...{ place: aim.place, key: `${aim.prefix}${offer.key}`, sizeBytes: size, mtimeMs, since },
      ...{ partBytes: partBytesOf(size, smallest), uploadId: '' },
    };
    await memories.keep(offer.uuid, facts);
    return facts;
  }
}

function isEqualPlace(a: BucketPlace, b: BucketPlace): boolean {
  return a.endpoint === b.endpoint && a.region === b.region && a.bucket === b.bucket && a.pathStyle === b.pathStyle;
}
