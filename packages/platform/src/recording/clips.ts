// Clips: ranges of live streams that become recordings. A clip has hard links to the segments of the rewind window, or copies, so that the
// segments survive the window.
import { randomUUID } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, because, defaultVhost, maxRewindWindows } from '@srs-stack/contract';
import { isValidAppName, isValidStreamName } from '@srs-stack/contract/stream-name.ts';
import { parseMoment } from '@srs-stack/playback/rewind/moment.ts';
import {
  type RewindSegment,
  rewindFolderOf,
  segmentsBetween,
  toRewindSegments,
  writeRewindSegmentName,
} from '@srs-stack/playback/rewind/rewind-names.ts';
import type { Log } from '@srs-stack/process/log.ts';
import type { RecordFinisher } from './mp4/record-finisher.ts';
import type { RecordCatalogue } from './record-catalogue.ts';
import { noProblem, type RecordFacts } from './record-facts.ts';
import type { RecordFolder, StoredSegment } from './record-folder.ts';
import { sumOf } from './running/record-task.ts';
import { readHead } from './segments/segment-head.ts';
import { fitsTogether, joinMedia, type SegmentMedia } from './segments/segment-media.ts';
import { segmentMark } from './segments/segment-name.ts';

/** Maximum folder depth below `root`: one level per part of the app name, and one for the stream. Deeper windows are not listed. */
const maxDepth = 8;

interface StreamName {
  readonly app: string;
  readonly stream: string;
}

/** Requested range, RFC 3339; both ends may be absent. */
interface Moments {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface RewindWindow extends StreamName {
  /** RFC 3339. */
  readonly since: string;
  readonly until: string;
  readonly sizeBytes: number;
}

interface Cut {
  /** RFC 3339. */
  readonly from: string;
  readonly to: string;
  readonly seconds: number;
  readonly sizeBytes: number;
}

export interface Clips {
  windows(): Promise<RewindWindow[]>;
  /**
   * Throws `notFound` if the stream has no window, `invalidRequest` for invalid times. `cut` is the range of a clip without a codec change;
   * null if no range is requested or available.
   */
  window(source: StreamName, moments: Moments): Promise<RewindWindow & { cut: Cut | null }>;
  /** Throws `notFound` when the range is not available, `invalidRequest` for invalid times. */
  create(source: StreamName, moments: Moments): Promise<Cut & { uuid: string }>;
}

export interface ClipsDeps {
  readonly root: string;
  readonly folder: RecordFolder;
  readonly catalogue: RecordCatalogue;
  readonly finisher: Pick<RecordFinisher, 'enqueue'>;
  readonly now: () => Date;
  readonly log: Log;
}

export function createClips(deps: ClipsDeps): Clips {
  const { root } = deps;
  const segmentsOf = async (source: StreamName): Promise<RewindSegment[]> => {
    const isName = isValidAppName(source.app) && isValidStreamName(source.stream);
    const names = isName ? await readdir(rewindFolderOf(root, source)).catch(() => []) : [];
    const segments = toRewindSegments(names);
    if (segments.length === 0) throw new AppError('notFound', because('record.no-window', { ...source }));
    return segments;
  };
  return {
    async windows() {
      const found = await windowsIn(root, []);
      return found.sort((a, b) => (a.until < b.until ? 1 : -1)).slice(0, maxRewindWindows);
    },
    async window(source, moments) {
      const segments = await segmentsOf(source);
      const hasRange = moments.from !== undefined || moments.to !== undefined;
      const wanted = hasRange ? segmentsBetween(segments, toRange(moments)) : [];
      return { ...toWindow(source, segments), cut: wanted.length === 0 ? null : toCut(wanted) };
    },
    async create(source, moments) {
      const segments = await segmentsOf(source);
      const wanted = segmentsBetween(segments, toRange(moments));
      const { since, until } = toWindow(source, segments);
      if (wanted.length === 0) throw new AppError('notFound', because('record.not-in-window', { since, until }));
      return cutOut(source, wanted, deps);
    },
  };
}

async function cutOut(
  source: StreamName,
  wanted: readonly RewindSegment[],
  deps: ClipsDeps,
): Promise<Cut & { uuid: string }> {
  const { folder, catalogue, finisher, now, log } = deps;
  const facts = toFacts(source, now());
  await folder.create(facts);
  try {
    const { stored, taken } = await adoptAll(source, wanted, { ...deps, uuid: facts.uuid });
    const cut = toCut(taken);
    const { from, to } = cut;
    const whole: RecordFacts = { ...facts, ...sumOf(stored), begin: from, clip: { from, to } };
    await folder.writeFacts(whole);
    await catalogue.keep(whole);
    finisher.enqueue(whole.uuid);
    log.info({ uuid: whole.uuid, ...source, from, to }, 'clip created');
    return { ...cut, uuid: whole.uuid };
  } catch (error) {
    await folder.purge(facts.uuid).catch(() => undefined);
    throw error;
  }
}

/** Adopts segments until the codec changes: an MP4 can contain only one codec per track. */
async function adoptAll(
  source: StreamName,
  wanted: readonly RewindSegment[],
  { root, folder, uuid }: Pick<ClipsDeps, 'root' | 'folder'> & { uuid: string },
): Promise<{ stored: StoredSegment[]; taken: RewindSegment[] }> {
  const stored: StoredSegment[] = [];
  const taken: RewindSegment[] = [];
  let known: SegmentMedia | undefined;
  for (const segment of wanted) {
    const name = writeRewindSegmentName(segment);
    const path = join(rewindFolderOf(root, source), name);
    const last = taken.at(-1);
    const isDiscontinuous = last !== undefined && last.discontinuity !== segment.discontinuity;
    if (last === undefined || isDiscontinuous) {
      const media = await readHead(path);
      if (known && !fitsTogether(known, media)) break;
      known = joinMedia(known, media);
    }
    const { sequence, durationMs } = segment;
    const place = { run: 0, sequence, durationMs, mark: segmentMark(name), isDiscontinuous };
    stored.push(await folder.adopt(path, uuid, place));
    taken.push(segment);
  }
  return { stored, taken };
}

function toFacts({ app, stream }: StreamName, at: Date): RecordFacts {
  const source = { uuid: randomUUID(), vhost: defaultVhost, app, stream, m3u8Url: '' };
  const times = { begin: at.toISOString(), update: at.toISOString() };
  return { ...source, ...times, state: 'finishing', ...sumOf([]), mp4Size: 0, ...noProblem };
}

function toRange({ from, to }: Moments): { fromMs: number; toMs: number } {
  const fromMs = from === undefined ? 0 : parseMoment(from);
  const toMs = to === undefined ? Number.MAX_SAFE_INTEGER : parseMoment(to);
  if (fromMs === undefined || toMs === undefined || fromMs >= toMs)
    throw new AppError('invalidRequest', because('record.moments'));
  return { fromMs, toMs };
}

/** @param segments at least one. */
function toCut(segments: readonly RewindSegment[]): Cut {
  const sum = (of: (segment: RewindSegment) => number): number =>
    segments.reduce((total, segment) => total + of(segment), 0);
  const last = segments.at(-1)!;
  return {
    from: new Date(segments[0]!.startMs).toISOString(),
    to: new Date(last.startMs + last.durationMs).toISOString(),
    seconds: sum(({ durationMs }) => durationMs) / 1000,
    sizeBytes: sum(({ sizeBytes }) => sizeBytes),
  };
}

function toWindow({ app, stream }: StreamName, segments: readonly RewindSegment[]): RewindWindow {
  const { from: since, to: until, sizeBytes } = toCut(segments);
  return { app, stream, since, until, sizeBytes };
}

async function windowsIn(root: string, parts: readonly string[]): Promise<RewindWindow[]> {
  const entries: Dirent[] = await readdir(join(root, ...parts), { withFileTypes: true }).catch(() => []);
  const found: RewindWindow[] = [];
  for (const entry of entries) {
    if (entry.isDirectory() && parts.length < maxDepth) found.push(...(await windowsIn(root, [...parts, entry.name])));
  }
  const segments = parts.length < 2 ? [] : toRewindSegments(entries.map(({ name }) => name));
  const name = { app: parts.slice(0, -1).join('/'), stream: parts.at(-1) ?? '' };
  return segments.length === 0 ? found : [...found, toWindow(name, segments)];
}
