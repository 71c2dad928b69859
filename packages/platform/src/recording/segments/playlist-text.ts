// The text of a recording's playlist (RFC 8216), for HTTP and for the folder. Pure.
import { isBreak, type RecordedSegment, writeSegmentName } from './segment-name.ts';

/** @param place prefix of each file name ('' beside the playlist), or a function that returns the URL of a file name. */
export function writePlaylist(
  segments: readonly RecordedSegment[],
  place: string | ((name: string) => string),
): string {
  const addressOf = typeof place === 'string' ? (name: string) => place + name : place;
  const longestMs = segments.reduce((longest, { durationMs }) => Math.max(longest, durationMs), 0);
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:3',
    '#EXT-X-ALLOW-CACHE:YES',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    `#EXT-X-TARGETDURATION:${Math.ceil(longestMs / 1000)}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
  ];
  let before: RecordedSegment | undefined;
  for (const segment of segments) {
    if (before && isBreak(before, segment)) lines.push('#EXT-X-DISCONTINUITY');
    lines.push(`#EXTINF:${(segment.durationMs / 1000).toFixed(2)}, no desc`, addressOf(writeSegmentName(segment)));
    before = segment;
  }
  return `${[...lines, '#EXT-X-ENDLIST'].join('\n')}\n`;
}
