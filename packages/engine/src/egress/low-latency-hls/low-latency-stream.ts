// Low-latency HLS of one stream: passes packets to the cutter, keeps segments in memory, and answers waiting requests. The output continues
// across publishers, and so do its numbers.

import { codecString } from '@srs-stack/media/codecs/codec-string.ts';
import { Fmp4Muxer } from '@srs-stack/media/containers/fmp4/fmp4-muxer.ts';
import type { Packet } from '@srs-stack/media/packet.ts';
import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import type { Track, VideoCodec } from '@srs-stack/media/track.ts';
import type { StreamReader } from '../../hub/stream-reader.ts';
import type { PublishedStream } from '../hls/hls-stream.ts';
import type { SegmentMemory } from '../hls/segment-memory.ts';
import { LowLatencySegment } from './low-latency-segment.ts';
import { type CutPart, PartCutter, type PartSink, type SegmentStart } from './part-cutter.ts';
import { type MediaFileName, writeMediaFileName } from './part-names.ts';
import { PartPlaylist } from './part-playlist.ts';
import type { PlaylistText } from './playlist-text.ts';
import type { LastPlace, RenditionGroup } from './rendition-group.ts';
import { type DateAnchor, WallClockAnchor } from './wall-clock-anchor.ts';

export interface LowLatencyStreamOptions {
  readonly stream: PublishedStream;
  readonly memory: SegmentMemory;
  /** Monotonic and wall clock, milliseconds. */
  readonly clock: () => number;
  readonly wallClock: () => number;
  /** Letters and digits, unique per instance of the output. */
  readonly run: string;
  /** Group of renditions of one source stream; undefined for a stream that is not a rendition. */
  readonly group?: RenditionGroup | undefined;
}

/** Playlist position that a request waits for; `part` undefined: the whole segment (RFC 8216bis §6.2.5.2). */
export interface PlaylistPlace {
  readonly mediaSequence: number;
  readonly part: number | undefined;
}

/** Length of the playlist, milliseconds. Long enough for useful delta updates and short pauses of a viewer. */
const windowMs = 30_000;
/** Requests for a segment further ahead are refused, §6.2.5.2. */
const maxSegmentsAhead = 2;
/** Parts may be requested this time in advance, milliseconds ("Advance Part Limit", §6.2.5.2). */
const advanceMs = 3_000;
/** Maximum size of the listed segments, bytes: half a minute of 8 Mbit/s. A higher bitrate shortens the playlist. */
const maxListedBytes = 32 * 1024 * 1024;

/** Maximum number of removed segments that stay available: twice those of 30 s. Reached when media arrives faster than real time. */
const maxRemovedSegments = 32;

export class LowLatencyStream implements StreamReader, PartSink {
  readonly name = 'low-latency-hls';
  /** Codecs that browsers play from fragmented MP4. */
  readonly acceptsAudio = ['aac', 'opus'] as const;
  readonly key: StreamKey;
  unsupportedVideo: VideoCodec | undefined;
  isPublished = true;
  /** Whether there was a recent request. If not, the playlist has only the minimum length. */
  isWatched = false;
  readonly #options: LowLatencyStreamOptions;
  #stream: PublishedStream;
  readonly #cutter: PartCutter;
  readonly #playlist: PartPlaylist<LowLatencySegment>;
  /** Date anchor of a stream without a group. Renditions use the anchor of their group. */
  readonly #ownAnchor = new WallClockAnchor();
  readonly #waiting = new Set<() => void>();
  #expired: LowLatencySegment[] = [];
  #growing: LowLatencySegment | undefined;
  #init: { readonly fileName: string; readonly data: Buffer } | undefined;
  #tracks: readonly Track[] = [];
  #nextSegment = 0;
  #nextPart = 0;
  #nextInit = 0;
  #texts: { full?: PlaylistText; delta?: PlaylistText } = {};

  constructor(options: LowLatencyStreamOptions) {
    this.key = options.stream.key;
    this.#stream = options.stream;
    this.#options = options;
    this.#playlist = new PartPlaylist(options.group?.target);
    options.group?.join(this);
    this.#cutter = new PartCutter(this, () => this.#stream.viewFor(this));
  }

  /** Published media that fragmented MP4 cannot carry, e.g. `vp9 video`. */
  get unsupportedMedia(): string | undefined {
    if (this.unsupportedVideo !== undefined) return `${this.unsupportedVideo} video`;
    const audio = this.isPublished ? this.#stream.undeliverableAudio(this) : undefined;
    return audio && `${audio} audio`;
  }

  get hasSegments(): boolean {
    return this.#playlist.isPlayable;
  }

  get targetDurationMs(): number {
    return this.#playlist.targetDuration * 1000;
  }

  resume(stream: PublishedStream): void {
    this.#stream = stream;
    this.isPublished = true;
    this.unsupportedVideo = undefined;
    this.#change();
  }

  onPacket(packet: Packet): void {
    if (packet.track.kind === 'video' && !Fmp4Muxer.canCarry(packet.track)) this.#refuse(packet.track.codec);
    if (this.unsupportedVideo !== undefined) return;
    this.#anchor.observe(packet.ptsMs, this.#options.wallClock());
    this.#cutter.push(packet);
  }

  onPublisherChange(): void {
    this.#cutter.finish();
    this.#ownAnchor.restart();
    this.unsupportedVideo = undefined;
  }

  onEnd(): void {
    this.#cutter.finish();
    this.#ownAnchor.restart();
  }

  /** Handles the end of the publisher: segments stay, waiting requests are answered. */
  unpublish(): void {
    this.#cutter.finish();
    this.isPublished = false;
    this.#options.group?.onUnpublish();
    this.#change();
  }

  close(): void {
    if (this.isPublished) this.unpublish();
    for (const segment of [...this.#expired, ...this.#playlist.segments]) this.#options.memory.drop(segment);
  }

  /** Master playlist for one viewer, with codecs and bandwidth. @param mediaUrl media playlist of the viewer. */
  masterText(mediaUrl: string): string {
    const { peak, average } = this.#playlist.bandwidth;
    const codecs = this.#tracks.map(codecString).filter((name) => name !== undefined);
    const video = this.#tracks.find((track) => track.kind === 'video');
    const attributes = [
      `BANDWIDTH=${peak},AVERAGE-BANDWIDTH=${average}`,
      ...(codecs.length === this.#tracks.length ? [`CODECS="${codecs.join(',')}"`] : []),
      ...(video && video.width > 0 && video.height > 0 ? [`RESOLUTION=${video.width}x${video.height}`] : []),
    ];
    return `#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-STREAM-INF:${attributes.join(',')}\n${mediaUrl}\n`;
  }

  /** @param query appended to every URL, with its question mark; or ''. */
  playlistBody(query: string, isDelta: boolean): Buffer {
    const kind = isDelta ? 'delta' : 'full';
    const hint = this.isPublished ? this.#nameOf('part', this.#nextPart) : undefined;
    this.#texts[kind] ??= this.#playlist.toText({ hint, isDelta });
    // Rendition reports are not cached with the text, because the other renditions advance independently.
    return this.#texts[kind].toBody(query, this.#options.group?.reportsFor(this, query));
  }

  /** Whether the playlist has reached the position, or never will. */
  hasReached({ mediaSequence, part }: PlaylistPlace): boolean {
    if (!this.isPublished) return true;
    const { end } = this;
    if (part === undefined) return mediaSequence < end.mediaSequence;
    return mediaSequence < end.mediaSequence - 1 || this.#hasPart(mediaSequence, part);
  }

  /** Whether the position is too far ahead to wait for, which is a client error. */
  isTooFar({ mediaSequence, part = 0 }: PlaylistPlace): boolean {
    const { end } = this;
    const last = end.parts > 0 ? end.mediaSequence : end.mediaSequence - 1;
    const partLimit = Math.ceil(advanceMs / Math.max(1, Math.min(1000, this.#playlist.partTargetMs)));
    return (
      mediaSequence > last + maxSegmentsAhead || (mediaSequence >= end.mediaSequence && part > end.parts + partLimit)
    );
  }

  get end() {
    return this.#playlist.end;
  }

  /** Position of the last part, which may be in the last complete segment; undefined before the first part. */
  get last(): LastPlace | undefined {
    const { mediaSequence, parts } = this.end;
    if (parts > 0) return { mediaSequence, part: parts - 1 };
    const whole = this.#playlist.segments.at(-1);
    const part = whole && whole.parts.length > 0 ? whole.parts.length - 1 : undefined;
    return whole && { mediaSequence: mediaSequence - 1, part };
  }

  /** Whether this part is being created, so that a request can wait for it. */
  isHinted({ run, kind, number }: MediaFileName): boolean {
    return this.isPublished && kind === 'part' && run === this.#options.run && number === this.#nextPart;
  }

  /** Returns the chunks of a file. Files remain for a while after they have left the playlist. */
  findFile({ run, kind, number }: MediaFileName): readonly Buffer[] | undefined {
    if (run !== this.#options.run) return undefined;
    if (kind === 'part') return this.#findPart(number);
    const segments = [...this.#playlist.segments, ...this.#expired];
    const fileName = this.#nameOf(kind, number);
    if (kind === 'init') {
      const data = segments.find(({ initFileName }) => initFileName === fileName)?.initSegment;
      return data && [data];
    }
    return segments.find((each) => each.fileName === fileName && each.durationMs !== undefined)?.chunks;
  }

  /** Searches from the end without copying: every viewer requests one of the newest parts three times per second. */
  #findPart(number: number): readonly Buffer[] | undefined {
    for (const segments of [this.#playlist.segments, this.#expired]) {
      for (let index = segments.length - 1; index >= 0; index--) {
        const { parts } = segments[index]!;
        const first = parts[0]?.number ?? Number.POSITIVE_INFINITY;
        if (number >= first && number < first + parts.length) return [parts[number - first]!.data];
      }
    }
    return undefined;
  }

  /** Calls back at each playlist change. Returns a function that unsubscribes. */
  onReady(callback: () => void): () => void {
    this.#waiting.add(callback);
    return () => this.#waiting.delete(callback);
  }

  sweep(now: number): void {
    for (const segment of this.#expired) if (segment.removeAtMs <= now) this.#options.memory.drop(segment);
    this.#expired = this.#expired.filter(({ removeAtMs }) => removeAtMs > now);
  }

  onPartTarget(partTargetMs: number): void {
    this.#playlist.partTargetMs = partTargetMs;
  }

  onSegmentStart({ initSegment, tracks, isDiscontinuous, shownAtMs }: SegmentStart): void {
    if (initSegment) this.#init = { fileName: this.#nameOf('init', this.#nextInit++), data: initSegment };
    this.#tracks = tracks;
    const number = this.#nextSegment++;
    this.#growing = new LowLatencySegment({
      fileName: this.#nameOf('segment', number),
      initFileName: this.#init!.fileName,
      initSegment: this.#init!.data,
      isDiscontinuous: isDiscontinuous && number > 0,
      readDateMs: () => this.#anchor.dateOf(shownAtMs),
    });
  }

  onPart({ data, durationMs, isIndependent }: CutPart): void {
    const growing = this.#growing!;
    if (growing.parts.length === 0) this.#playlist.add(growing);
    const number = this.#nextPart++;
    growing.add({ fileName: this.#nameOf('part', number), number, data, durationMs, isIndependent });
    this.#change();
  }

  onSegmentEnd(durationMs: number): void {
    const growing = this.#growing!;
    this.#growing = undefined;
    if (growing.parts.length === 0) {
      this.#nextSegment--;
      return;
    }
    const { memory, clock } = this.#options;
    growing.durationMs = durationMs;
    memory.keep(growing);
    const playlistMs = this.#playlist.durationMs;
    for (const listed of this.#playlist.segments)
      listed.longestPlaylistMs = Math.max(listed.longestPlaylistMs, playlistMs);
    const removed = this.#playlist.slide(this.isWatched ? windowMs : 0);
    this.#playlist.removeLeading(({ chunks }) => chunks === undefined);
    this.#shorten(removed);
    // Players may still have a playlist that listed the segment (RFC 8216bis §6.2.2).
    for (const segment of removed) segment.removeAtMs = clock() + segment.longestPlaylistMs + (segment.durationMs ?? 0);
    this.#expired.push(...removed);
    const excess = Math.max(0, this.#expired.length - maxRemovedSegments);
    for (const oldest of this.#expired.splice(0, excess)) memory.drop(oldest);
    this.#change();
  }

  /** Removes the oldest segments of a stream that exceeds `maxListedBytes`. */
  #shorten(removed: LowLatencySegment[]): void {
    const { segments } = this.#playlist;
    let kept = segments.reduce((total, { sizeBytes }) => total + sizeBytes, 0);
    const gone = new Set<LowLatencySegment>();
    for (const segment of segments.slice(0, -minSegments)) {
      if (kept <= maxListedBytes) break;
      gone.add(segment);
      kept -= segment.sizeBytes;
    }
    this.#playlist.removeLeading((segment) => gone.has(segment));
    removed.push(...gone);
  }

  get #anchor(): DateAnchor {
    return this.#options.group?.anchor ?? this.#ownAnchor;
  }

  #hasPart(mediaSequence: number, part: number): boolean {
    const { end } = this;
    if (mediaSequence === end.mediaSequence) return part < end.parts;
    const isLastWhole = mediaSequence === end.mediaSequence - 1;
    if (!isLastWhole) return false;
    const parts = this.#playlist.segments.findLast(({ durationMs }) => durationMs !== undefined)?.parts.length ?? 0;
    // The requested part may become the first part of the next segment (§6.2.5.2).
    return part < parts || end.parts > 0;
  }

  #nameOf(kind: MediaFileName['kind'], number: number): string {
    return writeMediaFileName({ stream: this.key.stream, run: this.#options.run, kind, number });
  }

  #refuse(codec: VideoCodec): void {
    if (this.unsupportedVideo === codec) return;
    this.unsupportedVideo = codec;
    this.#change();
  }

  /** Discards the cached texts; waiting requests check their position again. */
  #change(): void {
    this.#texts = {};
    const waiting = [...this.#waiting];
    for (const callback of waiting) callback();
  }
}

/** Minimum number of listed segments regardless of their size (RFC 8216bis §6.2.2). */
const minSegments = 4;
