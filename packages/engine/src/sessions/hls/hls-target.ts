// What a media path asks of HLS: a playlist or a file of it, and of which stream.

import { parseSegmentName } from '../../egress/hls/segment-names.ts';
import { lowLatencySuffix, type MediaFileName, parseMediaFileName } from '../../egress/low-latency-hls/part-names.ts';
import type { MediaPath } from '../http/media-path.ts';

export type HlsTarget =
  | { readonly kind: 'playlist' | 'low-latency-playlist'; readonly key: MediaPath }
  | { readonly kind: 'segment'; readonly key: MediaPath; readonly fileName: string }
  | { readonly kind: 'low-latency-file'; readonly key: MediaPath; readonly name: MediaFileName };

/** `.key.stream` is the stream's name. Undefined when the path is no playlist and no file of ours. */
export function toHlsTarget(path: MediaPath): HlsTarget | undefined {
  if (path.extension === 'm3u8') {
    const stream = path.stream.endsWith(lowLatencySuffix) ? path.stream.slice(0, -lowLatencySuffix.length) : '';
    return stream === '' ? { kind: 'playlist', key: path } : { kind: 'low-latency-playlist', key: { ...path, stream } };
  }
  if (path.extension === 'ts') {
    const segment = parseSegmentName(`${path.stream}.ts`);
    return segment && { kind: 'segment', key: { ...path, stream: segment.stream }, fileName: `${path.stream}.ts` };
  }
  const name = path.extension === 'm4s' ? parseMediaFileName(path.stream) : undefined;
  return name && { kind: 'low-latency-file', key: { ...path, stream: name.stream }, name };
}
