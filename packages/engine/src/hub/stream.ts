// One named live feed: who publishes it, who reads it, and the little state a joining reader needs. It outlives its
// publisher, so that readers stay through a reconnect.

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
import type { StreamEndReason, StreamReader } from './stream-reader.ts';
import { StreamStats } from './stream-stats.ts';
import { type PresentTracks, ReaderView, type StreamView } from './stream-view.ts';
import { Timeline } from './timeline.ts';

/** Media time after which a stream that has sent no picture is taken to have none, milliseconds. */
const pictureWaitMs = 1_000;

export interface StreamOptions {
  readonly key: StreamKey;
  readonly id: string;
  readonly gopCache: GopCacheLimits;
  /** Converts sound for readers that cannot carry the publisher's; without it they get none. */
  readonly bridge?: AudioBridge | undefined;
  readonly log: EngineLogger;
  readonly onFault: ReportFault;
  readonly now: number;
}

/** What its host says of a publication. */
export interface PublicationTerms {
  /** Its times are those of another stream here, and stay. */
  readonly keepsClock: boolean;
}

export class Stream implements StreamView {
  readonly key: StreamKey;
  /** `vid-` and 7 characters. */
  readonly id: string;
  /** The session that publishes now; undefined between publishers. */
  publisher: SessionInfo | undefined;
  video: VideoTrack | undefined;
  /** What the publisher sends; readers that cannot carry it see another one (`viewFor`). */
  audio: AudioTrack | undefined;
  metadata: StreamMetadata | undefined;
  present: PresentTracks = { video: undefined, audio: undefined };
  /** Media time since the first packet of this publication, milliseconds. */
  mediaMs = 0;
  #firstDtsMs: number | undefined;
  /** Figures of the publication, or of the last one. */
  stats: StreamStats;
  readonly sent: ByteRate;
  #readers: readonly StreamReader[] = [];
  readonly #gop: GopCache;
  readonly renditions: AudioRenditions;
  #timeline = new Timeline();
  #repairsBefore = 0;
  #awaitsKeyframe = true;
  /** For bugs in what belongs to this stream. */
  readonly onFault: ReportFault;
  readonly #log: EngineLogger;
  /** Outputs that were told of in the log because they get no sound, for the codec the publisher sends now. */
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

  /** Whether somebody waits for each packet as it comes. */
  get isAwaited(): boolean {
    return this.#readers.some(({ isPatient }) => !isPatient);
  }

  get gopCacheBytes(): number {
    return this.#gop.bytes;
  }

  /** The keyframe a joining reader would start with. */
  get keyframe(): VideoPacket | undefined {
    return this.#gop.contents.find((packet) => packet.track.kind === 'video') as VideoPacket | undefined;
  }

  /** Timestamp repairs since the publisher came. */
  get timestampRepairs(): number {
    return this.#timeline.repairs - this.#repairsBefore;
  }

  /** Codec of the publisher's sound when it cannot be converted and some output cannot carry it. */
  get unsupportedAudio(): AudioCodec | undefined {
    const codec = this.audio?.codec;
    if (codec === undefined || this.renditions.isConvertible(codec)) return undefined;
    return this.#readers.some((reader) => this.renditions.codecFor(reader) === undefined) ? codec : undefined;
  }

  /** Codec of the sound when it is all there is and this reader cannot get it: nothing would ever come. */
  undeliverableAudio(reader: Pick<StreamReader, 'acceptsAudio'>, acceptsVideo = true): AudioCodec | undefined {
    const hasPicture = this.present.video !== undefined || this.mediaMs < pictureWaitMs;
    if (acceptsVideo && hasPicture) return undefined;
    return this.renditions.codecFor(reader) === undefined ? this.audio?.codec : undefined;
  }

  /** A publisher came, came back or took over: what was known of the old media is forgotten, the time goes on. */
  beginPublication(session: SessionInfo, now: number, { keepsClock }: PublicationTerms = { keepsClock: false }): void {
    this.publisher = session;
    this.video = undefined;
    this.#setAudio(undefined);
    this.metadata = undefined;
    this.present = { video: undefined, audio: undefined };
    this.mediaMs = 0;
    this.#firstDtsMs = undefined;
    this.stats = new StreamStats(now);
    this.#gop.clear();
    this.#timeline.restart({ keepsClock });
    this.#repairsBefore = this.#timeline.repairs;
    this.#awaitsKeyframe = true;
    this.#emit((reader) => reader.onPublisherChange?.());
  }

  endPublication(): void {
    this.publisher = undefined;
    this.renditions.setSource(undefined);
    this.#gop.clear();
  }

  /** The stream as this reader gets it: with the converted track where its sound is converted. */
  viewFor(reader: Pick<StreamReader, 'acceptsAudio'>): StreamView {
    return new ReaderView(this, this.renditions, reader);
  }

  setTrack(track: Track): void {
    if (track.kind === 'audio') this.#setAudio(track);
    else this.#setVideo(track);
  }

  setMetadata(metadata: StreamMetadata): void {
    this.metadata = metadata;
    this.#emit((reader) => reader.onMetadata?.(metadata));
  }

  push(raw: Packet, now: number): void {
    if (raw.track !== this.video && raw.track !== this.audio) this.setTrack(raw.track);
    const packet = this.#timeline.repair(raw, now);
    this.stats.countPacket(packet, now);
    if (packet.track.kind === 'video') {
      if (this.#awaitsKeyframe && !packet.keyframe) return;
      this.#awaitsKeyframe = false;
    }
    this.#notePresence(packet);
    this.#distribute(packet);
    if (packet.track.kind === 'audio') this.renditions.push(packet as AudioPacket);
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

  /** Tells every reader that nothing follows, and lets go of them. */
  endReaders(reason: StreamEndReason): void {
    const readers = this.#readers;
    this.#readers = [];
    this.renditions.serve(this.#readers, this.mediaMs);
    for (const reader of readers) this.#guard(reader, () => reader.onEnd(reason));
  }

  /** `readConnection`: figures of the publisher's connection, empty where nothing is measured. */
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

  /** A packet of the publisher, or a converted one, to the readers it is for. */
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

  /** Readers whose output has no place for the publisher's sound play the picture alone: said once for each kind. */
  #warnOfSilence(): void {
    const codec = this.unsupportedAudio;
    if (codec === undefined) return;
    for (const reader of this.#readers) {
      if (this.#silentOutputs.has(reader.name) || this.renditions.codecFor(reader) !== undefined) continue;
      this.#silentOutputs.add(reader.name);
      const { app, stream } = this.key;
      const remedy = 'set the encoder to AAC, MP3 or Opus audio';
      this.#log.warn({ app, stream, codec, output: reader.name, remedy }, 'sound cannot be carried and is left out');
    }
  }

  #setVideo(track: VideoTrack): void {
    // Frames that refer to pictures of another configuration cannot be decoded: start at the next keyframe.
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

  /** A reader that throws is a bug of that reader: it leaves, the others go on. */
  #expel(reader: StreamReader, error: unknown): void {
    this.onFault(error, this.#faultFields(reader), 'reader failed and was detached');
    if (!this.#readers.includes(reader)) return;
    this.removeReader(reader);
    try {
      reader.onEnd('error');
    } catch (endError) {
      this.onFault(endError, this.#faultFields(reader), 'reader failed while it was detached');
    }
  }

  #faultFields({ name: reader }: StreamReader): object {
    const { app, stream } = this.key;
    return { reader, app, stream };
  }
}
