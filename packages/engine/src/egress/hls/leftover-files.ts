// Removes files of a previous run below the HLS path. Removes only files with names of this product, older than this run, and follows no
// links. Segments stay for a while, because the recorder may have been down too. An open segment of a killed run gets its final name, so
// that its complete part can be recorded.
import type { Dirent } from 'node:fs';
import { open, readdir, rename, stat, truncate, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { tsPacketSize } from '@srs-stack/media/containers/mpegts/ts-packet.ts';
import { defaultVhost, type StreamKey } from '@srs-stack/media/stream-key.ts';
import { temporarySuffix } from './segment-file.ts';
import { parseSegmentName } from './segment-names.ts';

/** Maximum depth of searched folders: the vhost, and the parts of an app name. */
const maxDepth = 6;
/** Longest playlist that is checked, bytes. */
const maxPlaylistBytes = 64 * 1024;

/** Time that segments of a previous run stay, milliseconds. The host repeats undelivered callbacks about segments for this time. */
export const leftoverSegmentsKeptMs = 10 * 60_000;

/** Files from before these times are removed; milliseconds since 1970. */
export interface LeftoverLimits {
  readonly segmentsMs: number;
  /** Limit for files that are not segments. A newer open segment belongs to this run. */
  readonly othersMs: number;
  /**
   * Time since which another gateway publishes the stream and writes to this folder; undefined if none does. Absent without other gateways.
   */
  readonly othersPublishSince?: (key: StreamKey) => number | undefined;
}

/** Returns the number of removed files. Never rejects; a file that cannot be removed stays. */
export function removeLeftovers(folder: string, limits: LeftoverLimits): Promise<number> {
  return removeIn(folder, '', limits, 0);
}

/** @param app path of `folder` relative to the HLS path, which is the name of the app. */
async function removeIn(folder: string, app: string, limits: LeftoverLimits, depth: number): Promise<number> {
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => []);
  let removed = 0;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && depth < maxDepth) {
      removed += await removeIn(path, app === '' ? entry.name : `${app}/${entry.name}`, limits, depth + 1);
    }
    if (!entry.isFile() || isOfOthers(app, entry.name, limits)) continue;
    if (isLeftOpen(entry.name, limits) && (await completeSegment(path))) continue;
    if ((await isLeftover(path, entry.name, limits)) && (await remove(path))) removed++;
  }
  return removed;
}

/** Whether a stream of another gateway needs the file: a playlist, or a segment from after the start of that stream. */
function isOfOthers(app: string, fileName: string, { othersPublishSince }: LeftoverLimits): boolean {
  const name = fileName.endsWith(temporarySuffix) ? fileName.slice(0, -temporarySuffix.length) : fileName;
  const segment = parseSegmentName(name);
  const stream = segment?.stream ?? name.replace(/\.m3u8$/, '');
  const sinceMs = othersPublishSince?.({ vhost: defaultVhost, app, stream });
  return sinceMs !== undefined && (segment === undefined || segment.startedAtMs >= sinceMs);
}

/** Whether a segment was left open by a previous run, and is recent enough to be recorded. */
function isLeftOpen(fileName: string, limits: LeftoverLimits): boolean {
  if (!fileName.endsWith(temporarySuffix)) return false;
  const startedAtMs = parseSegmentName(fileName.slice(0, -temporarySuffix.length))?.startedAtMs;
  return startedAtMs !== undefined && startedAtMs >= limits.segmentsMs && startedAtMs < limits.othersMs;
}

/** Cuts off an incomplete last packet and gives the segment its final name. Returns false without a complete packet, or on failure. */
async function completeSegment(path: string): Promise<boolean> {
  try {
    const { size } = await stat(path);
    const whole = size - (size % tsPacketSize);
    if (whole === 0) return false;
    if (whole < size) await truncate(path, whole);
    await rename(path, path.slice(0, -temporarySuffix.length));
    return true;
  } catch {
    return false;
  }
}

async function isLeftover(path: string, fileName: string, limits: LeftoverLimits): Promise<boolean> {
  const isPart = fileName.endsWith(temporarySuffix);
  const finalName = isPart ? fileName.slice(0, -temporarySuffix.length) : fileName;
  const segment = parseSegmentName(finalName);
  if (segment !== undefined) return segment.startedAtMs < (isPart ? limits.othersMs : limits.segmentsMs);
  return finalName.endsWith('.m3u8') && isOurPlaylist(path, limits.othersMs);
}

/** A playlist belongs to this product when all listed files have segment names. */
async function isOurPlaylist(path: string, startedAtMs: number): Promise<boolean> {
  try {
    if ((await stat(path)).mtimeMs >= startedAtMs) return false;
    const lines = (await readStart(path)).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return lines.length > 0 && lines.every((line) => parseSegmentName(decodeURIComponent(line)) !== undefined);
  } catch {
    return false;
  }
}

async function readStart(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxPlaylistBytes), 0, maxPlaylistBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function remove(path: string): Promise<boolean> {
  return unlink(path).then(
    () => true,
    () => false,
  );
}
