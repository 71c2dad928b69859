// One running recording: its segments, and whether a new segment continues the recording.
import { randomUUID } from 'node:crypto';
import { defaultVhost, type RecordSplit } from '@srs-stack/contract';
import type { HlsSegment } from '../../streams/hls-segments.ts';
import { noLabel, noProblem, type RecordFacts } from '../record-facts.ts';
import type { StoredSegment } from '../record-folder.ts';
import { changesOf, fitsTogether, type SegmentMedia, timesContinue } from '../segments/segment-media.ts';
import { runOf } from '../segments/segment-name.ts';

/**
 * Maximum number of segments per file: 24 hours of default segments. The list is in memory, and each new segment is compared with the whole
 * list. Endless streams, such as cameras, continue in a new file.
 */
const maxSegments = 43_200;

export interface RecordTask {
  facts: RecordFacts;
  readonly segments: StoredSegment[];
  media: SegmentMedia | undefined;
  changedAtMs: number;
}

/** @param title '' for no title. */
export function newTask(segment: HlsSegment, at: Date, monotonicMs: number, title = ''): RecordTask {
  const { vhost, app, stream, m3u8Url } = segment;
  const source = { uuid: randomUUID(), vhost: vhost || defaultVhost, app, stream, m3u8Url };
  const times = { begin: at.toISOString(), update: at.toISOString() };
  const label = title === '' ? {} : { label: { ...noLabel, title } };
  const facts: RecordFacts = {
    ...source,
    ...times,
    state: 'recording',
    ...sumOf([]),
    mp4Size: 0,
    ...noProblem,
    ...label,
  };
  return { facts, segments: [], media: undefined, changedAtMs: monotonicMs };
}

/** The next file of a recording that reached a limit. Copies title, notes and keep mark. */
export function nextPart(task: RecordTask, label: RecordFacts['label'], segment: HlsSegment, at: Date): RecordTask {
  const { uuid, part } = task.facts;
  const next = newTask(segment, at, task.changedAtMs);
  const place = { number: (part?.number ?? 1) + 1, first: part?.first ?? uuid };
  return { ...next, facts: { ...next.facts, part: place, ...(label && { label }) } };
}

/** True if the file would exceed one of its limits with segment `next`. */
export function isFull(
  { facts, segments }: RecordTask,
  { maxSeconds, maxBytes }: RecordSplit,
  next: { durationSeconds: number; sizeBytes: number },
): boolean {
  if (segments.length === 0) return false;
  if (segments.length >= maxSegments) return true;
  const isTooLong = maxSeconds > 0 && facts.duration + next.durationSeconds > maxSeconds;
  return isTooLong || (maxBytes > 0 && facts.size + next.sizeBytes > maxBytes);
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

/**
 * True if the number of this segment is not the next number, so that segments may be missing. Either the media server restarted, or a
 * report was lost while the control plane was down: an SRS never repeats a report.
 */
export function hasGapBefore({ segments }: RecordTask, { sequenceNumber }: HlsSegment, mark: string): boolean {
  const run = runOf(segments, { sequence: sequenceNumber, mark });
  const last = segments.at(-1);
  if (run === undefined || last === undefined) return false;
  return run !== last.run || sequenceNumber > last.sequence + 1;
}

/** True if one file can contain the recording and the segment. */
export function fits({ media }: RecordTask, next: SegmentMedia): boolean {
  return media === undefined || fitsTogether(media, next);
}

/** True if times and configuration of the segment continue the recording, so that decoders need no restart. */
export function isContinuous({ segments, media }: RecordTask, next: SegmentMedia): boolean {
  const last = segments.at(-1);
  if (last === undefined || media === undefined) return true;
  return timesContinue(media, last.durationMs, next) && changesOf(media, next).length === 0;
}
