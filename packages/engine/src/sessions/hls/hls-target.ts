// Parses the path of an HLS playlist or file.

import type { RewindSegment } from '@srs-stack/playback/rewind/rewind-names.ts';
import { parseSegmentName } from '../../egress/hls/segment-names.ts';
import { lowLatencySuffix, type MediaFileName, parseMediaFileName } from '../../egress/low-latency-hls/part-names.ts';
import { withoutMoments } from '../../egress/rewind/rewind-moment.ts';
import { parsePublicName, rewindSuffix } from '../../egress/rewind/rewind-public-names.ts';
import type { MediaPath } from '../http/media-path.ts';

export type HlsTarget = PlaylistTarget | FileTarget;

export type PlaylistTarget =
  | { readonly kind: 'playlist' | 'low-latency-playlist'; readonly key: MediaPath }
  | WindowTarget<'rewind-playlist'>;

export type FileTarget =
  | { readonly kind: 'segment'; readonly key: MediaPath; readonly fileName: string }
  | WindowTarget<'rewind-storyboard'>
  | { readonly kind: 'rewind-segment'; readonly key: MediaPath; readonly segment: RewindSegment }
  | { readonly kind: 'rewind-picture'; readonly key: MediaPath; readonly startMs: number }
  | { readonly kind: 'low-latency-file'; readonly key: MediaPath; readonly name: MediaFileName };

interface WindowTarget<Kind> {
  readonly kind: Kind;
  /** The stream. The query has no time range, because the authorization is valid for all ranges. */
  readonly key: MediaPath;
  /** The original query, with the time range. */
  readonly query: string;
}

export function isPlaylist(target: HlsTarget): target is PlaylistTarget {
  return target.kind === 'playlist' || target.kind === 'low-latency-playlist' || target.kind === 'rewind-playlist';
}

/** In the result, `key.stream` is the name of the stream. Undefined if the path is no playlist or file of HLS. */
export function toHlsTarget(path: MediaPath): HlsTarget | undefined {
  if (path.extension === 'm3u8') {
    const inParts = nameBefore(lowLatencySuffix, path);
    if (inParts !== undefined) return { kind: 'low-latency-playlist', key: { ...path, stream: inParts } };
    return toWindow(path, 'rewind-playlist') ?? { kind: 'playlist', key: path };
  }
  if (path.extension === 'vtt') return toWindow(path, 'rewind-storyboard');
  if (path.extension === 'ts' || path.extension === 'jpg') return toFile(path);
  const name = path.extension === 'm4s' ? parseMediaFileName(path.stream) : undefined;
  return name && { kind: 'low-latency-file', key: { ...path, stream: name.stream }, name };
}

function toWindow(path: MediaPath, kind: 'rewind-playlist' | 'rewind-storyboard'): HlsTarget | undefined {
  const stream = nameBefore(rewindSuffix, path);
  const { query } = path;
  return stream === undefined ? undefined : { kind, key: { ...path, stream, query: withoutMoments(query) }, query };
}

function toFile(path: MediaPath): HlsTarget | undefined {
  const inWindow = parsePublicName(path.stream, path.extension);
  const key = { ...path, stream: inWindow?.stream ?? '' };
  if (inWindow?.kind === 'segment') return { kind: 'rewind-segment', key, segment: inWindow.segment };
  if (inWindow?.kind === 'picture') return { kind: 'rewind-picture', key, startMs: inWindow.startMs };
  const segment = path.extension === 'ts' ? parseSegmentName(`${path.stream}.ts`) : undefined;
  return segment && { kind: 'segment', key: { ...path, stream: segment.stream }, fileName: `${path.stream}.ts` };
}

function nameBefore(suffix: string, { stream }: MediaPath): string | undefined {
  return stream.endsWith(suffix) && stream.length > suffix.length ? stream.slice(0, -suffix.length) : undefined;
}
