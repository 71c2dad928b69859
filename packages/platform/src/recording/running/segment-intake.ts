// Adds a segment to the running recording of its playlist. Starts a new recording if no recording is running, at a file limit, or when the
// codec changed. Calls for one playlist never overlap.
import { access, stat } from 'node:fs/promises';
import { AppError, type RecordSplit, verbatim } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import type { HlsSegment } from '../../streams/hls-segments.ts';
import type { RecordCatalogue } from '../record-catalogue.ts';
import { begun, type RecordEvents } from '../record-events.ts';
import type { RecordFacts } from '../record-facts.ts';
import type { RecordFolder, StoredSegment } from '../record-folder.ts';
import { readHead } from '../segments/segment-head.ts';
import { joinMedia, type SegmentMedia } from '../segments/segment-media.ts';
import { compareSegments, runOf } from '../segments/segment-name.ts';
import { fits, isContinuous, isFull, newTask, nextPart, type RecordTask, sumOf } from './record-task.ts';
import type { RememberedMarks } from './remembered-marks.ts';

export interface SegmentIntakeDeps {
  readonly folder: RecordFolder;
  readonly catalogue: RecordCatalogue;
  readonly events: RecordEvents;
  /** Running recordings by URL of the live playlist. New recordings are added here. */
  readonly running: Map<string, RecordTask>;
  readonly marks: RememberedMarks;
  readonly limits: () => RecordSplit;
  readonly finish: (task: RecordTask) => Promise<void>;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
  readonly log: Log;
}

export class SegmentIntake {
  readonly #deps: SegmentIntakeDeps;

  constructor(deps: SegmentIntakeDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves when the segment is stored. Rejects with `invalidRequest` if the file is missing.
   * @param title title of a new recording; '' or undefined for no title.
   */
  async add(segment: HlsSegment, mark: string, title = ''): Promise<void> {
    const media = await readHead(segment.file).catch(() => {
      throw new AppError('invalidRequest', verbatim('the segment file no longer exists'));
    });
    const task = await this.#taskFor(segment, media, title);
    const run = runOf(task.segments, { sequence: segment.sequenceNumber, mark });
    if (run === undefined) return;
    const isFirst = task.segments.length === 0;
    const durationMs = Math.max(0, Math.round(segment.durationSeconds * 1000));
    const place = { run, sequence: segment.sequenceNumber, durationMs, mark };
    const stored = await this.#adopt(segment.file, task.facts, () =>
      this.#deps.folder.adopt(segment.file, task.facts.uuid, { ...place, isDiscontinuous: !isContinuous(task, media) }),
    ).catch(async (error) => {
      if (isFirst) await this.#deps.folder.purge(task.facts.uuid).catch(() => undefined);
      throw error;
    });
    this.#note(task, stored, media);
    if (isFirst) await this.#begin(task);
  }

  show(task: RecordTask, at: Date): void {
    task.facts = { ...task.facts, ...sumOf(task.segments), update: at.toISOString() };
    this.#deps.catalogue.show(task.facts);
  }

  async #taskFor(segment: HlsSegment, media: SegmentMedia, title: string): Promise<RecordTask> {
    const { running, catalogue, folder, now, monotonicMs } = this.#deps;
    const current = running.get(segment.m3u8Url);
    const isSame = current !== undefined && fits(current, media);
    if (isSame && !(await this.#isFull(current, segment))) return current;
    const label = isSame ? catalogue.get(current.facts.uuid)?.label : undefined;
    const task = isSame ? nextPart(current, label, segment, now()) : newTask(segment, now(), monotonicMs(), title);
    await folder.create(task.facts);
    return task;
  }

  async #isFull(task: RecordTask, { file, durationSeconds }: HlsSegment): Promise<boolean> {
    const limits = this.#deps.limits();
    const sizeBytes = limits.maxBytes > 0 ? (await stat(file)).size : 0;
    return isFull(task, limits, { durationSeconds, sizeBytes });
  }

  /** Calls `adopt`. If someone removed the record folder, creates the folder and calls `adopt` again. */
  async #adopt(source: string, facts: RecordFacts, adopt: () => Promise<StoredSegment>): Promise<StoredSegment> {
    try {
      return await adopt();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await access(source).catch(() => {
        throw new AppError('invalidRequest', verbatim('the segment file no longer exists'));
      });
      await this.#deps.folder.create(facts);
      return adopt();
    }
  }

  #note(task: RecordTask, stored: StoredSegment, media: SegmentMedia): void {
    const { marks, now, monotonicMs } = this.#deps;
    task.segments.push(stored);
    task.segments.sort(compareSegments);
    task.media = joinMedia(task.media, media);
    task.changedAtMs = monotonicMs();
    marks.add(stored.mark);
    this.show(task, now());
  }

  async #begin(task: RecordTask): Promise<void> {
    const { running, catalogue, events, finish, log } = this.#deps;
    const { uuid, app, stream, m3u8Url } = task.facts;
    // Ends the previous recording only after the segment is stored. After a failure, the previous recording continues.
    const previous = running.get(m3u8Url);
    running.set(m3u8Url, task);
    await catalogue.keep(task.facts);
    if (previous) await finish(previous);
    log.info({ uuid, app, stream }, 'recording begins');
    events.notify(begun(task.facts));
  }
}
