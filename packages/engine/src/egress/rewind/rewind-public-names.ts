// Names of the files of a window in URLs: `{stream}.rewind-{name}`.
import {
  parseRewindImageName,
  parseRewindSegmentName,
  type RewindSegment,
  writeRewindImageName,
  writeRewindSegmentName,
} from '@srs-stack/playback/rewind/rewind-names.ts';

export const rewindSuffix = '.rewind';
const pattern = /^(.+)\.rewind-([\d-]+)$/;

export function toPublicSegmentName(stream: string, segment: RewindSegment): string {
  return `${stream}${rewindSuffix}-${writeRewindSegmentName(segment)}`;
}

export function toPublicImageName(stream: string, startMs: number): string {
  return `${stream}${rewindSuffix}-${writeRewindImageName(startMs)}`;
}

export type RewindFileName =
  | { readonly kind: 'segment'; readonly stream: string; readonly segment: RewindSegment }
  | { readonly kind: 'picture'; readonly stream: string; readonly startMs: number };

/** @param name file name without the extension. Returns undefined for other files. */
export function parsePublicName(name: string, extension: string): RewindFileName | undefined {
  const [, stream = '', rest = ''] = pattern.exec(name) ?? [];
  if (stream === '') return undefined;
  const segment = extension === 'ts' ? parseRewindSegmentName(`${rest}.ts`) : undefined;
  if (segment) return { kind: 'segment', stream, segment };
  const startMs = extension === 'jpg' ? parseRewindImageName(`${rest}.jpg`) : undefined;
  return startMs === undefined ? undefined : { kind: 'picture', stream, startMs };
}
