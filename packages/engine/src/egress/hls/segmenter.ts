// Cuts one stream into segments and muxes them, by the timestamps of the packets. Bytes and boundaries go to the sink. Continues across
// publishers: after a break, the next segment is discontinuous.
import { TsChunks } from '@srs-stack/media/containers/mpegts/ts-chunks.ts';
import { TsMuxer } from '@srs-stack/media/containers/mpegts/ts-muxer.ts';
import type { Packet } from '@srs-stack/media/packet.ts';
import { type AudioTrack, isSameTrack, type Track, type VideoTrack } from '@srs-stack/media/track.ts';

export interface SegmentSink {
  onSegmentStart(isDiscontinuous: boolean): void;
  /** Data of the open segment; the buffers are not reused. `isWhole`: the data ends at a frame boundary. */
  onSegmentData(chunks: readonly Buffer[], isWhole: boolean): void;
  onSegmentEnd(durationMs: number): void;
}

/** Tracks announced by the publisher. Read at the start of a segment, so that its first PMT is complete. */
export interface AnnouncedTracks {
  readonly video: VideoTrack | undefined;
  readonly audio: AudioTrack | undefined;
  /** True even before the video configuration has arrived. */
  readonly announcesVideo: boolean;
}

/** Callbacks of the segmenter. */
export interface SegmenterHost {
  readonly sink: SegmentSink;
  readonly announced: () => AnnouncedTracks;
  readonly handOverMs: () => number;
}

export interface SegmenterConfig {
  readonly fragmentSeconds: number;
  readonly aofRatio: number;
}

/**
 * Maximum time by which a segment may be shorter than the configured fragment, milliseconds. Without this tolerance, a keyframe just below
 * the limit would double the segment's length.
 */
const cutToleranceMs = 100;
/**
 * The first segment ends at its first keyframe after this time, milliseconds. The minimum prevents segments of a single frame when all
 * frames are keyframes.
 */
const firstSegmentMinMs = 250;
/** Longest segment without keyframes, milliseconds: bounds the file size. */
const maxSegmentMs = 300_000;
/** A second track that appears within this time joins the open segment, milliseconds. A later track starts a new segment. */
const lateTrackMs = 1_000;
/** Maximum duration of the audio frames in one PES packet, milliseconds. */
const audioBatchMs = 100;
/** Assumed duration of the last frame of a segment if the duration is unknown, milliseconds. */
const defaultFrameMs = 40;

interface OpenSegment {
  readonly startMs: number;
  hasVideo: boolean;
  /** Newest packet of the leading track (video, or audio without video): its time, and the time since the previous packet. */
  lastMs: number;
  frameMs: number;
  /** Media up to this time is flushed. */
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
  /** Time of the last video packet, milliseconds of media; before any video, the time of the first packet. */
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

  /** Ends the open segment. The next segment is discontinuous, and short like the first segment of a stream. */
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

  /** Makes the next segment discontinuous if the codec configuration changes or a track appears late. */
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

  /** Whether video is expected. Announced video that never arrives is expected for a limited time only. */
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
