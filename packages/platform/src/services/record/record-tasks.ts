// Running recordings: one per live playlist. A segment is adopted before its report is answered; silence, the operator, or
// another codec ends a recording. Reports may come late, twice or out of order.

import { randomUUID } from 'node:crypto';
import { access, stat } from 'node:fs/promises';
import { AppError, defaultVhost } from '@srs-stack/contract';
import type { Log } from '../../log.ts';
import { createOneAtATime, type OneAtATime } from '../one-at-a-time.ts';
import { type DiskWatch, isNoRoom } from './disk-room.ts';
import type { RecordCatalogue } from './record-catalogue.ts';
import { begun, type RecordEvents } from './record-events.ts';
import type { RecordFacts } from './record-facts.ts';
import type { RecordFolder, StoredSegment } from './record-folder.ts';
import { readHead } from './segment-head.ts';
import { fitsTogether, joinMedia, type SegmentMedia, ticksPerSecond, timestampModulus } from './segment-media.ts';
import { compareSegments, runOf, segmentMark, writeSegmentName } from './segment-name.ts';
import type { FindUnreported } from './unreported-segments.ts';

/** A recording ends after this silence, milliseconds: an encoder that comes back meanwhile goes on in the same one. */
const idleLimitMs = 300_000;
/** … and after this one when recording was switched off. */
const idleLimitWhenOffMs = 30_000;
/** After so long without a report none is under way any more: what is on the disk beyond it was cut by a dead media server. */
const quietMs = 10_000;
/** Times that differ by more do not continue each other, seconds: half a second is heard. */
const continuityToleranceSeconds = 0.5;
/** Reports that are remembered beyond the end of their recording: a repeated one must not open a new recording. */
const maxRememberedMarks = 2_000;

export interface ReportedSegment {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  readonly file: string;
  readonly durationSeconds: number;
  readonly m3u8Url: string;
  readonly url: string;
  readonly sequenceNumber: number;
}

export interface RecordTasksDeps {
  readonly folder: RecordFolder;
  readonly catalogue: RecordCatalogue;
  readonly disk: DiskWatch;
  readonly rules: { current(): { all: boolean }; admits(source: { app: string; stream: string }): boolean };
  readonly finisher: { enqueue(uuid: string): void };
  readonly events: RecordEvents;
  /** Segments on the disk whose report was lost. */
  readonly findUnreported: FindUnreported;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
  readonly log: Log;
}

interface Task {
  facts: RecordFacts;
  readonly segments: StoredSegment[];
  media: SegmentMedia | undefined;
  changedAtMs: number;
  /** Taken up from an earlier run of the server, and nothing was reported since. */
  isUnheard: boolean;
}

export class RecordTasks {
  readonly #deps: RecordTasksDeps;
  /** By the URL of the live playlist. */
  readonly #tasks = new Map<string, Task>();
  readonly #lanes = new Map<string, { run: OneAtATime; users: number }>();
  readonly #marks = new Set<string>();
  #isClosed = false;

  constructor(deps: RecordTasksDeps) {
    this.#deps = deps;
  }

  /** Takes up a recording that the last run of the server did not end. */
  async resume(facts: RecordFacts): Promise<void> {
    const { folder, now, monotonicMs } = this.#deps;
    const segments = await folder.segments(facts.uuid);
    const last = segments.at(-1);
    const silenceMs = last ? Math.max(0, now().getTime() - last.writtenAtMs) : 0;
    const task: Task = {
      facts,
      segments,
      // It may have gone, removed by hand or to the cloud: what follows is then taken to fit.
      media: last && (await readHead(folder.pathOf(facts.uuid, writeSegmentName(last))).catch(() => undefined)),
      changedAtMs: monotonicMs() - silenceMs,
      isUnheard: true,
    };
    for (const { mark } of segments) this.#remember(mark);
    this.#show(task, last ? new Date(last.writtenAtMs) : now());
    const isTaken = this.#tasks.has(facts.m3u8Url);
    if (isTaken || segments.length === 0) await this.#finish(task);
    else this.#tasks.set(facts.m3u8Url, task);
  }

  /** Resolves when the segment is safe, or is not wanted. Rejects with `storeNotReady` while the server stops. */
  async onSegment(segment: ReportedSegment): Promise<void> {
    if (this.#isClosed) throw new AppError('storeNotReady', 'the server stops');
    await this.#inLane(segment.m3u8Url, () => this.#take(segment));
  }

  /** Ends what has been silent for too long. */
  async tick(): Promise<void> {
    const limit = this.#deps.rules.current().all ? idleLimitMs : idleLimitWhenOffMs;
    const isOver = (task: Task) => this.#deps.monotonicMs() - task.changedAtMs >= limit;
    const over = [...this.#tasks].filter(([, task]) => isOver(task));
    await Promise.all(
      over.map(([key, task]) => {
        task.isUnheard = true;
        return this.#endIn(key, task, () => isOver(task));
      }),
    );
  }

  isRunning(uuid: string): boolean {
    return this.#find(uuid) !== undefined;
  }

  /** Ends a recording now. Throws `notFound` when it is not running. */
  async end(uuid: string): Promise<void> {
    const found = this.#find(uuid);
    if (!found) throw new AppError('notFound', `no running recording ${uuid}`);
    const silenceMs = this.#deps.monotonicMs() - found.task.changedAtMs;
    found.task.isUnheard ||= silenceMs > quietMs;
    await this.#endIn(found.key, found.task, () => true);
  }

  /** Stops adding to a recording that is about to be removed; true when it was running. */
  async drop(uuid: string): Promise<boolean> {
    const found = this.#find(uuid);
    if (!found) return false;
    await this.#inLane(found.key, async () => {
      if (this.#tasks.get(found.key) === found.task) this.#tasks.delete(found.key);
    });
    return true;
  }

  segmentsOf(uuid: string): readonly StoredSegment[] | undefined {
    return this.#find(uuid)?.task.segments;
  }

  /** Lets what is being adopted complete; running recordings stay as they are for the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#lanes.values()].map(({ run }) => run(async () => undefined)));
  }

  #find(uuid: string): { key: string; task: Task } | undefined {
    for (const [key, task] of this.#tasks) if (task.facts.uuid === uuid) return { key, task };
    return undefined;
  }

  /** Steps of one playlist one after the other; different playlists side by side. */
  async #inLane<T>(key: string, step: () => Promise<T>): Promise<T> {
    const lane = this.#lanes.get(key) ?? { run: createOneAtATime(), users: 0 };
    this.#lanes.set(key, lane);
    lane.users += 1;
    try {
      return await lane.run(step);
    } finally {
      lane.users -= 1;
      if (lane.users === 0) this.#lanes.delete(key);
    }
  }

  #endIn(key: string, task: Task, isStillWanted: () => boolean): Promise<void> {
    return this.#inLane(key, async () => {
      if (this.#tasks.get(key) !== task || !isStillWanted()) return;
      if (task.isUnheard) await this.#catchUp(task);
      this.#tasks.delete(key);
      await this.#finish(task);
    });
  }

  async #take(segment: ReportedSegment): Promise<void> {
    const { rules, disk, log } = this.#deps;
    const mark = segmentMark(segment.url || segment.file);
    if (!rules.admits(segment) || this.#marks.has(mark)) return;
    if ((await disk.look()).state === 'full') return;
    try {
      const running = this.#tasks.get(segment.m3u8Url);
      if (running && beginsAnew(running, segment, mark)) await this.#catchUp(running, segment.file);
      await this.#add(segment, mark);
    } catch (error) {
      if (!isNoRoom(error)) throw error;
      disk.onNoRoom();
      log.error({ err: error, stream: segment.stream }, 'segment not recorded, the disk is full');
    }
  }

  /** Adds what a media server that is gone has cut and not reported, before the file of its successor. */
  async #catchUp(task: Task, successor?: string): Promise<void> {
    const last = task.segments.at(-1);
    if (last === undefined) return;
    const before = successor === undefined ? undefined : (await stat(successor).catch(() => undefined))?.mtimeMs;
    for (const segment of await this.#deps.findUnreported(task.facts, last, before)) {
      const mark = segmentMark(segment.url);
      if (this.#marks.has(mark)) continue;
      this.#deps.log.warn({ uuid: task.facts.uuid, sequence: segment.sequenceNumber }, 'unreported segment recorded');
      await this.#add(segment, mark).catch((error) => this.#deps.log.error({ err: error }, 'unreported segment lost'));
    }
  }

  async #add(segment: ReportedSegment, mark: string): Promise<void> {
    const { folder, monotonicMs, now, events, log } = this.#deps;
    const media = await readHead(segment.file).catch(() => {
      throw new AppError('invalidRequest', 'the segment file is gone');
    });
    const task = await this.#taskFor(segment, media);
    const run = runOf(task.segments, { sequence: segment.sequenceNumber, mark });
    if (run === undefined) return;
    const recorded = {
      run,
      sequence: segment.sequenceNumber,
      durationMs: Math.max(0, Math.round(segment.durationSeconds * 1000)),
      mark,
      isDiscontinuous: !continues(task, media),
    };
    const isFirst = task.segments.length === 0;
    const stored = await this.#adopt(segment.file, task.facts, () =>
      folder.adopt(segment.file, task.facts.uuid, recorded),
    ).catch(async (error) => {
      if (isFirst) await folder.purge(task.facts.uuid).catch(() => undefined);
      throw error;
    });
    task.segments.push(stored);
    task.segments.sort(compareSegments);
    task.media = joinMedia(task.media, media);
    task.changedAtMs = monotonicMs();
    task.isUnheard = false;
    this.#remember(mark);
    this.#show(task, now());
    if (!isFirst) return;
    this.#tasks.set(segment.m3u8Url, task);
    await this.#deps.catalogue.keep(task.facts);
    log.info({ uuid: task.facts.uuid, app: segment.app, stream: segment.stream }, 'recording begins');
    events.notify(begun(task.facts));
  }

  /** The folder may have been removed by hand: it is made again, and what is lost is what was removed. */
  async #adopt(source: string, facts: RecordFacts, adopt: () => Promise<StoredSegment>): Promise<StoredSegment> {
    try {
      return await adopt();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await access(source).catch(() => {
        throw new AppError('invalidRequest', 'the segment file is gone');
      });
      await this.#deps.folder.create(facts);
      return adopt();
    }
  }

  /** The recording this segment belongs to; another codec ends the one before. */
  async #taskFor(segment: ReportedSegment, media: SegmentMedia): Promise<Task> {
    const running = this.#tasks.get(segment.m3u8Url);
    if (running && (running.media === undefined || fitsTogether(running.media, media))) return running;
    if (running) {
      this.#tasks.delete(segment.m3u8Url);
      await this.#finish(running);
    }
    const at = this.#deps.now().toISOString();
    const facts: RecordFacts = {
      uuid: randomUUID(),
      vhost: segment.vhost || defaultVhost,
      app: segment.app,
      stream: segment.stream,
      m3u8Url: segment.m3u8Url,
      begin: at,
      update: at,
      state: 'recording',
      nn: 0,
      duration: 0,
      size: 0,
      mp4Size: 0,
      problem: '',
    };
    await this.#deps.folder.create(facts);
    return { facts, segments: [], media: undefined, changedAtMs: this.#deps.monotonicMs(), isUnheard: false };
  }

  async #finish(task: Task): Promise<void> {
    const { folder, catalogue, finisher, now, log } = this.#deps;
    const { uuid } = task.facts;
    if (task.segments.length === 0) {
      await folder.purge(uuid);
      await catalogue.forget(uuid);
      return;
    }
    const facts: RecordFacts = { ...task.facts, state: 'finishing', update: now().toISOString() };
    // Without it the next start takes the recording for a running one, and ends it again.
    await folder.writeFacts(facts).catch((error) => log.error({ err: error, uuid }, 'recording.json not written'));
    await catalogue.keep(facts);
    finisher.enqueue(uuid);
  }

  #show(task: Task, at: Date): void {
    task.facts = { ...task.facts, ...sumOf(task.segments), update: at.toISOString() };
    this.#deps.catalogue.show(task.facts);
  }

  #remember(mark: string): void {
    this.#marks.add(mark);
    const oldest = this.#marks.values().next().value;
    if (this.#marks.size > maxRememberedMarks && oldest !== undefined) this.#marks.delete(oldest);
  }
}

export function sumOf(segments: readonly StoredSegment[]): Pick<RecordFacts, 'nn' | 'duration' | 'size'> {
  let durationMs = 0;
  let size = 0;
  for (const segment of segments) {
    durationMs += segment.durationMs;
    size += segment.sizeBytes;
  }
  return { nn: segments.length, duration: durationMs / 1000, size };
}

/** True when the media server counts anew: it was restarted. */
function beginsAnew({ segments }: Task, { sequenceNumber }: ReportedSegment, mark: string): boolean {
  const run = runOf(segments, { sequence: sequenceNumber, mark });
  return run !== undefined && run !== segments.at(-1)?.run;
}

/** True when the times of the segment go on where the last one ended, or nothing is known. */
function continues(task: Task, media: SegmentMedia): boolean {
  const last = task.segments.at(-1);
  if (last === undefined || task.media?.startTicks === undefined || media.startTicks === undefined) return true;
  const passed = (media.startTicks - task.media.startTicks + timestampModulus) % timestampModulus;
  return Math.abs(passed / ticksPerSecond - last.durationMs / 1000) <= continuityToleranceSeconds;
}
