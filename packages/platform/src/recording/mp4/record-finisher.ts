// Converts ended recordings to MP4: playlist, remux, atomic rename, copy for the operator, state "done". After an interruption the next
// start repeats the job from the segments.
import { rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, type RecordProblemKind } from '@srs-stack/contract';
import { flushToDisk } from '@srs-stack/process/atomic-file.ts';
import type { Log } from '@srs-stack/process/log.ts';
import { type DiskWatch, isDiskFull } from '../disk-space.ts';
import type { RecordCatalogue } from '../record-catalogue.ts';
import { noProblem, type RecordFacts } from '../record-facts.ts';
import { copyWhole, mp4Name, partSuffix, type RecordFolder } from '../record-folder.ts';
import { writePlaylist } from '../segments/playlist-text.ts';
import { type RecordedSegment, writeSegmentName } from '../segments/segment-name.ts';
import { compareMp4, type ExpectedMp4, expectedMp4 } from './compare-mp4.ts';
import { lookInto } from './recording-look.ts';
import { type Mp4Job, makeMp4, type RunFfmpeg } from './remux.ts';
import { writeRemuxInputs } from './remux-inputs.ts';
import type { RemuxPlan } from './remux-plan.ts';

/** Maximum number of parallel remuxes, which load the disk more than the processor. */
const maxAtOnce = 2;
/** After this many attempts a recording counts as failed. The segments of a failed recording stay playable. */
const maxAttempts = 3;
/** Pause before an attempt, milliseconds, multiplied by the number of the attempt. */
const retryPauseMs = 1_000;
/** Interval of checks for disk space, milliseconds. */
const roomPauseMs = 10_000;
/** Timeout of a remux, milliseconds: enough for a day of 10 Mbit/s on a slow disk. */
const remuxTimeoutMs = 60 * 60_000;

type RemuxJob = Omit<Mp4Job, 'output' | 'indexBytes'>;
type RecordProblem = Pick<RecordFacts, 'problemKind' | 'problem'>;
const waitsForRoom: RecordProblem = { problemKind: 'room', problem: 'waiting for disk space' };

export interface RecordFinisherDeps {
  readonly folder: RecordFolder;
  readonly catalogue: RecordCatalogue;
  readonly disk: DiskWatch;
  readonly runFfmpeg: RunFfmpeg;
  readonly copyFolder: () => Promise<string | undefined>;
  readonly onDone: (facts: RecordFacts) => void;
  readonly now: () => Date;
  readonly log: Log;
}

interface Job {
  readonly uuid: string;
  readonly abort: AbortController;
  readonly ended: Promise<void>;
  readonly onEnded: () => void;
}

export class RecordFinisher {
  readonly #deps: RecordFinisherDeps;
  readonly #waiting: Job[] = [];
  readonly #running = new Map<string, Job>();
  #isClosed = false;

  constructor(deps: RecordFinisherDeps) {
    this.#deps = deps;
  }

  enqueue(uuid: string): void {
    if (this.#isClosed || this.#find(uuid)) return;
    const { promise: ended, resolve: onEnded } = Promise.withResolvers<void>();
    this.#waiting.push({ uuid, abort: new AbortController(), ended, onEnded });
    this.#startNext();
  }

  /** Resolves when the recording is no longer in use. */
  async cancel(uuid: string): Promise<void> {
    const job = this.#find(uuid);
    if (!job) return;
    job.abort.abort();
    const place = this.#waiting.indexOf(job);
    if (place < 0) return job.ended;
    this.#waiting.splice(place, 1);
    job.onEnded();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const jobs = [...this.#waiting, ...this.#running.values()];
    await Promise.all(jobs.map(({ uuid }) => this.cancel(uuid)));
  }

  #find(uuid: string): Job | undefined {
    return this.#running.get(uuid) ?? this.#waiting.find((job) => job.uuid === uuid);
  }

  #startNext(): void {
    if (this.#isClosed || this.#running.size >= maxAtOnce) return;
    const job = this.#waiting.shift();
    if (!job) return;
    this.#running.set(job.uuid, job);
    this.#finish(job)
      .catch((error) => {
        if (!job.abort.signal.aborted)
          this.#deps.log.error({ err: error, uuid: job.uuid }, 'recording could not be finished');
      })
      .finally(() => {
        this.#running.delete(job.uuid);
        job.onEnded();
        this.#startNext();
      });
    this.#startNext();
  }

  async #finish({ uuid, abort }: Job): Promise<void> {
    const { folder, catalogue, now, onDone, log } = this.#deps;
    let problem: RecordProblem = noProblem;
    let mp4Size = 0;
    for (let attempt = 1; attempt <= maxAttempts && mp4Size === 0; attempt++) {
      if (attempt > 1) await sleep(retryPauseMs * attempt, undefined, { signal: abort.signal });
      await this.#waitForRoom(uuid, abort.signal);
      try {
        ({ mp4Size, problem } = await this.#remux(uuid, abort.signal));
      } catch (error) {
        abort.signal.throwIfAborted();
        problem = toProblem(error, 'remux');
        log.warn({ uuid, attempt, ...problem }, 'MP4 of the recording could not be created');
        // An attempt that fails on a full disk does not count.
        if (isDiskFull(error) || /no space left/i.test(problem.problem)) {
          this.#deps.disk.onDiskFull();
          attempt -= 1;
        }
      }
    }
    if (mp4Size > 0) problem = bothOf(problem, await this.#copy(uuid));
    const facts = catalogue.get(uuid);
    if (!facts) return;
    const done: RecordFacts = {
      ...facts,
      state: mp4Size > 0 ? 'done' : 'failed',
      mp4Size,
      ...problem,
      update: now().toISOString(),
    };
    await folder.writeFacts(done).catch((error) => log.error({ err: error, uuid }, 'recording.json not written'));
    await catalogue.keep(done);
    log.info({ uuid, stream: done.stream, duration: done.duration, mp4Size, ...problem }, 'recording finished');
    onDone(done);
  }

  /** Waits until the disk has space for the MP4: about the size of the segments. */
  async #waitForRoom(uuid: string, signal: AbortSignal): Promise<void> {
    const { catalogue, disk } = this.#deps;
    for (;;) {
      const facts = catalogue.get(uuid);
      const { freeBytes, state } = await disk.look();
      const hasRoom = facts === undefined || (state !== 'full' && freeBytes > facts.size);
      const problem = hasRoom ? noProblem : waitsForRoom;
      if (facts && facts.problem !== problem.problem) catalogue.show({ ...facts, ...problem });
      if (hasRoom) return;
      await sleep(roomPauseMs, undefined, { signal });
    }
  }

  async #remux(uuid: string, signal: AbortSignal): Promise<{ mp4Size: number; problem: RecordProblem }> {
    const { folder, runFfmpeg } = this.#deps;
    const segments = await folder.segments(uuid);
    if (segments.length === 0) throw new NotFinishedError('segments', 'the recording has no segments');
    await folder.removeParts(uuid);
    await folder.writePlaylist(uuid, writePlaylist(segments, ''));
    const target = folder.pathOf(uuid, mp4Name);
    const part = target + partSuffix;
    const media = {
      durationMs: segments.reduce((sum, { durationMs }) => sum + durationMs, 0),
      sizeBytes: segments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    };
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(remuxTimeoutMs)]);
    const plan = await lookInto(segments, { pathOf: (segment) => this.#pathOf(uuid, segment), signal: bounded });
    const job = await this.#jobOf({ folder: folder.pathOf(uuid, ''), segments, signal: bounded }, plan);
    const ending = await makeMp4(runFfmpeg, { ...job, output: part }, media, bounded);
    signal.throwIfAborted();
    if (ending.limit)
      throw new NotFinishedError('limit', `FFmpeg reached a resource limit (${ending.limit}). ${ending.message}`);
    if (ending.wasKilled) throw new NotFinishedError('killed', `FFmpeg was killed. ${ending.message}`);
    if (!ending.ok) throw new NotFinishedError(ending.isMissing ? 'ffmpeg' : 'remux', ending.message);
    const problem = await this.#compare(part, expectedMp4(segments, plan));
    await flushToDisk(part);
    await rename(part, target);
    await flushToDisk(dirname(target));
    await folder.removeParts(uuid);
    return { mp4Size: (await stat(target)).size, problem };
  }

  /** Reports differences but keeps the MP4: there is no better file. */
  async #compare(path: string, expected: ExpectedMp4): Promise<RecordProblem> {
    const differences = await compareMp4(path, expected);
    return differences.length === 0 ? noProblem : { problemKind: 'incomplete', problem: differences.join('; ') };
  }

  async #jobOf(
    recording: { folder: string; segments: readonly RecordedSegment[]; signal: AbortSignal },
    plan: RemuxPlan,
  ) {
    const { inputs, inputOf } = await writeRemuxInputs(recording, plan);
    const job: RemuxJob = {
      inputs,
      video: inputOf.video === undefined ? undefined : { input: inputOf.video, ...videoTraits(plan) },
      audio: inputOf.audio === undefined ? undefined : { input: inputOf.audio, changes: plan.audio?.changes ?? false },
    };
    return job;
  }

  #pathOf(uuid: string, segment: RecordedSegment): string {
    return this.#deps.folder.pathOf(uuid, writeSegmentName(segment));
  }

  /** Copies the MP4 to the operator's folder. Resolves with a description of a failure. */
  async #copy(uuid: string): Promise<RecordProblem> {
    try {
      const target = await this.#deps.copyFolder();
      if (target !== undefined) await copyWhole(this.#deps.folder.pathOf(uuid, mp4Name), join(target, `${uuid}.mp4`));
      return noProblem;
    } catch (error) {
      this.#deps.log.error({ err: error, uuid }, 'recording not copied');
      const { problemKind, problem } = toProblem(error, 'copy');
      return { problemKind, problem: `not copied: ${problem}` };
    }
  }
}

class NotFinishedError extends Error {
  readonly kind: RecordProblemKind;
  constructor(kind: RecordProblemKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

function videoTraits({ video }: RemuxPlan): { isHevc: boolean; changes: boolean } {
  return { isHevc: video?.type === 'h265', changes: video?.changes ?? false };
}

/** Combines two problems, because copying an incomplete file may also fail. The kind of the first problem counts. */
function bothOf(first: RecordProblem, second: RecordProblem): RecordProblem {
  if (first.problemKind === null) return second;
  return second.problemKind === null ? first : { ...first, problem: `${first.problem}; ${second.problem}` };
}

/** @param otherwise used if the error has no problem kind. */
function toProblem(error: unknown, otherwise: RecordProblemKind): RecordProblem {
  const { message: problem } = error as Error;
  if (error instanceof NotFinishedError) return { problemKind: error.kind, problem };
  const isFolderGone = error instanceof AppError && error.errorName === 'fileNotFound';
  return { problemKind: isFolderGone ? 'copyFolder' : otherwise, problem };
}
