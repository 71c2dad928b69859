// HTTP responses of HLS: playlists, segments (whole or a range, RFC 9110 §14), seek bar data, and errors.

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { sendFailure, uncached, type WithSharedBody, writeOpenHead } from '../http/http-responses.ts';

const playlistType = 'application/vnd.apple.mpegurl';
const segmentType = 'video/MP2T';
const fragmentType = 'video/mp4';
const imageType = 'image/jpeg';
const storyboardType = 'text/vtt; charset=utf-8';
/** Cache time of segments, seconds; segments never change. With restricted access, only browsers may cache. */
const segmentCachingSeconds = 600;
export type SegmentCaching = 'public' | 'private';

/** Returns the number of bytes of the body. @param text a buffer if many viewers share it. */
export function sendPlaylist(response: ServerResponse, text: Buffer | string, caching: string): number {
  return sendText(response, text, { type: playlistType, caching });
}

/** Response to HEAD for an on-demand stream that is not running. HEAD does not start the stream, so there is no playlist text. */
export function sendPlaylistHead(response: ServerResponse): void {
  writeOpenHead(response, 200, [...uncached, 'Content-Type', playlistType]).end();
}

/** Sends the WebVTT file of a seek bar. */
export function sendStoryboard(response: ServerResponse, text: string, caching: string): void {
  sendText(response, text, { type: storyboardType, caching });
}

function sendText(
  response: ServerResponse,
  body: Buffer | string,
  { type, caching }: { type: string; caching: string },
): number {
  const sizeBytes = Buffer.byteLength(body);
  const content = ['Content-Type', type, 'Content-Length', sizeBytes];
  writeOpenHead(response, 200, [...content, 'Cache-Control', caching]);
  // For a string, Node sends head and body in one buffer.
  response.end(response.req.method === 'HEAD' ? undefined : body);
  return sizeBytes;
}

/** Sends 503 with Retry-After. */
export function sendRetryLater(response: ServerResponse, message: string): void {
  response.setHeader('Retry-After', '2');
  sendFailure(response, { status: 503, name: 'limit-reached', message });
}

/** Sends 415: the stream is live, but HLS segments cannot carry its media. */
export function sendUnsupportedCodec(response: ServerResponse, media: string): void {
  const message = `HLS segments cannot carry ${media}; watch this stream over HTTP-FLV or WebRTC`;
  const body = Buffer.from(JSON.stringify({ name: 'codec-unsupported', message }));
  writeOpenHead(response, 415, [...uncached, 'Content-Type', 'application/json', 'Content-Length', body.length]);
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** Sends 503 with Retry-After, because players retry after 503, but not after 404. */
export function sendNotReady(response: ServerResponse): void {
  response.setHeader('Retry-After', '1');
  sendFailure(response, {
    status: 503,
    name: 'stream-not-ready',
    message: 'the stream is live, its first HLS segment is not complete yet',
  });
}

/** Returns the number of sent bytes. */
export function sendSegmentFromMemory(response: ServerResponse, segment: Buffer, caching: SegmentCaching): number {
  return sendFromMemory(response, [segment], { type: segmentType, caching });
}

/** Sends fragmented MP4, which may consist of several buffers. Returns the number of sent bytes. */
export function sendFragment(response: ServerResponse, pieces: readonly Buffer[], caching: SegmentCaching): number {
  return sendFromMemory(response, pieces, { type: fragmentType, caching });
}

interface SegmentHead {
  readonly type: string;
  readonly caching: SegmentCaching;
}

function sendFromMemory(
  response: ServerResponse & WithSharedBody,
  pieces: readonly Buffer[],
  head: SegmentHead,
): number {
  const sizeBytes = pieces.reduce((total, { length }) => total + length, 0);
  const range = startSegment(response, sizeBytes, head);
  if (range === undefined) return 0;
  const wanted = piecesOf(pieces, range);
  response.sharedBytes = range.end - range.start;
  // Corked, so that one write sends headers and body.
  response.cork();
  for (const piece of wanted.slice(0, -1)) response.write(piece);
  response.end(wanted.at(-1));
  response.uncork();
  return range.end - range.start;
}

function piecesOf(pieces: readonly Buffer[], { start, end }: { start: number; end: number }): Buffer[] {
  const found: Buffer[] = [];
  let position = 0;
  for (const piece of pieces) {
    const from = Math.max(0, start - position);
    const to = Math.min(piece.length, end - position);
    if (from < to) found.push(to - from === piece.length ? piece : piece.subarray(from, to));
    position += piece.length;
  }
  return found;
}

/** A file to send, with its cache rules. */
export interface DiskFile {
  readonly path: string;
  readonly caching: SegmentCaching;
  /** Takes a place among the open files until the response is closed. Returns false if no place is free. */
  readonly takePlace: () => boolean;
  /** Reports a shortage of file handles. Returns false for other errors. */
  readonly reportShortage: (error: unknown) => boolean;
}

/**
 * Sends a segment file, 404 if the file does not exist, or 503 if too many files are open. Resolves with the number of bytes that will be
 * sent.
 */
export function sendSegmentFromDisk(response: ServerResponse, file: DiskFile): Promise<number> {
  return sendFromDisk(response, file, segmentType);
}

/** Sends an image file, 404 if the file does not exist, or 503 if too many files are open. */
export function sendImage(response: ServerResponse, file: DiskFile): Promise<number> {
  return sendFromDisk(response, file, imageType);
}

async function sendFromDisk(response: ServerResponse, diskFile: DiskFile, type: string): Promise<number> {
  const file = await openFile(diskFile);
  const facts = file === 'shortage' ? undefined : await file?.stat().catch(() => undefined);
  if (file === 'shortage' || file === undefined || !facts?.isFile() || response.destroyed || !diskFile.takePlace()) {
    if (file !== 'shortage') await file?.close();
    if (response.destroyed) return 0;
    const isBusy = file === 'shortage' || facts?.isFile();
    if (isBusy) sendRetryLater(response, tooManyReads);
    else sendFailure(response, segmentNotFound);
    return 0;
  }
  const head = { type, caching: diskFile.caching };
  const range = startSegment(response, facts.size, head);
  if (range === undefined || range.start === range.end) {
    await file.close();
    if (range !== undefined) response.end();
    return 0;
  }
  const body = file.createReadStream({ start: range.start, end: range.end - 1 });
  body.once('error', () => response.destroy());
  response.once('close', () => body.destroy());
  body.pipe(response);
  return range.end - range.start;
}

async function openFile({ path, reportShortage }: DiskFile): Promise<FileHandle | 'shortage' | undefined> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    return reportShortage(error) ? 'shortage' : undefined;
  }
}

const tooManyReads = 'too many segments are being sent at the same time';
export const segmentNotFound = {
  status: 404,
  name: 'segment-not-found',
  message: 'the segment does not exist or was removed',
} as const;

/** Writes the head. Returns undefined if that completes the response (HEAD, unsatisfiable range). */
function startSegment(
  response: ServerResponse,
  sizeBytes: number,
  { type, caching }: SegmentHead,
): { start: number; end: number } | undefined {
  const range = parseRange(response.req.headers.range, sizeBytes);
  const cache = `${caching}, max-age=${segmentCachingSeconds}`;
  const kind = ['Content-Type', type, 'Cache-Control', cache, 'Accept-Ranges', 'bytes'];
  if (range === 'unsatisfiable') {
    writeOpenHead(response, 416, [...kind, 'Content-Range', `bytes */${sizeBytes}`, 'Content-Length', 0]).end();
    return undefined;
  }
  const { start, end } = range ?? { start: 0, end: sizeBytes };
  const length = ['Content-Length', end - start];
  const partial = range ? ['Content-Range', `bytes ${start}-${end - 1}/${sizeBytes}`] : [];
  writeOpenHead(response, range ? 206 : 200, [...kind, ...partial, ...length]);
  if (response.req.method !== 'HEAD') return { start, end };
  response.end();
  return undefined;
}

/** Parses a single byte range; RFC 9110 §14.2 permits to ignore other ranges. `end` is exclusive. */
function parseRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (match === null || (match[1] === '' && match[2] === '')) return undefined;
  const isSuffix = match[1] === '';
  const start = isSuffix ? Math.max(0, size - Number(match[2])) : Number(match[1]);
  const end = isSuffix || match[2] === '' ? size : Math.min(size, Number(match[2]) + 1);
  return start < end ? { start, end } : 'unsatisfiable';
}
