// File names of segments (`{app}/{stream}-{seq}-{unix ms}.ts`) and playlists (`{app}/{stream}.m3u8`), as SRS writes them.
import { defaultVhost, type StreamKey } from '@srs-stack/media/stream-key.ts';

const segmentPattern = /^(.+)-(\d+)-(\d{13})\.ts$/;

export interface SegmentName {
  readonly stream: string;
  readonly sequence: number;
  /** Start of the segment, milliseconds since 1970. */
  readonly startedAtMs: number;
}

export function writeSegmentName({ stream, sequence, startedAtMs }: SegmentName): string {
  return `${stream}-${sequence}-${String(startedAtMs).padStart(13, '0')}.ts`;
}

/** Undefined for files that are not segments of this product. */
export function parseSegmentName(fileName: string): SegmentName | undefined {
  const match = segmentPattern.exec(fileName);
  if (match === null) return undefined;
  return { stream: match[1]!, sequence: Number(match[2]), startedAtMs: Number(match[3]) };
}

export function playlistName(stream: string): string {
  return `${stream}.m3u8`;
}

/** Folder of a stream's files, relative to the HLS path, without leading and trailing slashes. */
export function folderOf({ vhost, app }: StreamKey): string {
  return vhost === defaultVhost ? app : `${vhost}/${app}`;
}
