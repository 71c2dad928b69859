// HLS of one stream: the reader that feeds the segmenter, the segments on disk and in memory, the playlist, the events. It
// outlives publishers until its files are disposed of.
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { codecString } from '@srs-stack/media/codecs/codec-string.ts';
import type { Packet } from '@srs-stack/media/packet.ts';
import { type StreamKey, toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { VideoCodec, VideoTrack } from '@srs-stack/media/track.ts';
import type { HlsConfig } from '../../engine-config.ts';
import type { HlsFigures } from '../../engine-snapshot.ts';
import { faultReporter } from '../../faults.ts';
import type { StreamReader } from '../../hub/stream-reader.ts';
import type { EnginePorts } from '../../ports.ts';
import type { SessionInfo } from '../../session-info.ts';
import type { DiskHealth } from './disk-health.ts';
import { GrowingSegment } from './growing-segment.ts';
import { LivePlaylist, toMasterText } from './live-playlist.ts';
import { PlaylistFile } from './playlist-file.ts';
import { type CachedSegment, inOnePiece, type SegmentMemory } from './segment-memory.ts';
import { folderOf, playlistName, writeSegmentName } from './segment-names.ts';
import { type AnnouncedTracks, Segmenter, type SegmentSink } from './segmenter.ts';

/** Who keeps finished segments longer than the live playlist does; neither method may throw or reject. */
export interface SegmentKeeper {
  /** The file is there until it resolves. */
  take(key: StreamKey, path: string, segment: KeptSegment): Promise<void>;
  /** A segment was lost. */
  miss(key: StreamKey): void;
}

interface KeptSegment {
  /** Milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly sizeBytes: number;
  readonly isDiscontinuous: boolean;
}

/** The stream as the hub shows it. */
export interface PublishedStream {
  readonly key: StreamKey;
  readonly publisher: SessionInfo | undefined;
  /** Its tracks as the output gets them. */
  viewFor(reader: Pick<StreamReader, 'acceptsAudio'>): AnnouncedTracks;
  /** Codec of the sound when there is nothing else and the reader cannot get it. */
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
  /** Media time after which what is muxed goes to the file, milliseconds. */
  readonly handOverMs: () => number;
  /** Number of the first segment; above 0 it continues the playlist of another output and is discontinuous. */
  readonly firstSequence: number;
}

export interface HlsSegment extends CachedSegment {
  readonly fileName: string;
  readonly path: string;
  readonly sequence: number;
  readonly durationMs: number;
  readonly isDiscontinuous: boolean;
  isOnDisk: boolean;
  /** Monotonic time after which the file may go, once the segment left the playlist. */
  removeAtMs: number;
}

/**
 * Newest segments of a stream that stay in memory: what live players ask for. They begin three from the end (RFC 8216 §6.3.3), and those whose
 * playlist is a segment old ask for the one before; a moment of delay is one more.
 */
const cachedSegments = 5;
/** Nobody watches whom no request has come for this long, milliseconds: players ask for each segment, and none is longer. */
const unwatchedAfterMs = 120_000;
/** Bytes of closed segments that may wait for a slow disk, per stream; beyond, new segments are given up. */
const maxFinishingBytes = 32 * 1024 * 1024;

export class HlsStream implements StreamReader, SegmentSink {
  readonly name = 'hls';
  /** What browsers play from segments; Opus in MPEG-TS they do not. */
  readonly acceptsAudio = ['aac', 'mp3'] as const;
  readonly key: StreamKey;
  /** Set when MPEG-TS cannot carry what is published. */
  unsupportedVideo: VideoCodec | undefined;
  /** Monotonic time of disposal; undefined while published. */
  disposeAtMs: number | undefined;
  nextSequence: number;
  #stream: PublishedStream;
  readonly #options: HlsStreamOptions;
  readonly #folder: string;
  readonly #segmenter: Segmenter;
  readonly #playlist: LivePlaylist<HlsSegment>;
  readonly #playlistFile: PlaylistFile;
  readonly #waiting = new Set<() => void>();
  #expired: HlsSegment[] = [];
  #growing: GrowingSegment | undefined;
  #finishing: Promise<void> = Promise.resolve();
  #finishingBytes = 0;
  #isGap = false;
  #isDisposed = false;
  /** When a viewer asked last; monotonic milliseconds. */
  #askedAtMs = Number.NEGATIVE_INFINITY;

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
    this.#playlist = new LivePlaylist(config.windowSeconds * 1000, firstSequence);
    this.#playlistFile = new PlaylistFile(join(this.#folder, playlistName(stream.key.stream)));
  }

  get isPublished(): boolean {
    return this.disposeAtMs === undefined;
  }

  /** What is published, when no segment can carry it: e.g. `av1 video`. */
  get unsupportedMedia(): string | undefined {
    if (this.unsupportedVideo !== undefined) return `${this.unsupportedVideo} video`;
    const sound = this.isPublished ? this.#stream.undeliverableAudio(this) : undefined;
    return sound && `${sound} sound`;
  }

  get hasSegments(): boolean {
    return this.#playlist.segments.length > 0;
  }

  /** Path of the playlist file. */
  get playlistPath(): string {
    return this.#playlistFile.path;
  }

  get targetDurationMs(): number {
    return this.#playlist.targetDuration * 1000;
  }

  /** A publisher came (back); what follows is discontinuous with what is there. */
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

  /** The publisher left: the last segment closes, files stay until `disposeSeconds` later. */
  unpublish(): void {
    this.#segmenter.finish();
    this.disposeAtMs = this.#options.clock() + this.#options.config.disposeSeconds * 1000;
    this.#wake();
  }

  /** Media playlist text; '' before the first segment. */
  playlistText(query: string): string {
    this.#noteAsked();
    return this.#playlist.toText(query);
  }

  /** Master playlist that leads to the viewer's own. */
  masterText(mediaUrl: string): string {
    this.#noteAsked();
    return toMasterText(mediaUrl, this.#playlist.bandwidth);
  }

  /** What its segments are, for a playlist that names several streams. */
  get figures(): HlsFigures {
    const { peak, average } = this.hasSegments ? this.#playlist.bandwidth : { peak: 0, average: 0 };
    return { peakBps: peak, averageBps: average, codecs: this.#codecs };
  }

  get #codecs(): string {
    const { video, audio } = this.#stream.viewFor(this);
    const tracks = [video, audio].filter((track) => track !== undefined);
    const names = tracks.map(codecString).filter((name) => name !== undefined);
    return names.length === tracks.length ? names.join(',') : '';
  }

  /** Segment by file name, also for a while after it left the playlist. */
  findSegment(fileName: string): HlsSegment | undefined {
    this.#noteAsked();
    const isWanted = (segment: HlsSegment): boolean => segment.fileName === fileName;
    return this.#playlist.segments.find(isWanted) ?? this.#expired.find(isWanted);
  }

  /**
   * A segment in one piece, without a wait while it is in memory; those that live players ask for are brought back there. Undefined: it is
   * to be read from its file.
   */
  async bytesOf(segment: HlsSegment): Promise<Buffer | undefined> {
    if (segment.chunks === undefined && this.#isNew(segment)) {
      await this.#options.memory.load(segment);
      // Meanwhile it may have grown old, or gone.
      if (!this.#isNew(segment)) this.#options.memory.drop(segment);
    }
    return inOnePiece(segment);
  }

  #isNew(segment: HlsSegment): boolean {
    return !this.#isDisposed && this.#playlist.segments.slice(-cachedSegments).includes(segment);
  }

  get #isWatched(): boolean {
    return this.#options.clock() - this.#askedAtMs < unwatchedAfterMs;
  }

  #noteAsked(): void {
    this.#askedAtMs = this.#options.clock();
  }

  /** Calls back when the first segment is there or none will come; returns the way off. */
  onReady(callback: () => void): () => void {
    this.#noteAsked();
    this.#waiting.add(callback);
    return () => this.#waiting.delete(callback);
  }

  /** Removes files whose time is over. */
  sweep(now: number): void {
    const due = this.#expired.filter(({ removeAtMs }) => removeAtMs <= now);
    if (due.length === 0) return;
    this.#expired = this.#expired.filter(({ removeAtMs }) => removeAtMs > now);
    for (const segment of due) this.#remove(segment);
  }

  /** Ends the output; files stay. Resolves when the disk is quiet. */
  async close(): Promise<void> {
    this.#segmenter.finish();
    this.#wake();
    await this.#finishing;
  }

  /** Removes the files of a closed output, and its playlist unless a successor writes the same one. Never rejects. */
  async dispose({ keepsPlaylist }: { keepsPlaylist: boolean }): Promise<void> {
    this.#isDisposed = true;
    await this.#finishing;
    const segments = [...this.#expired, ...this.#playlist.segments];
    for (const segment of segments) this.#options.memory.drop(segment);
    await Promise.all(segments.map(({ path }) => unlink(path).catch(() => {})));
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
    if (this.#finishingBytes + growing.sizeBytes > maxFinishingBytes) {
      growing.discard().catch(this.#onFailure);
      // The gap is behind those that wait.
      this.#finishing = this.#finishing.then(() => this.#lose());
      return;
    }
    growing.close();
    this.#finishingBytes += growing.sizeBytes;
    this.#finishing = this.#finishing.then(() => this.#finishSegment(growing, durationMs)).catch(this.#onFailure);
  }

  /** Never rejects: a disk that fails costs the file, not the stream. */
  async #finishSegment(growing: GrowingSegment, durationMs: number): Promise<void> {
    const { disk, memory } = this.#options;
    const { facts, chunks, sizeBytes } = growing;
    const isOnDisk = await disk.guard(facts.path, () => growing.finishFile());
    this.#finishingBytes -= sizeBytes;
    if (!isOnDisk && chunks === undefined) {
      this.#lose();
      return;
    }
    const isDiscontinuous = facts.isDiscontinuous || (this.#isGap && facts.sequence > 0);
    const { fileName, path, sequence } = facts;
    const segment = {
      fileName,
      path,
      sequence,
      durationMs,
      isDiscontinuous,
      chunks: isOnDisk && !this.#isWatched ? undefined : chunks,
      sizeBytes,
      isOnDisk,
      removeAtMs: 0,
    };
    this.#isGap = false;
    memory.keep(segment);
    this.#publish(segment);
    if (isOnDisk) this.#report(segment, facts.publisher);
    await this.#hand(segment, facts.startedAtMs);
    await disk.guard(this.#playlistFile.path, () => this.#playlistFile.write(this.#playlist.toText()));
  }

  #lose(): void {
    this.#isGap = true;
    this.#options.keeper?.miss(this.key);
  }

  async #hand(
    { path, durationMs, sizeBytes, isDiscontinuous, isOnDisk, sequence }: HlsSegment,
    startedAtMs: number,
  ): Promise<void> {
    const { keeper } = this.#options;
    if (!isOnDisk) return keeper?.miss(this.key);
    // The first one of this output follows another output's, if anything.
    const finished = { startedAtMs, durationMs, sizeBytes, isDiscontinuous: isDiscontinuous || sequence === 0 };
    await keeper?.take(this.key, path, finished);
  }

  #publish(segment: HlsSegment): void {
    const { memory, clock } = this.#options;
    const removed = this.#playlist.add(segment);
    this.#playlist.removeLeading(({ isOnDisk, chunks }) => !isOnDisk && chunks === undefined);
    // One more window for viewers who loaded the playlist late, RFC 8216 §6.2.2.
    const removeAtMs = clock() + this.#playlist.durationMs + segment.durationMs;
    for (const gone of removed) gone.removeAtMs = removeAtMs;
    this.#expired.push(...removed);
    const { segments } = this.#playlist;
    for (const old of segments.slice(0, -cachedSegments)) if (old.isOnDisk) memory.drop(old);
    this.#wake();
  }

  #report({ path, fileName, durationMs, sequence }: HlsSegment, publisher: SessionInfo | undefined): void {
    const folder = folderOf(this.key);
    const { stream } = this.key;
    this.#options.ports.onHlsSegment({
      ...this.key,
      clientId: publisher?.clientId ?? '',
      ip: publisher?.ip ?? '',
      param: publisher?.param ?? '',
      tcUrl: publisher?.tcUrl ?? '',
      file: path,
      durationSeconds: durationMs / 1000,
      url: `${folder}/${fileName}`,
      m3u8: this.#playlistFile.path,
      m3u8Url: `${folder}/${playlistName(stream)}`,
      sequenceNumber: sequence,
    });
  }

  #remove(segment: HlsSegment): void {
    this.#options.memory.drop(segment);
    if (segment.isOnDisk) unlink(segment.path).catch(() => {});
  }

  /** One segment is lost, the output goes on. */
  readonly #onFailure = (error: unknown): void => {
    const { app, stream } = this.key;
    faultReporter(this.#options.ports)(error, { reader: this.name, app, stream }, 'HLS segment failed');
  };

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
    this.#options.ports.log.warn({ stream: toStreamUrl(this.key), codec }, 'HLS segments cannot carry this codec');
  }
}
