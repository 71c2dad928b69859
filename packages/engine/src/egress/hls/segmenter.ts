// Decides where segments of one stream start and end, and muxes them. Pure: times are those of the packets; bytes and boundaries are passed
// to the sink. The segmenter continues across publishers; a break makes the next segment discontinuous.
import { TsChunks } from '@srs-stack/media/containers/mpegts/ts-chunks.ts';
import { TsMuxer } from '@srs-stack/media/containers/mpegts/ts-muxer.ts';
import type { Packet } from '@srs-stack/media/packet.ts';
import { type AudioTrack, isSameTrack, type Track, type VideoTrack } from '@srs-stack/media/track.ts';

export interface SegmentSink {
  onSegmentStart(isDiscontinuous: boolean): void;
  /** Part of the open segment; the buffers are not reused. `isWhole`: all frames so far are complete. */
  onSegmentData(chunks: readonly Buffer[], isWhole: boolean): void;
  onSegmentEnd(durationMs: number): void;
}

/** Tracks announced by the publisher, read when a segment starts, so that its first table is complete. */
export interface AnnouncedTracks {
  readonly video: VideoTrack | undefined;
  readonly audio: AudioTrack | undefined;
  /** True even before the video configuration is known. */
  readonly announcesVideo: boolean;
}

/** Callbacks of the segmenter. */
export interface SegmenterHost {
  readonly sink: SegmentSink;
  readonly announced: () => AnnouncedTracks;
  /** Flush interval of muxed data, milliseconds of media. */
  readonly handOverMs: () => number;
}

export interface SegmenterConfig {
  readonly fragmentSeconds: number;
  readonly aofRatio: number;
}

/**
 * A segment may be this much shorter than the configured fragment, milliseconds: otherwise a rounded keyframe time just below the limit
 * would double its length.
 */
const cutToleranceMs = 100;
/**
 * Minimum length of the first segment, which ends at its first keyframe; milliseconds. Otherwise an all-keyframe stream would get a segment
 * of a single frame.
 */
const firstSegmentMinMs = 250;
/** Longest segment without keyframes, milliseconds: bounds the file. */
const maxSegmentMs = 300_000;
/**
 * A segment that started with one track includes the other one if it appears within this time, milliseconds; a later track starts a new
 * segment.
 */
const lateTrackMs = 1_000;
/** Audio frames share PES packets up to this duration, milliseconds. */
const audioBatchMs = 100;
/** Duration of a last frame without a successor, milliseconds. */
const defaultFrameMs = 40;

interface OpenSegment {
  readonly startMs: number;
  hasVideo: boolean;
  /** Time of the newest packet of the track whose packets end segments (video if there is any), and its distance to the previous one. */
  lastMs: number;
  frameMs: number;
  /** Time of the packet up to which everything was flushed. */
  handedMs: number;
}

export class Segmenter {
  readonly #sink: SegmentSink;
  readonly #announced: () => AnnouncedTracks;
  readonly #handOverMs: () => number;
  readonly #fragmentMs: number;
  readonly #audioFragmentMs: number;
  #muxer = new TsMuxer({ audioBatchMs });
  readonly #chunks = new TsChunks();
  #open: OpenSegment | undefined;
  #isFirst = true;
  #breakPending = false;
  #video: VideoTrack | undefined;
  #audio: AudioTrack | undefined;
  /** Time of the last video packet, or of the first packet while there was no video; media time, milliseconds. */
  #videoSeenMs: number | undefined;

  constructor(config: SegmenterConfig, { sink, announced, handOverMs }: SegmenterHost) {
    this.#sink = sink;
    this.#announced = announced;
    this.#handOverMs = handOverMs;
    this.#fragmentMs = config.fragmentSeconds * 1000;
    this.#audioFragmentMs = this.#fragmentMs * Math.max(1, config.aofRatio);
  }

  push(packet: Packet): void {
    const isVideo = packet.track.kind === 'video';
    if (isVideo || this.#videoSeenMs === undefined) this.#videoSeenMs = packet.dtsMs;
    this.#noteTrack(packet);
    if (this.#open === undefined) {
      if (!this.#mayStartWith(packet)) return;
      this.#start(packet);
    } else if (this.#shouldCut(this.#open, packet)) {
      this.#end(packet.dtsMs - this.#open.startMs);
      this.#start(packet);
    }
    this.#write(this.#open!, packet);
  }

  /** Ends the open segment; the next is discontinuous and starts as quickly as a new publication. */
  finish(): void {
    const open = this.#open;
    if (open !== undefined) this.#end(open.lastMs - open.startMs + open.frameMs);
    this.#muxer = new TsMuxer({ audioBatchMs });
    this.#breakPending = true;
    this.#isFirst = true;
    this.#video = undefined;
    this.#audio = undefined;
    this.#videoSeenMs = undefined;
  }

  /** Makes the next segment discontinuous after a changed configuration, or when a track appears late in the segment. */
  #noteTrack({ track, dtsMs }: Packet): void {
    const known: Track | undefined = track.kind === 'video' ? this.#video : this.#audio;
    const isLate = this.#open !== undefined && dtsMs - this.#open.startMs >= lateTrackMs;
    if (known === undefined ? isLate : !isSameTrack(known, track)) this.#breakPending = true;
    if (track.kind === 'video') this.#video = track;
    else this.#audio = track;
  }

  #mayStartWith(packet: Packet): boolean {
    if (packet.track.kind === 'video') return packet.keyframe;
    return !this.#expectsVideo(packet.dtsMs);
  }

  /** True while video is expected; announced video that never arrives is expected only for a limited time. */
  #expectsVideo(nowMs: number): boolean {
    const announced = this.#video !== undefined || this.#announced().announcesVideo;
    return announced && nowMs - (this.#videoSeenMs ?? nowMs) < this.#audioFragmentMs;
  }

  #shouldCut(open: OpenSegment, packet: Packet): boolean {
    const ageMs = packet.dtsMs - open.startMs;
    if (ageMs >= maxSegmentMs) return true;
    if (packet.track.kind === 'video') return packet.keyframe && this.#shouldCutAtKeyframe(open, ageMs);
    if (this.#expectsVideo(packet.dtsMs)) return false;
    return this.#breakPending || ageMs >= (this.#isFirst ? this.#fragmentMs : this.#audioFragmentMs);
  }

  #shouldCutAtKeyframe(open: OpenSegment, ageMs: number): boolean {
    if (!open.hasVideo && ageMs < lateTrackMs) return false;
    if (this.#breakPending || !open.hasVideo) return true;
    const wantedMs = this.#isFirst ? Math.min(firstSegmentMinMs, this.#fragmentMs) : this.#fragmentMs - cutToleranceMs;
    return ageMs >= wantedMs;
  }

  #start(packet: Packet): void {
    const isVideo = packet.track.kind === 'video';
    this.#sink.onSegmentStart(this.#breakPending);
    this.#breakPending = false;
    this.#open = {
      startMs: packet.dtsMs,
      hasVideo: false,
      lastMs: packet.dtsMs,
      frameMs: defaultFrameMs,
      handedMs: packet.dtsMs,
    };
    const { audio } = this.#announced();
    if (isVideo) this.#muxer.setTrack(packet.track, this.#chunks);
    if (audio) this.#muxer.setTrack(audio, this.#chunks);
    if (!isVideo) this.#muxer.setTrack(packet.track, this.#chunks);
    this.#muxer.writeTables(this.#chunks);
  }

  #write(open: OpenSegment, packet: Packet): void {
    const isVideo = packet.track.kind === 'video';
    if (isVideo) open.hasVideo = true;
    if (isVideo || !open.hasVideo) {
      if (packet.dtsMs > open.lastMs) open.frameMs = packet.dtsMs - open.lastMs;
      open.lastMs = Math.max(open.lastMs, packet.dtsMs);
    }
    this.#muxer.write(packet, this.#chunks);
    const isDue = packet.dtsMs - open.handedMs >= this.#handOverMs();
    if (isDue) open.handedMs = packet.dtsMs;
    const chunks = isDue ? this.#chunks.take() : this.#chunks.takeFull();
    if (chunks.length > 0) this.#sink.onSegmentData(chunks, isDue);
  }

  #end(durationMs: number): void {
    this.#muxer.flush(this.#chunks);
    const rest = this.#chunks.take();
    if (rest.length > 0) this.#sink.onSegmentData(rest, true);
    this.#open = undefined;
    this.#isFirst = false;
    this.#sink.onSegmentEnd(durationMs);
  }
}
