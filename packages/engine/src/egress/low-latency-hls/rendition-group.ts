// Renditions of one stream in low-latency HLS. Players switch between renditions, so all renditions have the same dates and target duration
// (RFC 8216bis §6.2.4). Each playlist reports the last part of the other playlists (§4.4.5.4).
import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import { lowLatencySuffix } from './part-names.ts';
import { leastTarget } from './part-playlist.ts';
import { SharedAnchor } from './shared-anchor.ts';

/** End of a playlist. */
export interface LastPlace {
  readonly mediaSequence: number;
  /** Number of the last listed part; undefined when the segment lists no parts. */
  readonly part: number | undefined;
}

interface Rendition {
  readonly key: StreamKey;
  readonly isPublished: boolean;
  readonly hasSegments: boolean;
  /** Undefined before the first part. */
  readonly last: LastPlace | undefined;
}

export class RenditionGroup {
  readonly anchor = new SharedAnchor();
  /** Common target duration; grows with the longest segment of any rendition. */
  readonly target = leastTarget();
  readonly #renditions = new Set<Rendition>();

  join(rendition: Rendition): void {
    this.#renditions.add(rendition);
  }

  /** Returns whether the group is empty. */
  leave(rendition: Rendition): boolean {
    this.#renditions.delete(rendition);
    return this.#renditions.size === 0;
  }

  /** Call after the end of a rendition's publisher. The next publishers may use another clock. */
  onUnpublish(): void {
    if ([...this.#renditions].every(({ isPublished }) => !isPublished)) this.anchor.restart();
  }

  /**
   * Report lines about all other playable renditions, each with a line feed. @param query appended to every URL, with its question mark, or
   * ''.
   */
  reportsFor(requested: Rendition, query: string): string {
    const others = [...this.#renditions].filter((each) => each !== requested && each.isPublished && each.hasSegments);
    return others.map((each) => `${reportOf(each, query)}\n`).join('');
  }
}

function reportOf({ key, last }: Rendition, query: string): string {
  const uri = `${encodeURIComponent(key.stream)}${lowLatencySuffix}.m3u8${query}`;
  const part = last?.part === undefined ? '' : `,LAST-PART=${last.part}`;
  return `#EXT-X-RENDITION-REPORT:URI="${uri}",LAST-MSN=${last?.mediaSequence ?? 0}${part}`;
}
