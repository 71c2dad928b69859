// One named live feed: its publisher, its readers, and what new readers need. It outlives the publisher, so that readers stay attached
// during a reconnect.

import type { AudioPacket, Packet, VideoPacket } from '@srs-stack/media/packet.ts';
import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import type { StreamMetadata } from '@srs-stack/media/stream-metadata.ts';
import { type AudioCodec, type AudioTrack, isSameTrack, type Track, type VideoTrack } from '@srs-stack/media/track.ts';
import type { ReportFault } from '../faults.ts';
import type { EngineLogger } from '../ports.ts';
import type { SessionInfo } from '../session-info.ts';
import { type AudioBridge, noAudioBridge } from './audio-bridge.ts';
import { AudioRenditions } from './audio-renditions.ts';
import { ByteRate } from './byte-rate.ts';
import { GopCache, type GopCacheLimits } from './gop-cache.ts';
import type { RunningTotals } from './media-health.ts';
import { LeadingAudio } from './slate/leading-audio.ts';
import { ReturningSource, type SourceFacts } from './slate/returning-source.ts';
import type { SlateMedia } from './slate/slate-media.ts';
import { SlateShow } from './slate/slate-show.ts';
import type { StandIn } from './slate/stand-in.ts';
import type { StreamEndReason, StreamReader } from './stream-reader.ts';
import { StreamStats } from './stream-stats.ts';
import { type PresentTracks, ReaderView, type StreamView } from './stream-view.ts';
import { Timeline } from './timeline.ts';

/** A stream without video packets for this media time counts as audio only, milliseconds. */
const videoWaitMs = 1_000;

export interface StreamOptions {
  readonly key: StreamKey;
  readonly id: string;
  readonly gopCache: GopCacheLimits;
  readonly bridge?: AudioBridge | undefined;
  readonly log: EngineLogger;
  readonly onFault: ReportFault;
  readonly now: number;
}

/** Properties of a publication, set by the host. */
export interface PublicationTerms {
  /** Whether the timestamps are kept unchanged, because another stream of this hub has the same clock. */
  readonly keepsClock: boolean;
}

export class Stream implements StreamView {
  readonly key: StreamKey;
  readonly id: string;
  publisher: SessionInfo | undefined;
  video: VideoTrack | undefined;
  /** The publisher's track. A reader may get a converted track instead (`viewFor`). */
  audio: AudioTrack | undefined;
  metadata: StreamMetadata | undefined;
  present: PresentTracks = { video: undefined, audio: undefined };
  /** Tracks of the last source that sent packets; a slate must match these tracks. */
  sourceTracks: PresentTracks = this.present;
  standIn: StandIn | undefined;
  #returning: ReturningSource | undefined;
  /** Media time since the first packet of the current source or substitute, milliseconds. */
  mediaMs = 0;
  #firstDtsMs: number | undefined;
  #isVideoExpected = false;
  /** Metrics of the current publication, or of the last one. */
  stats: StreamStats;
  readonly sent: ByteRate;
  #readers: readonly StreamReader[] = [];
  readonly #gop: GopCache;
  readonly renditions: AudioRenditions;
  #timeline = new Timeline();
  #repairsBefore = 0;
  #awaitsKeyframe = true;
  #terms: PublicationTerms = { keepsClock: false };
  readonly #leadingAudio = new LeadingAudio();
  readonly onFault: ReportFault;
  readonly #log: EngineLogger;
  /** Outputs whose missing audio was already logged for the current codec. */
  readonly #silentOutputs = new Set<string>();

  constructor({ key, id, gopCache, bridge = noAudioBridge, log, onFault, now }: StreamOptions) {
    this.key = key;
    this.id = id;
    this.#log = log;
    this.onFault = onFault;
    this.#gop = new GopCache(gopCache);
    this.renditions = new AudioRenditions(key, bridge, (packet) => this.#distribute(packet));
    this.stats = new StreamStats(now);
    this.sent = new ByteRate(now);
  }

  get readerCount(): number {
    return this.#readers.length;
  }

  get isAwaited(): boolean {
    return this.#readers.some(({ isPatient }) => !isPatient);
  }

  get gopCacheBytes(): number {
    return this.#gop.bytes;
  }

  /** The keyframe with which a new reader would start. */
  get keyframe(): VideoPacket | undefined {
    return this.#gop.contents.find((packet) => packet.track.kind === 'video') as VideoPacket | undefined;
  }

  get announcesVideo(): boolean {
    return this.video !== undefined || this.#isVideoExpected;
  }

  get timestampRepairs(): number {
    return this.#timeline.repairs - this.#repairsBefore;
  }

  /** Codec of the publisher's audio if it cannot be converted and is unsupported by some outputs. */
  get unsupportedAudio(): AudioCodec | undefined {
    const codec = this.audio?.codec;
    if (codec === undefined || this.renditions.isConvertible(codec)) return undefined;
    return this.#readers.some((reader) => this.renditions.codecFor(reader) === undefined) ? codec : undefined;
  }

  /** The audio codec if this reader does not support it and there is no other track. The reader would then receive nothing. */
  undeliverableAudio(reader: Pick<StreamReader, 'acceptsAudio'>, acceptsVideo = true): AudioCodec | undefined {
    const mayHaveVideo = this.present.video !== undefined || this.mediaMs < videoWaitMs;
    if (acceptsVideo && mayHaveVideo) return undefined;
    return this.renditions.codecFor(reader) === undefined ? this.audio?.codec : undefined;
  }

  /**
   * Starts a publication after a start, reconnect or takeover of a publisher. Discards the state of the previous source. The timeline
   * continues, and so does a substitute on air.
   */
  beginPublication(session: SessionInfo, now: number, terms: PublicationTerms = { keepsClock: false }): void {
    this.publisher = session;
    this.#terms = terms;
    this.stats = new StreamStats(now);
    this.#repairsBefore = this.#timeline.repairs;
    if (this.#returning) this.#returning.forget();
    else this.#beginMedia(terms);
  }

  /**
   * Starts the media of another source. Readers restart; the timeline continues. @param audio the audio track, if known: conversions of an
   * unchanged track continue.
   */
  #beginMedia({ keepsClock }: PublicationTerms, audio?: AudioTrack): void {
    this.video = undefined;
    this.#isVideoExpected = false;
    this.renditions.restartTime();
    this.#setAudio(audio);
    this.metadata = undefined;
    this.present = { video: undefined, audio: undefined };
    this.mediaMs = 0;
    this.#firstDtsMs = undefined;
    this.#gop.clear();
    this.#timeline.restart({ keepsClock });
    this.#awaitsKeyframe = true;
    this.#emit((reader) => reader.onPublisherChange?.());
  }

  changeSource({ tracks, metadata }: SourceFacts, first?: Packet): void {
    if (this.#returning) this.#returning.forget();
    else this.#beginMedia({ keepsClock: false }, audioOf(tracks));
    for (const track of tracks) this.setTrack(track);
    if (metadata) this.setMetadata(metadata);
    if (first) this.#leadingAudio.begin(first);
  }

  endPublication(): void {
    this.stopSlate();
    this.publisher = undefined;
    this.renditions.setSource(undefined);
    this.#gop.clear();
  }

  /** The stream as this reader sees it, with a converted audio track if needed. */
  viewFor(reader: Pick<StreamReader, 'acceptsAudio'>): StreamView {
    return new ReaderView(this, this.renditions, reader);
  }

  get slate(): SlateShow | undefined {
    return this.standIn instanceof SlateShow ? this.standIn : undefined;
  }

  /** Puts the slate on air. The slate's tracks must match the source (`matchSlate`). @param sinceMs start of the slate that is replaced. */
  beginSlate(media: SlateMedia, now: number, sinceMs = now): void {
    const { metadata } = this.#returning?.facts ?? this;
    const tracks = [media.video, media.audio].flatMap((loop) => loop?.packets[0]?.track ?? []);
    this.beginStandIn(new SlateShow(media, now, sinceMs), { tracks, metadata });
    this.showSlate(now);
  }

  /** Puts a substitute on air. `showSlate` sends its packets. */
  beginStandIn(next: StandIn, { tracks, metadata }: SourceFacts): void {
    this.standIn?.close();
    const { video, audio } = this.sourceTracks;
    const sourceTracks = [video, audio].filter((track) => track !== undefined);
    this.#returning ??= new ReturningSource({ tracks: sourceTracks, metadata: this.metadata });
    this.#beginMedia({ keepsClock: false }, audioOf(tracks));
    this.standIn = next;
    for (const track of tracks) this.#applyTrack(track);
    if (metadata) this.#applyMetadata(metadata);
  }

  showSlate(now: number): void {
    for (const packet of this.standIn?.take(now) ?? []) this.#carry(packet, now);
  }

  /** Takes the substitute off air. Video continues at the next keyframe. */
  stopSlate(): void {
    if (!this.standIn || !this.#returning) return;
    const { tracks, metadata } = this.#returning.facts;
    this.standIn.close();
    this.standIn = undefined;
    this.#returning = undefined;
    this.#beginMedia(this.#terms, audioOf(tracks));
    for (const track of tracks) this.setTrack(track);
    if (metadata) this.#applyMetadata(metadata);
  }

  /** Whether viewers see a slate or backup source, and no encoder of this stream. */
  get isReplaced(): boolean {
    return this.standIn !== undefined && this.standIn.isEncoder !== true;
  }

  setTrack(track: Track): void {
    if (this.#returning) this.#returning.keepTrack(track);
    else this.#applyTrack(track);
  }

  #applyTrack(track: Track): void {
    if (track.kind === 'audio') this.#setAudio(track);
    else this.#setVideo(track);
  }

  expectVideo(): void {
    this.#isVideoExpected = true;
  }

  setMetadata(metadata: StreamMetadata): void {
    if (this.#returning) this.#returning.keepMetadata(metadata);
    else this.#applyMetadata(metadata);
  }

  #applyMetadata(metadata: StreamMetadata): void {
    this.metadata = metadata;
    if (metadata.videocodecid) this.expectVideo();
    this.#emit((reader) => reader.onMetadata?.(metadata));
  }

  push(raw: Packet, now: number): void {
    if (this.standIn && !this.#isReturn(raw, this.standIn, now)) return;
    if (this.#leadingAudio.isLeftOut(raw)) return;
    const packet = this.#carry(raw, now);
    this.stats.countPacket(packet, now);
    const { kind } = packet.track;
    if (this.present[kind] === packet.track && this.sourceTracks[kind] !== packet.track)
      this.sourceTracks = this.present;
  }

  #isReturn(raw: Packet, { hasVideo }: StandIn, now: number): boolean {
    this.stats.hasMedia = true;
    if (!this.#returning?.isReturn(raw, hasVideo, now)) return false;
    this.stopSlate();
    this.#leadingAudio.begin(raw);
    this.#log.info({ app: this.key.app, stream: this.key.stream }, 'source of the stream sends media again');
    return true;
  }

  /** Moves a packet of a source or substitute to the stream's timeline, and delivers it. */
  #carry(raw: Packet, now: number): Packet {
    if (raw.track !== this.video && raw.track !== this.audio) this.#applyTrack(raw.track);
    const packet = this.#timeline.repair(raw, now);
    if (packet.track.kind === 'video') {
      if (this.#awaitsKeyframe && !packet.keyframe) return packet;
      this.#awaitsKeyframe = false;
    }
    this.#notePresence(packet);
    this.#distribute(packet);
    if (packet.track.kind === 'audio') this.renditions.push(packet as AudioPacket);
    return packet;
  }

  addReader(reader: StreamReader, fromGopCache: boolean): void {
    this.#readers = [...this.#readers, reader];
    this.renditions.serve(this.#readers, this.mediaMs);
    this.#warnOfSilence();
    if (fromGopCache) this.#replay(reader);
  }

  removeReader(reader: StreamReader): void {
    this.#readers = this.#readers.filter((other) => other !== reader);
    this.renditions.serve(this.#readers, this.mediaMs);
  }

  endReaders(reason: StreamEndReason): void {
    const readers = this.#readers;
    this.#readers = [];
    this.renditions.serve(this.#readers, this.mediaMs);
    for (const reader of readers) this.#guard(reader, () => reader.onEnd(reason));
  }

  /** @param readConnection returns metrics of the publisher's connection, or an empty object. */
  tick(now: number, readConnection: () => Readonly<Record<string, number | string>>): void {
    this.stats.tick(now, () => this.#totals(readConnection()));
    this.sent.tick(now);
    this.renditions.tick(now);
  }

  #totals(connection: Readonly<Record<string, number | string>>): RunningTotals {
    const count = (name: string): number => Number(connection[name]) || 0;
    return {
      timestampRepairs: this.timestampRepairs,
      lostPackets: count('lostPackets'),
      missingPackets: count('droppedPackets'),
    };
  }

  #distribute(packet: Packet): void {
    this.#gop.push(packet);
    const readers = this.#readers;
    for (let i = 0; i < readers.length; i++) this.#deliver(readers[i]!, packet);
  }

  #isFor({ track }: Packet, reader: StreamReader): boolean {
    if (track.kind === 'video') return true;
    return (reader.acceptsAudio ? this.renditions.codecFor(reader) : this.audio?.codec) === track.codec;
  }

  #notePresence({ track, dtsMs }: Packet): void {
    this.#firstDtsMs ??= dtsMs;
    this.mediaMs = dtsMs - this.#firstDtsMs;
    if (track.kind === 'video') {
      if (track !== this.present.video) this.present = { ...this.present, video: track };
    } else if (track !== this.present.audio) this.present = { ...this.present, audio: track };
  }

  #setAudio(track: AudioTrack | undefined): void {
    if (track?.codec !== this.audio?.codec) this.#silentOutputs.clear();
    this.audio = track;
    this.renditions.setSource(track);
    this.renditions.serve(this.#readers, this.mediaMs);
    this.#warnOfSilence();
  }

  /** Warns once per output that cannot carry the publisher's audio and so has only video. */
  #warnOfSilence(): void {
    const codec = this.unsupportedAudio;
    if (codec === undefined) return;
    for (const reader of this.#readers) {
      if (this.#silentOutputs.has(reader.name) || this.renditions.codecFor(reader) !== undefined) continue;
      this.#silentOutputs.add(reader.name);
      const { app, stream } = this.key;
      const remedy = 'set the encoder to AAC, MP3 or Opus audio';
      this.#log.warn(
        { app, stream, codec, output: reader.name, remedy },
        'output has no audio because it does not support the audio codec',
      );
    }
  }

  #setVideo(track: VideoTrack): void {
    // Drops frames until the next keyframe, because other frames may refer to the previous configuration.
    if (this.video && !isSameTrack(this.video, track)) this.#awaitsKeyframe = true;
    this.video = track;
  }

  #replay(reader: StreamReader): void {
    const { metadata } = this;
    this.#guard(reader, () => {
      if (metadata) reader.onMetadata?.(metadata);
      for (const packet of this.#gop.contents) if (this.#isFor(packet, reader)) reader.onPacket(packet);
    });
  }

  #emit(call: (reader: StreamReader) => void): void {
    for (const reader of this.#readers) this.#guard(reader, () => call(reader));
  }

  #deliver(reader: StreamReader, packet: Packet): void {
    if (!this.#isFor(packet, reader)) return;
    try {
      reader.onPacket(packet);
    } catch (error) {
      this.#expel(reader, error);
    }
  }

  #guard(reader: StreamReader, call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#expel(reader, error);
    }
  }

  /** Detaches a reader that has thrown, which is a bug. The other readers continue. */
  #expel(reader: StreamReader, error: unknown): void {
    this.onFault(error, this.#faultFields(reader), 'stream reader failed and was detached');
    if (!this.#readers.includes(reader)) return;
    this.removeReader(reader);
    try {
      reader.onEnd('error');
    } catch (endError) {
      this.onFault(endError, this.#faultFields(reader), 'stream reader failed while it was detached');
    }
  }

  #faultFields({ name: reader }: StreamReader): object {
    const { app, stream } = this.key;
    return { reader, app, stream };
  }
}

function audioOf(tracks: readonly Track[]): AudioTrack | undefined {
  return tracks.find((track) => track.kind === 'audio');
}
