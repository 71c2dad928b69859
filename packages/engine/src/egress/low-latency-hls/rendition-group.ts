// The renditions of one stream in low-latency HLS: players change between them, so they share dates and target duration (RFC 8216bis
// §6.2.4), and each playlist tells how far the others have come (§4.4.5.4).
import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import { lowLatencySuffix } from './part-names.ts';
import { leastTarget } from './part-playlist.ts';
import { SharedAnchor } from './shared-anchor.ts';

/** Where a playlist ends. */
export interface LastPlace {
  readonly mediaSequence: number;
  /** Number of the last part of that segment; undefined when it lists none. */
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
  /** Of all their playlists; it grows with any. */
  readonly target = leastTarget();
  readonly #renditions = new Set<Rendition>();

  join(rendition: Rendition): void {
    this.#renditions.add(rendition);
  }

  /** Says whether nobody is left. */
  leave(rendition: Rendition): boolean {
    this.#renditions.delete(rendition);
    return this.#renditions.size === 0;
  }

  /** Call when the publisher of one has left: those of the next run may be on another clock. */
  onUnpublish(): void {
    if ([...this.#renditions].every(({ isPublished }) => !isPublished)) this.anchor.restart();
  }

  /**
   * Lines about all others that can be played, with a line feed each. @param query of every address, with its question mark, or ''.
   */
  reportsFor(asked: Rendition, query: string): string {
    const others = [...this.#renditions].filter((each) => each !== asked && each.isPublished && each.hasSegments);
    return others.map((each) => `${reportOf(each, query)}\n`).join('');
  }
}

function reportOf({ key, last }: Rendition, query: string): string {
  const uri = `${encodeURIComponent(key.stream)}${lowLatencySuffix}.m3u8${query}`;
  const part = last?.part === undefined ? '' : `,LAST-PART=${last.part}`;
  return `#EXT-X-RENDITION-REPORT:URI="${uri}",LAST-MSN=${last?.mediaSequence ?? 0}${part}`;
}
