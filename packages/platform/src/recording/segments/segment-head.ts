// Reads the beginning of a segment file, or all of it.
import { open, readFile } from 'node:fs/promises';
import { readSegmentMedia, type SegmentMedia } from './segment-media.ts';

/** Enough for the tables, the first picture and some sound behind it, bytes. */
const headBytes = 256 * 1024;

/** Rejects when the file is not there. */
export async function readHead(path: string): Promise<SegmentMedia> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return readSegmentMedia(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** The same of a whole file, for what may come late in it. */
export async function readWhole(path: string): Promise<SegmentMedia> {
  return readSegmentMedia(await readFile(path));
}
