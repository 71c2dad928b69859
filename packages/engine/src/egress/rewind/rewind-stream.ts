// The window of one stream for HTTP sessions: its playlists and storyboard.
import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import type { RewindSegment } from '@srs-stack/playback/rewind/rewind-names.ts';
import type { PlaylistText } from '../low-latency-hls/playlist-text.ts';
import type { RewindRange } from './rewind-moment.ts';
import { targetSecondsOf, writeRewindPlaylist, writeStoryboard } from './rewind-playlist.ts';
import { RewindWindow } from './rewind-window.ts';

/** A playlist is marked as complete this time after its last segment if there is no publisher, milliseconds. */
const endedAfterMs = 60_000;

export interface RewindStreamOptions {
  readonly key: StreamKey;
  readonly segments: readonly RewindSegment[];
  readonly isPublished: () => boolean;
  /** Milliseconds since 1970. */
  readonly wallClock: () => number;
}

export class RewindStream {
  readonly key: StreamKey;
  readonly window: RewindWindow;
  readonly #options: RewindStreamOptions;
  readonly #waiting = new Set<() => void>();
  /** Time of the last segment, or of loading the window; milliseconds since 1970. */
  #changedAtMs: number;
  #text:
    | { readonly version: number; readonly isEnded: boolean; readonly full: PlaylistText; delta?: PlaylistText }
    | undefined;

  constructor(options: RewindStreamOptions) {
    this.key = options.key;
    this.#options = options;
    this.window = new RewindWindow(options.segments);
    this.#changedAtMs = options.wallClock();
  }

  get isPublished(): boolean {
    return this.#options.isPublished();
  }

  /** Whether the stream has no publisher, and has had no new segment for `endedAfterMs`. */
  get isEnded(): boolean {
    return !this.isPublished && this.#options.wallClock() - this.#changedAtMs > endedAfterMs;
  }

  add(segment: RewindSegment): void {
    this.window.add(segment);
    this.#changedAtMs = this.#options.wallClock();
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const callback of waiting) callback();
  }

  /** Calls back at the next segment. Returns a function that unsubscribes. */
  onReady(callback: () => void): () => void {
    this.#waiting.add(callback);
    return () => this.#waiting.delete(callback);
  }

  /** The whole window. @param query appended to every URL, with its question mark, or ''. */
  playlistBody(query: string, isDelta: boolean): Buffer {
    const { version, segments } = this.window;
    const { isEnded } = this;
    const options = { stream: this.key.stream, isEnded };
    if (this.#text?.version !== version || this.#text.isEnded !== isEnded) {
      this.#text = { version, isEnded, full: writeRewindPlaylist(segments, options) };
    }
    if (!isDelta || isEnded) return this.#text.full.toBody(query);
    this.#text.delta ??= writeRewindPlaylist(segments, { ...options, isDelta });
    return this.#text.delta.toBody(query);
  }

  /** The range as a finished playlist; undefined when no part of it is available. */
  pieceBody(range: RewindRange, query: string): Buffer | undefined {
    const segments = this.window.between(range);
    const first = segments[0];
    if (first === undefined) return undefined;
    const offsetMs = Math.max(0, range.fromMs - first.startMs);
    return writeRewindPlaylist(segments, { stream: this.key.stream, isEnded: true, offsetMs }).toBody(query);
  }

  storyboard(query: string): string {
    return writeStoryboard(this.window.segments, this.key.stream, query);
  }

  get targetDurationMs(): number {
    return targetSecondsOf(this.window.segments) * 1000;
  }
}
