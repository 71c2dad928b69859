// HLS of one stream: passes packets to the segmenter, opens and closes segments, and serves viewers. The output exists until its files are
// removed, even if publishers come and go.
import { join } from 'node:path';
import { codecString } from '@srs-stack/media/codecs/codec-string.ts';
import type { Packet } from '@srs-stack/media/packet.ts';
import { type StreamKey, toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { VideoCodec, VideoTrack } from '@srs-stack/media/track.ts';
import type { HlsConfig } from '../../engine-config.ts';
import type { HlsMetrics } from '../../engine-snapshot.ts';
import type { StreamReader } from '../../hub/stream-reader.ts';
import type { EnginePorts } from '../../ports.ts';
import type { SessionInfo } from '../../session-info.ts';
import type { DiskHealth } from './disk-health.ts';
import { GrowingSegment } from './growing-segment.ts';
import { type HlsSegment, KeptSegments } from './kept-segments.ts';
import { toMasterText } from './live-playlist.ts';
import { PlaylistFile } from './playlist-file.ts';
import { SegmentFinisher, type SegmentKeeper } from './segment-finisher.ts';
import type { SegmentMemory } from './segment-memory.ts';
import { folderOf, playlistName, writeSegmentName } from './segment-names.ts';
import { type AnnouncedTracks, Segmenter, type SegmentSink } from './segmenter.ts';

/** What HLS outputs need of a published stream. */
export interface PublishedStream {
  readonly key: StreamKey;
  readonly publisher: SessionInfo | undefined;
  /** The tracks of the stream as this reader receives them. */
  viewFor(reader: Pick<StreamReader, 'acceptsAudio'>): AnnouncedTracks;
  /** Audio codec that the reader does not support; undefined if another track is supported. */
  undeliverableAudio(reader: Pick<StreamReader, 'acceptsAudio'>): string | undefined;
}

export interface HlsStreamOptions {
  readonly stream: PublishedStream;
  readonly config: HlsConfig;
  readonly ports: Pick<EnginePorts, 'log' | 'onFault' | 'onHlsSegment'>;
  readonly memory: SegmentMemory;
  readonly disk: DiskHealth;
  readonly keeper?: SegmentKeeper | undefined;
  /** Monotonic and wall clock, milliseconds. */
  readonly clock: () => number;
  readonly wallClock: () => number;
  /** Flush interval of muxed data, milliseconds of media. */
  readonly handOverMs: () => number;
  /** Number of the first segment. Above 0, the playlist of another output continues after a discontinuity. */
  readonly firstSequence: number;
}

/** A stream without a request for this time counts as unwatched, milliseconds. Players request every segment. */
const unwatchedAfterMs = 120_000;

export class HlsStream implements StreamReader, SegmentSink {
  readonly name = 'hls';
  /** Audio codecs that browsers play in MPEG-TS; Opus is not one of them. */
  readonly acceptsAudio = ['aac', 'mp3'] as const;
  readonly key: StreamKey;
  /** The published codec if MPEG-TS cannot carry it. */
  unsupportedVideo: VideoCodec | undefined;
  /** Monotonic time for removing the files; undefined while published. */
  disposeAtMs: number | undefined;
  nextSequence: number;
  #stream: PublishedStream;
  readonly #options: HlsStreamOptions;
  readonly #folder: string;
  readonly #segmenter: Segmenter;
  readonly #kept: KeptSegments;
  readonly #playlistFile: PlaylistFile;
  readonly #finisher: SegmentFinisher;
  readonly #waiting = new Set<() => void>();
  #growing: GrowingSegment | undefined;
  #requestedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: HlsStreamOptions) {
    const { stream, config, firstSequence } = options;
    this.key = stream.key;
    this.#stream = stream;
    this.#options = options;
    this.nextSequence = firstSequence;
    this.#folder = join(config.path, folderOf(stream.key));
    this.#segmenter = new Segmenter(config, {
      sink: this,
      announced: () => this.#stream.viewFor(this),
      handOverMs: options.handOverMs,
    });
    if (firstSequence > 0) this.#segmenter.finish();
    this.#kept = new KeptSegments({ windowMs: config.windowSeconds * 1000, firstSequence, memory: options.memory });
    this.#playlistFile = new PlaylistFile(join(this.#folder, playlistName(stream.key.stream)));
    this.#finisher = new SegmentFinisher({
      key: stream.key,
      ports: options.ports,
      disk: options.disk,
      keeper: options.keeper,
      playlistFile: this.#playlistFile,
      isWatched: () => this.#isWatched,
      list: (segment) => {
        this.#kept.add(segment, options.clock());
        this.#wake();
      },
      playlistText: () => this.#kept.playlist.toText(),
    });
  }

  get isPublished(): boolean {
    return this.disposeAtMs === undefined;
  }

  /** Published media that MPEG-TS cannot carry, e.g. `av1 video`. */
  get unsupportedMedia(): string | undefined {
    if (this.unsupportedVideo !== undefined) return `${this.unsupportedVideo} video`;
    const audio = this.isPublished ? this.#stream.undeliverableAudio(this) : undefined;
    return audio && `${audio} audio`;
  }

  get hasSegments(): boolean {
    return this.#kept.playlist.segments.length > 0;
  }

  get playlistPath(): string {
    return this.#playlistFile.path;
  }

  get targetDurationMs(): number {
    return this.#kept.playlist.targetDuration * 1000;
  }

  /** Continues with a new publisher; the next segment is discontinuous. */
  resume(stream: PublishedStream): void {
    this.#stream = stream;
    this.disposeAtMs = undefined;
    this.unsupportedVideo = undefined;
  }

  onPacket(packet: Packet): void {
    if (packet.track.kind === 'video' && !this.#accepts(packet.track)) return;
    if (packet.track.kind === 'audio' && this.unsupportedVideo !== undefined) return;
    this.#segmenter.push(packet);
  }

  onPublisherChange(): void {
    this.#segmenter.finish();
    this.unsupportedVideo = undefined;
  }

  onEnd(): void {
    this.#segmenter.finish();
  }

  /** Closes the last segment after the end of the publisher. Files stay for `disposeSeconds`. */
  unpublish(): void {
    this.#segmenter.finish();
    this.disposeAtMs = this.#options.clock() + this.#options.config.disposeSeconds * 1000;
    this.#wake();
  }

  /** Media playlist; '' before the first segment. */
  playlistText(query: string): string {
    this.#noteRequest();
    return this.#kept.playlist.toText(query);
  }

  /** Master playlist for one viewer. @param mediaUrl media playlist of the viewer. */
  masterText(mediaUrl: string): string {
    this.#noteRequest();
    return toMasterText(mediaUrl, this.#kept.playlist.bandwidth);
  }

  get metrics(): HlsMetrics {
    const { peak, average } = this.hasSegments ? this.#kept.playlist.bandwidth : { peak: 0, average: 0 };
    return { peakBps: peak, averageBps: average, codecs: this.#codecs };
  }

  get #codecs(): string {
    const { video, audio } = this.#stream.viewFor(this);
    const tracks = [video, audio].filter((track) => track !== undefined);
    const names = tracks.map(codecString).filter((name) => name !== undefined);
    return names.length === tracks.length ? names.join(',') : '';
  }

  /** Finds a segment by file name, even for a while after its removal from the playlist. */
  findSegment(fileName: string): HlsSegment | undefined {
    this.#noteRequest();
    return this.#kept.find(fileName);
  }

  bytesOf(segment: HlsSegment): Promise<Buffer | undefined> {
    return this.#kept.bytesOf(segment);
  }

  /** Whether packets may arrive slightly late: true without recent requests. */
  get isPatient(): boolean {
    return !this.#isWatched;
  }

  get #isWatched(): boolean {
    return this.#options.clock() - this.#requestedAtMs < unwatchedAfterMs;
  }

  #noteRequest(): void {
    this.#requestedAtMs = this.#options.clock();
  }

  /** Calls back once: at the next segment, or when none will follow. Returns a function that unsubscribes. */
  onReady(callback: () => void): () => void {
    this.#noteRequest();
    this.#waiting.add(callback);
    return () => this.#waiting.delete(callback);
  }

  sweep(now: number): void {
    this.#kept.sweep(now);
  }

  /** Ends the output; its files stay. Resolves when all writes are complete. */
  async close(): Promise<void> {
    this.#segmenter.finish();
    this.#wake();
    await this.#finisher.quiet();
  }

  /** Removes the files of an ended output. @param keepsPlaylist another output or gateway writes to the playlist file. Never rejects. */
  async dispose({ keepsPlaylist }: { keepsPlaylist: boolean }): Promise<void> {
    this.#kept.close();
    await this.#finisher.quiet();
    await this.#kept.removeAll();
    if (!keepsPlaylist) await this.#playlistFile.remove();
  }

  onSegmentStart(isDiscontinuous: boolean): void {
    const sequence = this.nextSequence++;
    const startedAtMs = this.#options.wallClock();
    const fileName = writeSegmentName({ stream: this.key.stream, sequence, startedAtMs });
    this.#growing = new GrowingSegment({
      fileName,
      startedAtMs,
      path: join(this.#folder, fileName),
      sequence,
      isDiscontinuous: isDiscontinuous && sequence > 0,
      publisher: this.#stream.publisher,
    });
  }

  onSegmentData(chunks: readonly Buffer[], isWhole: boolean): void {
    this.#growing!.append(chunks, isWhole);
  }

  onSegmentEnd(durationMs: number): void {
    const growing = this.#growing!;
    this.#growing = undefined;
    this.#finisher.finish(growing, durationMs);
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const callback of waiting) callback();
  }

  #accepts({ codec }: VideoTrack): boolean {
    if (codec === 'h264' || codec === 'h265') return true;
    if (this.unsupportedVideo === undefined) this.#logUnsupported(codec);
    this.unsupportedVideo = codec;
    this.#wake();
    return false;
  }

  #logUnsupported(codec: string): void {
    this.#options.ports.log.warn(
      { stream: toStreamUrl(this.key), codec },
      'stream is not available over HLS: HLS segments cannot carry its codec',
    );
  }
}
