// One named live feed: its publisher, its readers, and the state for new readers. It outlives its publisher, so that readers stay through a
// reconnect.

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

/** Media time after which a stream without video packets counts as having no video, milliseconds. */
const videoWaitMs = 1_000;

export interface StreamOptions {
  readonly key: StreamKey;
  readonly id: string;
  readonly gopCache: GopCacheLimits;
  /** Converts audio for readers that do not support the publisher's codec; without it they get none. */
  readonly bridge?: AudioBridge | undefined;
  readonly log: EngineLogger;
  readonly onFault: ReportFault;
  readonly now: number;
}

/** Options of a publication from the host. */
export interface PublicationTerms {
  /** Whether the timestamps are those of another stream here, and are kept unchanged. */
  readonly keepsClock: boolean;
}

export class Stream implements StreamView {
  readonly key: StreamKey;
  /** `vid-` and 7 characters. */
  readonly id: string;
  /** The current publisher session; undefined between publishers. */
  publisher: SessionInfo | undefined;
  video: VideoTrack | undefined;
  /** The publisher's tracks; readers that do not support one see another (`viewFor`). */
  audio: AudioTrack | undefined;
  metadata: StreamMetadata | undefined;
  present: PresentTracks = { video: undefined, audio: undefined };
  /** Tracks of the last source that sent packets. A slate must match them. */
  sourceTracks: PresentTracks = this.present;
  /** The substitute that is on air instead of the publisher. */
  standIn: StandIn | undefined;
  /** Set while a substitute source is on air. */
  #returning: ReturningSource | undefined;
  /** Media time since the first packet of this publication, milliseconds. */
  mediaMs = 0;
  #firstDtsMs: number | undefined;
  #isVideoExpected = false;
  /** Metrics of the current or the last publication. */
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
  /** Reports bugs in parts of this stream. */
  readonly onFault: ReportFault;
  readonly #log: EngineLogger;
  /** Outputs without audio that were already logged, for the publisher's current codec. */
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

  /** Whether a reader needs each packet as it arrives. */
  get isAwaited(): boolean {
    return this.#readers.some(({ isPatient }) => !isPatient);
  }

  get gopCacheBytes(): number {
    return this.#gop.bytes;
  }

  /** The keyframe that a new reader would start with. */
  get keyframe(): VideoPacket | undefined {
    return this.#gop.contents.find((packet) => packet.track.kind === 'video') as VideoPacket | undefined;
  }

  get announcesVideo(): boolean {
    return this.video !== undefined || this.#isVideoExpected;
  }

  /** Timestamp repairs since the publisher started. */
  get timestampRepairs(): number {
    return this.#timeline.repairs - this.#repairsBefore;
  }

  /** Codec of the publisher's audio when it cannot be converted and some output cannot carry it. */
  get unsupportedAudio(): AudioCodec | undefined {
    const codec = this.audio?.codec;
    if (codec === undefined || this.renditions.isConvertible(codec)) return undefined;
    return this.#readers.some((reader) => this.renditions.codecFor(reader) === undefined) ? codec : undefined;
  }

  /** Codec of the audio, if there is no other track and this reader does not support it: the reader would never receive anything. */
  undeliverableAudio(reader: Pick<StreamReader, 'acceptsAudio'>, acceptsVideo = true): AudioCodec | undefined {
    const mayHaveVideo = this.present.video !== undefined || this.mediaMs < videoWaitMs;
    if (acceptsVideo && mayHaveVideo) return undefined;
    return this.renditions.codecFor(reader) === undefined ? this.audio?.codec : undefined;
  }

  /** A publisher started, reconnected or took over: discards the state of the previous media; the timeline continues. */
  beginPublication(session: SessionInfo, now: number, terms: PublicationTerms = { keepsClock: false }): void {
    this.publisher = session;
    this.#terms = terms;
    this.stats = new StreamStats(now);
    this.#repairsBefore = this.#timeline.repairs;
    if (this.#returning) this.#returning.forget();
    else this.#beginMedia(terms);
  }

  /**
   * Starts media of another source: readers restart with it; the timeline continues.
   * @param audio its audio track, if already known: conversions of the same track continue.
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

  /** Switches to media of another source of the publisher, starting with `first`. Readers restart with it; the timeline continues. */
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

  /** The stream for this reader: with the converted track where its audio is converted. */
  viewFor(reader: Pick<StreamReader, 'acceptsAudio'>): StreamView {
    return new ReaderView(this, this.renditions, reader);
  }

  /** The slate that is on air instead of the source. */
  get slate(): SlateShow | undefined {
    return this.standIn instanceof SlateShow ? this.standIn : undefined;
  }

  /** Puts the slate on air. Its tracks must match the source (`matchSlate`). `sinceMs`: start of the slate that it replaces. */
  beginSlate(media: SlateMedia, now: number, sinceMs = now): void {
    const { metadata } = this.#returning?.facts ?? this;
    const tracks = [media.video, media.audio].flatMap((loop) => loop?.packets[0]?.track ?? []);
    this.beginStandIn(new SlateShow(media, now, sinceMs), { tracks, metadata });
    this.showSlate(now);
  }

  /** Puts a substitute with these tracks on air instead of the source. `showSlate` sends its packets. */
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

  /** Sends due packets of the substitute source. */
  showSlate(now: number): void {
    for (const packet of this.standIn?.take(now) ?? []) this.#carry(packet, now);
  }

  /** Takes the substitute off air; the media that follows starts with a keyframe. */
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

  /** True while viewers see a slate or backup source instead of an encoder of this stream. */
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

  /** The publisher announced video whose configuration has not arrived yet. */
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

  /** Maps a packet of the source or the slate to the stream's clock and delivers it to the readers. */
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

  /** With `fromGopCache` the reader gets metadata and the packets since the last keyframe before this call returns. */
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

  /** Ends and detaches every reader. */
  endReaders(reason: StreamEndReason): void {
    const readers = this.#readers;
    this.#readers = [];
    this.renditions.serve(this.#readers, this.mediaMs);
    for (const reader of readers) this.#guard(reader, () => reader.onEnd(reason));
  }

  /** `readConnection`: metrics of the publisher's connection, empty where nothing is measured. */
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

  /** Delivers a packet of the publisher, or a converted one, to its readers. */
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

  /** Warns of outputs that cannot carry the publisher's audio and have video only: once per output. */
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
    // Frames that refer to frames of another configuration cannot be decoded: start at the next keyframe.
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

  /** A reader that throws has a bug: it is detached, the others continue. */
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
