// Uploads recordings to the cloud: each closed segment, then the files that complete the recording. Retries failures with growing pauses.
// Deletes local files after their upload. A restarted process continues unfinished uploads.
import { setTimeout as sleep } from 'node:timers/promises';
import { type BackOff, delayMs } from '@srs-stack/process/back-off.ts';
import type { Log } from '@srs-stack/process/log.ts';
import type { Collection } from '../../store/store.ts';
import type { RecordCatalogue } from '../record-catalogue.ts';
import type { RecordFacts } from '../record-facts.ts';
import type { StoredSegment } from '../record-folder.ts';
import { CloudError } from './cloud.ts';
import { newTransfer, noProblem, type TransferFacts } from './transfer-facts.ts';
import type { CloudFolder } from './transfer-ledger.ts';

/** Maximum number of parallel uploads: enough to fill a connection, few enough for small servers. */
const maxAtOnce = 4;
/** Pauses between attempts: short for brief outages, up to a minute for wrong keys. */
const backOff: BackOff = { firstMs: 1_000, capMs: 60_000, jitter: 0.2 };
/** Interval of polls for results of the cloud, milliseconds. */
export const lookUpIntervalMs = 10_000;

/** The steps that differ between DVR and VoD. Every step may be repeated. */
export interface Destination {
  next(job: TransferJob): Promise<StoredSegment | undefined>;
  upload(job: TransferJob, segment: StoredSegment): Promise<void>;
  /** Called after all uploads of an ended recording. */
  complete(job: TransferJob): Promise<void>;
  /** Polls for a pending result. Resolves even while there is no result. */
  lookUp?(job: TransferJob): Promise<void>;
}

export interface TransferJob {
  readonly recording: RecordFacts;
  readonly transfer: TransferFacts;
  readonly signal: AbortSignal;
  change(part: Partial<TransferFacts>): Promise<void>;
}

export interface TransfersDeps {
  readonly folder: CloudFolder;
  readonly catalogue: RecordCatalogue;
  readonly rows: Collection<TransferFacts>;
  readonly destination: Destination;
  readonly now: () => Date;
  readonly log: Log;
  readonly random?: () => number;
}

export class Transfers {
  readonly #deps: TransfersDeps;
  readonly #facts = new Map<string, TransferFacts>();
  readonly #jobs = new Map<string, { abort: AbortController; wake: AbortController; ended: Promise<void> }>();
  readonly #again = new Set<string>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #isClosed = false;

  constructor(deps: TransfersDeps) {
    this.#deps = deps;
  }

  /** Reads earlier progress. If the table cannot be read, unfinished uploads to VoD start from the beginning. */
  async open(): Promise<void> {
    const stored = await this.#deps.rows.entries().catch((error) => {
      this.#deps.log.error({ err: error }, 'the table of cloud uploads cannot be read, unfinished uploads start again');
      return new Map<string, TransferFacts>();
    });
    for (const [uuid, facts] of stored) this.#facts.set(uuid, { ...facts, retryAt: '' });
  }

  facts(uuid: string): TransferFacts {
    return this.#facts.get(uuid) ?? newTransfer;
  }

  /** Adds work for a recording: after a new segment, after the end of the recording, or after a restart with unfinished uploads. */
  enqueue(uuid: string): void {
    if (this.#isClosed) return;
    if (this.#jobs.has(uuid)) {
      this.#again.add(uuid);
      return;
    }
    const job = { abort: new AbortController(), wake: new AbortController(), ended: Promise.resolve() };
    this.#jobs.set(uuid, job);
    job.ended = this.#run(uuid, job.abort.signal).finally(() => {
      this.#jobs.delete(uuid);
      if (this.#again.delete(uuid)) this.enqueue(uuid);
    });
  }

  retryNow(): void {
    for (const job of this.#jobs.values()) {
      job.wake.abort();
      job.wake = new AbortController();
    }
  }

  async lookUp(signal: AbortSignal): Promise<void> {
    const { destination, catalogue } = this.#deps;
    if (!destination.lookUp) return;
    for (const [uuid, { taskId, task }] of this.#facts) {
      const recording = catalogue.get(uuid);
      if (taskId === '' || task !== null || recording?.state !== 'done') continue;
      await destination.lookUp(this.#job(recording, signal)).catch((error) => this.#note(uuid, error, ''));
    }
  }

  async drop(uuid: string): Promise<void> {
    this.#again.delete(uuid);
    const job = this.#jobs.get(uuid);
    job?.abort.abort();
    await job?.ended;
    this.#facts.delete(uuid);
    await this.#deps.rows.remove(uuid);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#again.clear();
    const jobs = [...this.#jobs.values()];
    for (const { abort } of jobs) abort.abort();
    await Promise.all(jobs.map(({ ended }) => ended));
  }

  async #run(uuid: string, signal: AbortSignal): Promise<void> {
    const { log, now, random = Math.random } = this.#deps;
    for (let failures = 0; !signal.aborted; ) {
      try {
        if (!(await this.#inTurn(() => this.#step(uuid, signal)))) return;
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        const pauseMs = delayMs(backOff, failures, random);
        await this.#note(uuid, error, new Date(now().getTime() + pauseMs).toISOString());
        log.warn(
          { err: error, uuid, failures, pauseMs },
          'recording could not be uploaded to the cloud, will be retried',
        );
        await this.#pause(uuid, pauseMs, signal);
      }
    }
  }

  /** Runs one step; false when no work is left. */
  async #step(uuid: string, signal: AbortSignal): Promise<boolean> {
    const { destination, catalogue, folder, log } = this.#deps;
    const recording = catalogue.get(uuid);
    if (!recording || recording.state === 'done' || signal.aborted) return false;
    const job = this.#job(recording, signal);
    const segment = await destination.next(job);
    if (segment) {
      try {
        await destination.upload(job, segment);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        log.error({ uuid, sequence: segment.sequence }, 'a segment was deleted before it was uploaded');
        await folder.removeLocal(uuid, segment);
      }
      const { size: uploaded } = await folder.uploaded(uuid);
      await job.change({ ...noProblem, uploaded });
      return true;
    }
    if (recording.state === 'recording') return false;
    await destination.complete(job);
    await this.#finish(recording);
    return false;
  }

  async #finish(recording: RecordFacts): Promise<void> {
    const { catalogue, folder, now, log } = this.#deps;
    const done: RecordFacts = { ...recording, state: 'done', update: now().toISOString() };
    await folder.writeFacts(done).catch((error) => log.error({ err: error }, 'recording.json not written'));
    await catalogue.keep(done);
    await this.#change(recording.uuid, noProblem);
    folder.forget(recording.uuid);
    log.info({ uuid: done.uuid, stream: done.stream, segments: done.nn }, 'recording was uploaded to the cloud');
  }

  #job(recording: RecordFacts, signal: AbortSignal): TransferJob {
    const facts = () => this.facts(recording.uuid);
    return {
      recording,
      get transfer() {
        return facts();
      },
      signal,
      change: (part) => this.#change(recording.uuid, part),
    };
  }

  async #note(uuid: string, error: unknown, retryAt: string): Promise<void> {
    const [problemKind, problemCode] =
      error instanceof CloudError ? [error.kind, error.code] : (['refused', ''] as const);
    await this.#change(uuid, { problemKind, problem: (error as Error).message, problemCode, retryAt });
  }

  async #change(uuid: string, part: Partial<TransferFacts>): Promise<void> {
    if (!this.#deps.catalogue.get(uuid)) return;
    const next = { ...this.facts(uuid), ...part };
    this.#facts.set(uuid, next);
    await this.#deps.rows.put(uuid, next).catch((error) => {
      this.#deps.log.error({ err: error, uuid }, 'state of a cloud upload could not be stored');
    });
  }

  async #pause(uuid: string, pauseMs: number, signal: AbortSignal): Promise<void> {
    const wake = this.#jobs.get(uuid)?.wake.signal;
    const either = wake ? AbortSignal.any([signal, wake]) : signal;
    await sleep(pauseMs, undefined, { signal: either, ref: false }).catch(() => undefined);
  }

  async #inTurn<T>(step: () => Promise<T>): Promise<T> {
    while (this.#running >= maxAtOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
    try {
      return await step();
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }
}
