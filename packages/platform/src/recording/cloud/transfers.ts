// Takes recordings to the cloud: each segment as it closes, then what completes the recording. Whatever fails is tried again,
// later and later; nothing local goes before the cloud has it. What a process left undone, the next one does.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@srs-stack/process/log.ts';
import type { Collection } from '../../store/store.ts';
import { type BackOff, delayMs } from '../../workers/back-off.ts';
import type { RecordCatalogue } from '../record-catalogue.ts';
import type { RecordFacts } from '../record-facts.ts';
import type { StoredSegment } from '../record-folder.ts';
import { CloudError } from './cloud.ts';
import { newTransfer, noProblem, type TransferFacts } from './transfer-facts.ts';
import type { CloudFolder } from './transfer-ledger.ts';

/** Uploads at one time: enough to fill a line, few enough for small machines. */
const maxAtOnce = 4;
/** Between attempts: a wrong key does not get better within seconds, a blip does. */
const backOff: BackOff = { firstMs: 1_000, capMs: 60_000, jitter: 0.2 };
/** How often results of the cloud's own work are asked for, milliseconds. */
export const lookUpIntervalMs = 10_000;

/** What differs between DVR and VoD. Each step may be repeated. */
export interface Destination {
  /** The next segment to upload; undefined when all that can go is there. */
  next(job: TransferJob): Promise<StoredSegment | undefined>;
  upload(job: TransferJob, segment: StoredSegment): Promise<void>;
  /** Everything is uploaded and nothing comes any more. */
  complete(job: TransferJob): Promise<void>;
  /** Asks for a result the cloud still owes; resolves when nothing is known yet, too. */
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

  /** Reads what was done before; a table that cannot be read means that uploads are done again. */
  async open(): Promise<void> {
    const stored = await this.#deps.rows.entries().catch((error) => {
      this.#deps.log.error({ err: error }, 'the table of transfers cannot be read, uploads begin again');
      return new Map<string, TransferFacts>();
    });
    for (const [uuid, facts] of stored) this.#facts.set(uuid, { ...facts, retryAt: '' });
  }

  facts(uuid: string): TransferFacts {
    return this.#facts.get(uuid) ?? newTransfer;
  }

  /** There is something to do: a new segment, the end of the recording, a start of the server. Returns at once. */
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

  /** Tries again now what waits after a failure. */
  retryNow(): void {
    for (const job of this.#jobs.values()) {
      job.wake.abort();
      job.wake = new AbortController();
    }
  }

  /** Asks for results of finished recordings that are still owed. */
  async lookUp(signal: AbortSignal): Promise<void> {
    const { destination, catalogue } = this.#deps;
    if (!destination.lookUp) return;
    for (const [uuid, { taskId, task }] of this.#facts) {
      const recording = catalogue.get(uuid);
      if (taskId === '' || task !== null || recording?.state !== 'done') continue;
      await destination.lookUp(this.#job(recording, signal)).catch((error) => this.#note(uuid, error, ''));
    }
  }

  /** Stops working on a recording and forgets its transfer. */
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
        log.warn({ err: error, uuid, failures, pauseMs }, 'not uploaded, tried again later');
        await this.#pause(uuid, pauseMs, signal);
      }
    }
  }

  /** False when nothing is left to do for now. */
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
        log.error({ uuid, sequence: segment.sequence }, 'a segment vanished before it was uploaded');
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
    log.info({ uuid: done.uuid, stream: done.stream, segments: done.nn }, 'recording is in the cloud');
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
    const problemKind = error instanceof CloudError ? error.kind : 'refused';
    await this.#change(uuid, { problemKind, problem: (error as Error).message, retryAt });
  }

  async #change(uuid: string, part: Partial<TransferFacts>): Promise<void> {
    if (!this.#deps.catalogue.get(uuid)) return;
    const next = { ...this.facts(uuid), ...part };
    this.#facts.set(uuid, next);
    await this.#deps.rows.put(uuid, next).catch((error) => {
      this.#deps.log.error({ err: error, uuid }, 'transfer not stored');
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
