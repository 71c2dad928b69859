// Running recordings, one per live playlist. A segment report is answered after the segment is stored. A recording ends after a silence, by
// the operator, by the plan, at a file limit, or when the codec changes. Reports may arrive late, twice or out of order.
import { stat } from 'node:fs/promises';
import { AppError, because, type RecordSplit } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import { Lanes } from '../../concurrency/lanes.ts';
import type { HlsSegment } from '../../streams/hls-segments.ts';
import { type DiskWatch, isDiskFull } from '../disk-space.ts';
import type { RecordCatalogue } from '../record-catalogue.ts';
import type { RecordEvents } from '../record-events.ts';
import type { RecordFacts } from '../record-facts.ts';
import type { RecordFolder, StoredSegment } from '../record-folder.ts';
import type { RecordPlan } from '../rules/record-plan.ts';
import { readHead } from '../segments/segment-head.ts';
import { segmentMark, writeSegmentName } from '../segments/segment-name.ts';
import { hasGapBefore, type RecordTask } from './record-task.ts';
import { RememberedMarks } from './remembered-marks.ts';
import { SegmentIntake } from './segment-intake.ts';
import type { FindUnreported } from './unreported-segments.ts';

/** A recording ends after this time without segments, milliseconds. An encoder that reconnects earlier continues the recording. */
const idleLimitMs = 300_000;
/** Shorter limit for running recordings after recording was switched off, milliseconds. */
const idleLimitWhenOffMs = 30_000;

export interface RecordTasksDeps {
  readonly folder: RecordFolder;
  readonly catalogue: RecordCatalogue;
  readonly disk: DiskWatch;
  readonly rules: {
    admits(source: { app: string; stream: string }, span: { fromMs: number; toMs: number } | undefined): boolean;
    readonly plan: Pick<RecordPlan, 'governs' | 'entryAt'>;
    /** True if the limit is `idleLimitMs`, false if `idleLimitWhenOffMs`. */
    waits(source: { app: string; stream: string }): boolean;
  };
  readonly limits: () => RecordSplit;
  readonly finisher: { enqueue(uuid: string): void };
  readonly events: RecordEvents;
  readonly findUnreported: FindUnreported;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
  readonly log: Log;
}

/** Number of remembered segments at the end of a recording: a busy server writes fewer segments while one report is pending. */
const latelyReported = 16;
/** Maximum delay between the last frame of a segment and the segment report, milliseconds, on a busy server. */
const reportDelayMs = 1_000;

export interface RunningRecording {
  readonly app: string;
  readonly stream: string;
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
}

export class RecordTasks {
  readonly #deps: RecordTasksDeps;
  readonly #running = new Map<string, RecordTask>();
  readonly #lanes = new Lanes();
  readonly #marks = new RememberedMarks();
  readonly #intake: SegmentIntake;
  #isClosed = false;

  constructor(deps: RecordTasksDeps) {
    this.#deps = deps;
    const finish = (task: RecordTask) => this.#finish(task);
    this.#intake = new SegmentIntake({ ...deps, running: this.#running, marks: this.#marks, finish });
  }

  async resume(facts: RecordFacts): Promise<void> {
    const { folder, now, monotonicMs } = this.#deps;
    const segments = await folder.segments(facts.uuid);
    const last = segments.at(-1);
    const silenceMs = last ? Math.max(0, now().getTime() - last.writtenAtMs) : 0;
    const task: RecordTask = {
      facts,
      segments,
      // The file may have been removed manually or uploaded. The next segment then counts as continuous.
      media: last && (await readHead(folder.pathOf(facts.uuid, writeSegmentName(last))).catch(() => undefined)),
      changedAtMs: monotonicMs() - silenceMs,
    };
    for (const { mark } of segments) this.#marks.add(mark);
    this.#intake.show(task, last ? new Date(last.writtenAtMs) : now());
    const isTaken = this.#running.has(facts.m3u8Url);
    if (isTaken || segments.length === 0) await this.#finish(task);
    else this.#running.set(facts.m3u8Url, task);
  }

  /**
   * Remembers the last segments of a recording that ended before the restart. A late report of these segments must not start a recording.
   */
  async rememberEnd(uuid: string): Promise<void> {
    const segments = await this.#deps.folder.namedSegments(uuid);
    for (const { mark } of segments.slice(-latelyReported)) this.#marks.add(mark);
  }

  /** Resolves when the segment is stored or ignored. Rejects with `storeNotReady` during a stop. */
  async onSegment(segment: HlsSegment): Promise<void> {
    if (this.#isClosed) throw new AppError('storeNotReady', because('record.server-stops'));
    await this.#lanes.run(segment.m3u8Url, () => this.#take(segment));
  }

  /** Ends recordings that received no segment for too long. */
  async tick(): Promise<void> {
    const { rules, monotonicMs } = this.#deps;
    const limitOf = ({ facts }: RecordTask) => (rules.waits(facts) ? idleLimitMs : idleLimitWhenOffMs);
    const isOver = (task: RecordTask) => monotonicMs() - task.changedAtMs >= limitOf(task);
    const over = [...this.#running].filter(([, task]) => isOver(task));
    await Promise.all(over.map(([key, task]) => this.#endIn(key, task, () => isOver(task))));
  }

  /** Throws `notFound` if the recording is not running. */
  async end(uuid: string): Promise<void> {
    const found = this.#find(uuid);
    if (!found) throw new AppError('notFound', because('record.none-running', { uuid }));
    await this.#endIn(found.key, found.task, () => true);
  }

  /** Stops adding segments to a recording that will be removed. Returns true if the recording was running. */
  async drop(uuid: string): Promise<boolean> {
    const found = this.#find(uuid);
    if (!found) return false;
    await this.#lanes.run(found.key, async () => {
      if (this.#running.get(found.key) === found.task) this.#running.delete(found.key);
    });
    return true;
  }

  running(): RunningRecording[] {
    return [...this.#running.values()].map(({ facts: { app, stream, begin }, segments }) => ({
      ...{ app, stream },
      // `begin` is the time of the first segment report, after the end of the segment.
      sinceMs: Date.parse(begin) - (segments[0]?.durationMs ?? 0) - reportDelayMs,
    }));
  }

  runningOf({ app, stream }: { app: string; stream: string }): RecordFacts[] {
    const facts = [...this.#running.values()].map((task) => task.facts);
    return facts.filter((each) => each.app === app && each.stream === stream);
  }

  segmentsOf(uuid: string): readonly StoredSegment[] | undefined {
    return this.#find(uuid)?.task.segments;
  }

  /** Waits for segments that are being stored. Running recordings stay running for the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#lanes.idle();
  }

  #find(uuid: string): { key: string; task: RecordTask } | undefined {
    for (const [key, task] of this.#running) if (task.facts.uuid === uuid) return { key, task };
    return undefined;
  }

  #endIn(key: string, task: RecordTask, isStillWanted: () => boolean): Promise<void> {
    return this.#lanes.run(key, async () => {
      if (this.#running.get(key) !== task || !isStillWanted()) return;
      // The report of the last segment may arrive later. Without this call, that report would start a new recording.
      await this.#catchUp(task);
      this.#running.delete(key);
      await this.#finish(task);
    });
  }

  async #take(segment: HlsSegment): Promise<void> {
    const { rules, disk, log } = this.#deps;
    const mark = segmentMark(segment.url || segment.file);
    if (this.#marks.has(mark)) return;
    const isPlanned = rules.plan.governs(segment);
    const span = isPlanned ? await this.#spanOf(segment) : undefined;
    if (!rules.admits(segment, span)) return isPlanned ? this.#endPlanned(segment, mark) : undefined;
    if ((await disk.look()).state === 'full') return;
    try {
      const running = this.#running.get(segment.m3u8Url);
      if (running && hasGapBefore(running, segment, mark)) await this.#catchUp(running, segment.file);
      await this.#intake.add(segment, mark, span && rules.plan.entryAt(segment, span)?.title);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      disk.onDiskFull();
      log.error({ err: error, stream: segment.stream }, 'segment was not recorded because the disk is full');
    }
  }

  /** Time span when a segment was live. The span ends with the last write to the file. */
  async #spanOf({ file, durationSeconds }: HlsSegment): Promise<{ fromMs: number; toMs: number }> {
    const written = await stat(file).catch(() => undefined);
    const toMs = written?.mtimeMs ?? this.#deps.now().getTime();
    return { fromMs: toMs - durationSeconds * 1000, toMs };
  }

  /** Ends a planned recording at the first segment after the planned time. The next planned time starts a new recording. */
  async #endPlanned(segment: HlsSegment, mark: string): Promise<void> {
    const running = this.#running.get(segment.m3u8Url);
    if (!running) return;
    if (hasGapBefore(running, segment, mark)) await this.#catchUp(running, segment.file);
    this.#running.delete(segment.m3u8Url);
    await this.#finish(running);
  }

  /** Adds segments that the media server has not reported. @param successor file of the segment that follows. */
  async #catchUp(task: RecordTask, successor?: string): Promise<void> {
    const { findUnreported, log } = this.#deps;
    const last = task.segments.at(-1);
    if (last === undefined) return;
    const before = successor === undefined ? undefined : (await stat(successor).catch(() => undefined))?.mtimeMs;
    for (const segment of await findUnreported(task.facts, last, before)) {
      const mark = segmentMark(segment.url);
      if (this.#marks.has(mark)) continue;
      const fields = { uuid: task.facts.uuid, sequence: segment.sequenceNumber };
      log.info(fields, 'segment recorded that the media server did not report');
      await this.#intake
        .add(segment, mark)
        .catch((err) => log.error({ ...fields, err }, 'an unreported segment could not be added to the recording'));
    }
  }

  async #finish(task: RecordTask): Promise<void> {
    const { folder, catalogue, finisher, now, log } = this.#deps;
    const { uuid } = task.facts;
    if (task.segments.length === 0) {
      await folder.purge(uuid);
      await catalogue.forget(uuid);
      return;
    }
    const facts: RecordFacts = { ...task.facts, state: 'finishing', update: now().toISOString() };
    // After a failed write, the next start would end the recording once more.
    await folder.writeFacts(facts).catch((error) => log.error({ err: error, uuid }, 'recording.json not written'));
    await catalogue.keep(facts);
    finisher.enqueue(uuid);
  }
}
