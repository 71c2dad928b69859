// One running recording: its segments so far, and whether a segment continues it. Pure.
import { randomUUID } from 'node:crypto';
import { defaultVhost, type RecordSplit } from '@srs-stack/contract';
import type { HlsSegment } from '../../streams/hls-segments.ts';
import { noLabel, noProblem, type RecordFacts } from '../record-facts.ts';
import type { StoredSegment } from '../record-folder.ts';
import { changesOf, fitsTogether, type SegmentMedia, timesContinue } from '../segments/segment-media.ts';
import { runOf } from '../segments/segment-name.ts';

/**
 * Maximum number of segments of one file: 24 hours of default segments. The list of a running recording is in memory, and each new segment
 * is compared with all of it. Endless streams, such as cameras, continue in the next file.
 */
const maxSegments = 43_200;

export interface RecordTask {
  facts: RecordFacts;
  readonly segments: StoredSegment[];
  media: SegmentMedia | undefined;
  changedAtMs: number;
}

/** @param title '' for none. */
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

/** The next file of a recording that reached a limit; it inherits title, notes and keep mark of the previous one. */
export function nextPart(task: RecordTask, label: RecordFacts['label'], segment: HlsSegment, at: Date): RecordTask {
  const { uuid, part } = task.facts;
  const next = newTask(segment, at, task.changedAtMs);
  const place = { number: (part?.number ?? 1) + 1, first: part?.first ?? uuid };
  return { ...next, facts: { ...next.facts, part: place, ...(label && { label }) } };
}

/** True when one more segment would exceed a limit of one file. */
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
 * True when segments may be missing before this one, because its number is not the next one. Either the media server was restarted, or a
 * report was lost while the control plane was down: an SRS reports each segment only once.
 */
export function hasGapBefore({ segments }: RecordTask, { sequenceNumber }: HlsSegment, mark: string): boolean {
  const run = runOf(segments, { sequence: sequenceNumber, mark });
  const last = segments.at(-1);
  if (run === undefined || last === undefined) return false;
  return run !== last.run || sequenceNumber > last.sequence + 1;
}

/** True when the segment can be in the same file. */
export function fits({ media }: RecordTask, next: SegmentMedia): boolean {
  return media === undefined || fitsTogether(media, next);
}

/** True when decoders and players can continue with the segment: times and configuration are continuous. */
export function isContinuous({ segments, media }: RecordTask, next: SegmentMedia): boolean {
  const last = segments.at(-1);
  if (last === undefined || media === undefined) return true;
  return timesContinue(media, last.durationMs, next) && changesOf(media, next).length === 0;
}
