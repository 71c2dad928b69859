// Reads the beginning of a segment file: a fixed number of bytes, or until a track begins.
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { readSegmentMedia, type SegmentMedia, SegmentMediaReader, type SegmentTrack } from './segment-media.ts';

/** Enough bytes for the tables, the first video frame and some audio. */
const headBytes = 256 * 1024;
/** Bytes parsed per turn of the event loop: about a millisecond of work. */
export const pieceBytes = 256 * 1024;

/** Parses the beginning of a segment. Rejects when the file is missing. */
export async function readHead(path: string): Promise<SegmentMedia> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return readSegmentMedia(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** Reads a segment until the first frame of this track kind at which decoders can start, or to the end. */
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
