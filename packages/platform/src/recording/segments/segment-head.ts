// Reads the beginning of a segment file, up to where a track begins.
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { readSegmentMedia, type SegmentMedia, SegmentMediaReader, type SegmentTrack } from './segment-media.ts';

/** Enough for the tables, the first video frame and some audio after it, bytes. */
const headBytes = 256 * 1024;
/** Bytes of a file parsed per turn of the event loop: a millisecond. */
export const pieceBytes = 256 * 1024;

/** Rejects when the file is missing. */
export async function readHead(path: string): Promise<SegmentMedia> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return readSegmentMedia(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** The same for a whole file, or up to the first frame of a track of this kind. */
export async function readUntilBegun(
  path: string,
  kind: SegmentTrack['kind'],
  signal: AbortSignal,
): Promise<SegmentMedia> {
  const reader = new SegmentMediaReader();
  for await (const bytes of createReadStream(path, { highWaterMark: pieceBytes, signal })) {
    reader.push(bytes);
    if (reader.hasBegun(kind)) break;
  }
  return reader.media();
}
