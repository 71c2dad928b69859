// What the files of a window are called in addresses: `{stream}.rewind-{name}`, so that they stand beside the stream's own. Pure.
import {
  parseRewindPictureName,
  parseRewindSegmentName,
  type RewindSegment,
  writeRewindPictureName,
  writeRewindSegmentName,
} from '@srs-stack/process/rewind/rewind-names.ts';

/** Ends the name of a stream in the address of its window. */
export const rewindSuffix = '.rewind';
const pattern = /^(.+)\.rewind-([\d-]+)$/;

export function toPublicSegmentName(stream: string, segment: RewindSegment): string {
  return `${stream}${rewindSuffix}-${writeRewindSegmentName(segment)}`;
}

export function toPublicPictureName(stream: string, startMs: number): string {
  return `${stream}${rewindSuffix}-${writeRewindPictureName(startMs)}`;
}

export type RewindFileName =
  | { readonly kind: 'segment'; readonly stream: string; readonly segment: RewindSegment }
  | { readonly kind: 'picture'; readonly stream: string; readonly startMs: number };

/** @param name of the address without its extension. Undefined when it is no file of a window. */
export function parsePublicName(name: string, extension: string): RewindFileName | undefined {
  const [, stream = '', rest = ''] = pattern.exec(name) ?? [];
  if (stream === '') return undefined;
  const segment = extension === 'ts' ? parseRewindSegmentName(`${rest}.ts`) : undefined;
  if (segment) return { kind: 'segment', stream, segment };
  const startMs = extension === 'jpg' ? parseRewindPictureName(`${rest}.jpg`) : undefined;
  return startMs === undefined ? undefined : { kind: 'picture', stream, startMs };
}
