// Finds segments on the disk that were not reported, by their names beside the live playlist. Reports get lost while this server is down,
// or when a media server stops.
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { resolveInside } from '@srs-stack/process/data-folder.ts';
import type { HlsSegment } from '../../streams/hls-segments.ts';
import { probeMedia } from '../../workers/ffprobe.ts';
import type { RecordFacts } from '../record-facts.ts';
import type { StoredSegment } from '../record-folder.ts';
import { readHead } from '../segments/segment-head.ts';
import { ticksPerSecond, timestampModulus } from '../segments/segment-media.ts';

/** Suffix of a segment while a media server writes it. */
const unfinishedSuffix = '.tmp';
/** Maximum time until a media server closes the last segment of a publisher, milliseconds. */
const longestTailMs = 1_000;
/** Poll interval while waiting for the last segment, milliseconds. */
const tailPollMs = 50;
/** Maximum duration of a segment by the start of the next segment, seconds. A longer time is a gap between the segments. */
const longestSegmentSeconds = 120;

/**
 * Finds segments after `last` that were written before `beforeMs` (milliseconds since 1970). Without `beforeMs`, first waits for the last
 * segment of a publisher that just disconnected. Never rejects.
 */
export type FindUnreported = (facts: RecordFacts, last: StoredSegment, beforeMs?: number) => Promise<HlsSegment[]>;

interface Found {
  readonly file: string;
  readonly name: string;
  readonly sequence: number;
  readonly startTicks: number | undefined;
}

/** @param durationOf returns the duration of a file, seconds. Called for the last segment and for segments before a gap. */
export function createUnreportedSegments(
  hlsPath: string,
  durationOf: (file: string) => Promise<number>,
): FindUnreported {
  return async (facts, last, beforeMs) => {
    const playlist = await resolveInside(hlsPath, dirname(facts.m3u8Url), hlsPath).catch(() => undefined);
    if (playlist === undefined) return [];
    const isWanted = (name: string) => sequenceOf(name, facts.stream) > last.sequence;
    if (beforeMs === undefined) await lastWritten(playlist, isWanted);
    const names = (await readdir(playlist).catch(() => [])).filter(isWanted);
    const found = await Promise.all(names.map((name) => look(join(playlist, name), name, facts.stream)));
    const unreported = found
      .filter(
        (each) =>
          each !== undefined &&
          each.writtenAtMs > last.writtenAtMs &&
          each.writtenAtMs < (beforeMs ?? Number.POSITIVE_INFINITY),
      )
      .sort((a, b) => (a?.sequence ?? 0) - (b?.sequence ?? 0)) as Found[];
    return Promise.all(
      unreported.map(async (each, index) => ({
        vhost: facts.vhost,
        app: facts.app,
        stream: facts.stream,
        file: each.file,
        durationSeconds: secondsUntil(each, unreported[index + 1]) ?? (await durationOf(each.file).catch(() => 0)),
        m3u8Url: facts.m3u8Url,
        url: posix.join(posix.dirname(facts.m3u8Url), each.name),
        sequenceNumber: each.sequence,
      })),
    );
  };
}

/** Waits for files that are being written, at most `longestTailMs`. Resolves early when a file grows: the publisher is still connected. */
async function lastWritten(folder: string, isWanted: (name: string) => boolean): Promise<void> {
  const isUnfinished = (name: string) =>
    name.endsWith(unfinishedSuffix) && isWanted(name.slice(0, -unfinishedSuffix.length));
  const sizes = new Map<string, number>();
  for (const untilMs = performance.now() + longestTailMs; performance.now() < untilMs; await delay(tailPollMs)) {
    const names = (await readdir(folder).catch(() => [])).filter(isUnfinished);
    if (names.length === 0) return;
    for (const name of names) {
      const { size } = await stat(join(folder, name)).catch(() => ({ size: 0 }));
      if (size > (sizes.get(name) ?? size)) return;
      sizes.set(name, size);
    }
  }
}

/** Duration of a segment file from ffprobe, seconds. */
export async function segmentSeconds(file: string): Promise<number> {
  return Number((await probeMedia({ file })).format.duration) || 0;
}

/** Sequence number of a segment file; -1 for a file that is not a segment of the stream. */
function sequenceOf(name: string, stream: string): number {
  const [, owner, sequence] = /^(.+)-(\d+)-\d{13}\.ts$/.exec(name) ?? [];
  return owner === stream ? Number(sequence) : -1;
}

async function look(
  file: string,
  name: string,
  stream: string,
): Promise<(Found & { writtenAtMs: number }) | undefined> {
  try {
    const [{ mtimeMs }, { starts }] = await Promise.all([stat(file), readHead(file)]);
    const startTicks = starts.video ?? starts.audio;
    return { file, name, sequence: sequenceOf(name, stream), startTicks, writtenAtMs: mtimeMs };
  } catch {
    return undefined;
  }
}

function secondsUntil(segment: Found, next: Found | undefined): number | undefined {
  if (next?.sequence !== segment.sequence + 1) return undefined;
  if (segment.startTicks === undefined || next.startTicks === undefined) return undefined;
  const seconds = ((next.startTicks - segment.startTicks + timestampModulus) % timestampModulus) / ticksPerSecond;
  return seconds > 0 && seconds <= longestSegmentSeconds ? seconds : undefined;
}
