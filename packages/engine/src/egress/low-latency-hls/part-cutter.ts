// Cuts one stream into parts and segments of fragmented MP4, by the timestamps of the packets. Bytes and boundaries go to the sink.
// Segments with video start with a keyframe, except after a segment of maximum length or size. The tracks are selected again for each
// segment.
import { Fmp4Muxer } from '@srs-stack/media/containers/fmp4/fmp4-muxer.ts';
import type { Packet } from '@srs-stack/media/packet.ts';
import { isSameTrack, type Track } from '@srs-stack/media/track.ts';
import { planParts } from './part-plan.ts';

export interface CutPart {
  readonly data: Buffer;
  readonly durationMs: number;
  /** Whether decoding can start with this part. */
  readonly isIndependent: boolean;
}

export interface SegmentStart {
  /** Set if another initialization segment applies from this segment on. */
  readonly initSegment: Buffer | undefined;
  readonly tracks: readonly Track[];
  readonly isDiscontinuous: boolean;
  /** Presentation time of the first frame, milliseconds of media. */
  readonly shownAtMs: number;
}

export interface PartSink {
  onSegmentStart(start: SegmentStart): void;
  onPart(part: CutPart): void;
  onSegmentEnd(durationMs: number): void;
  /** The longest part duration from now on, milliseconds. It only grows. */
  onPartTarget(partTargetMs: number): void;
}

/** Whether the publisher announced video. The first segment waits for announced video for a limited time. */
interface Announced {
  readonly announcesVideo: boolean;
}

/** A segment ends at the first keyframe after this time, milliseconds: about one usual keyframe interval. */
const segmentMs = 2_000;
/** Tolerance for early keyframes, milliseconds. Without it, a keyframe just below the limit would double the segment's length. */
const cutToleranceMs = 100;
/** The first segment ends at its first keyframe after this time, milliseconds. */
const firstSegmentMinMs = 250;
/** Longest segment without a keyframe, milliseconds: bounds the memory for its parts. */
const maxSegmentMs = 60_000;
/** A track that is silent for this time is left out of the next segment, milliseconds: players would wait for it. */
const silentTrackMs = 4_000;
/** Longest wait for the second track at the start, milliseconds of media. */
const secondTrackWaitMs = 1_000;
const packetsForPlan = 8;
/** Maximum number of packets queued at the start: four seconds of audio in packets of 2.5 ms. */
const maxWaiting = 2_048;
/** Largest segment, bytes: 16 s of 16 Mbit/s. Reached when timestamps stall. */
const maxSegmentBytes = 32 * 1024 * 1024;
/** Maximum lead of audio over video within a part, milliseconds. */
const interleavingMs = 250;
/** A shorter last part joins the next segment, milliseconds. Such a part has only some audio before a keyframe. */
const minPartMs = 20;
const defaultFrameMs = 40;
/** Weight of a new interval in the estimated frame interval. */
const frameMsWeight = 0.2;
/** Relative difference at which an interval is an exception: an unplanned keyframe, a lost frame. */
const exceptionShare = 0.25;
/** In a row of exceptions, only every third changes the estimate, so that a single exception has no effect. */
const exceptionsToFollow = 3;

interface OpenSegment {
  readonly startMs: number;
  /** Start time and number of packets of the open part. */
  partStartMs: number;
  partPackets: number;
  firstFrameIsKey: boolean | undefined;
  /** Time of the newest packet of the leading track (video, or audio without video). */
  lastMs: number;
  bytes: number;
}

interface Seen {
  readonly track: Track;
  readonly atMs: number;
}

export class PartCutter {
  readonly #sink: PartSink;
  readonly #announced: () => Announced;
  #waiting: Packet[] = [];
  #waitingBytes = 0;
  #muxer: Fmp4Muxer | undefined;
  #muxers = 0;
  #tracks: readonly Track[] = [];
  #open: OpenSegment | undefined;
  #video: Seen | undefined;
  #audio: Seen | undefined;
  #isFirst = true;
  #breakPending = false;
  #partTargetMs = 0;
  #frameMs = defaultFrameMs;
  #exceptions = 0;

  constructor(sink: PartSink, announced: () => Announced) {
    this.#sink = sink;
    this.#announced = announced;
  }

  push(packet: Packet): void {
    const seen = { track: packet.track, atMs: packet.dtsMs };
    if (packet.track.kind === 'video') this.#video = seen;
    else this.#audio = seen;
    if (this.#open === undefined) this.#wait(packet);
    else this.#take(this.#open, packet);
  }

  /** Ends the open segment; the next segment is discontinuous. */
  finish(): void {
    const open = this.#open;
    if (open !== undefined) this.#endSegment(open, open.lastMs + this.#frameMs);
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#muxer = undefined;
    this.#tracks = [];
    this.#video = undefined;
    this.#audio = undefined;
    this.#isFirst = true;
    this.#breakPending = true;
  }

  get #leader(): 'video' | 'audio' {
    return this.#tracks.some(({ kind }) => kind === 'video') ? 'video' : 'audio';
  }

  /** Queues packets before the first segment, until start position and frame interval are known. */
  #wait(packet: Packet): void {
    this.#waiting.push(packet);
    this.#waitingBytes += packet.payload.length;
    const awaitsVideo = this.#awaitsVideo(packet.dtsMs);
    const keyAt = this.#waiting.findIndex(({ track, keyframe }) => track.kind === 'video' && keyframe);
    if (awaitsVideo && keyAt < 0) {
      const since = packet.dtsMs - silentTrackMs;
      while (this.#isFull || this.#waiting[0]!.dtsMs < since)
        this.#waitingBytes -= this.#waiting.shift()!.payload.length;
      return;
    }
    const begin = this.#waiting[Math.max(0, keyAt)]!;
    const kinds = new Set(this.#waiting.map(({ track }) => track.kind));
    const leading = this.#waiting.filter(({ track }) => track.kind === begin.track.kind);
    const isDecided = kinds.size === 2 && leading.length >= packetsForPlan;
    if (!isDecided && packet.dtsMs - begin.dtsMs < secondTrackWaitMs && !this.#isFull) return;
    this.#begin(begin, leading);
  }

  get #isFull(): boolean {
    return this.#waiting.length > maxWaiting || this.#waitingBytes > maxSegmentBytes;
  }

  #awaitsVideo(nowMs: number): boolean {
    if (this.#video !== undefined) return true;
    return this.#announced().announcesVideo && nowMs - this.#waiting[0]!.dtsMs < silentTrackMs - 1;
  }

  #begin(first: Packet, leading: readonly Packet[]): void {
    const packets = this.#waiting.filter(({ dtsMs }) => dtsMs >= first.dtsMs);
    this.#waiting = [];
    this.#waitingBytes = 0;
    const plan = planParts(leading.map(({ dtsMs }) => dtsMs));
    this.#frameMs = plan.frameMs;
    if (plan.partTargetMs > this.#partTargetMs) {
      this.#partTargetMs = plan.partTargetMs;
      this.#sink.onPartTarget(plan.partTargetMs);
    }
    this.#startSegment(first);
    for (const packet of packets) this.#take(this.#open!, packet);
  }

  #take(open: OpenSegment, packet: Packet): void {
    const { dtsMs } = packet;
    if (this.#shouldCut(open, packet)) {
      this.#endSegment(open, dtsMs);
      this.#startSegment(packet);
      this.#write(this.#open!, packet);
      return;
    }
    const leads = packet.track.kind === this.#leader;
    const wouldBeMs = dtsMs - open.partStartMs + (leads ? this.#frameMs : -interleavingMs);
    // One millisecond of tolerance, so that rounding does not shorten a part.
    if (wouldBeMs > this.#partTargetMs + 1) this.#endLatePart(open, dtsMs, leads);
    this.#write(open, packet);
  }

  /** Ends the open part before a packet that would make the part too long, or after the video has stopped while audio continues. */
  #endLatePart(open: OpenSegment, dtsMs: number, leads: boolean): void {
    this.#endPart(open, leads ? dtsMs : Math.min(dtsMs, open.partStartMs + this.#partTargetMs));
  }

  #write(open: OpenSegment, packet: Packet): void {
    if (!this.#muxer!.push(packet)) return;
    open.partPackets++;
    open.bytes += packet.payload.length;
    if (packet.track.kind === 'video') open.firstFrameIsKey ??= packet.keyframe;
    if (packet.track.kind !== this.#leader) return;
    this.#followDistance(packet.dtsMs - open.lastMs);
    open.lastMs = Math.max(open.lastMs, packet.dtsMs);
    const endMs = open.lastMs + this.#frameMs;
    if (endMs + this.#frameMs - open.partStartMs > this.#partTargetMs) this.#endPart(open, endMs);
  }

  #followDistance(distanceMs: number): void {
    // A pause is not a frame interval.
    if (distanceMs <= 0 || distanceMs >= 4 * this.#frameMs) return;
    const isException = Math.abs(distanceMs - this.#frameMs) > exceptionShare * this.#frameMs;
    this.#exceptions = isException ? this.#exceptions + 1 : 0;
    if (this.#exceptions % exceptionsToFollow === 0) this.#frameMs += frameMsWeight * (distanceMs - this.#frameMs);
  }

  #shouldCut(open: OpenSegment, { track, keyframe, dtsMs }: Packet): boolean {
    const ageMs = dtsMs - open.startMs;
    if (ageMs >= maxSegmentMs || open.bytes >= maxSegmentBytes) return true;
    if (track.kind === 'video') return keyframe && this.#shouldCutAtKeyframe(ageMs, dtsMs);
    // While there is video, audio does not end a segment.
    if (this.#video !== undefined && dtsMs - this.#video.atMs < silentTrackMs) return false;
    return ageMs >= segmentMs || this.#haveTracksChanged(dtsMs);
  }

  #shouldCutAtKeyframe(ageMs: number, dtsMs: number): boolean {
    if (this.#haveTracksChanged(dtsMs)) return true;
    return ageMs >= (this.#isFirst ? firstSegmentMinMs : segmentMs - cutToleranceMs);
  }

  /** Recently active tracks that fragmented MP4 can carry, video first. */
  #present(nowMs: number): Track[] {
    const isRecent = (seen: Seen | undefined): seen is Seen => seen !== undefined && nowMs - seen.atMs < silentTrackMs;
    return [this.#video, this.#audio]
      .filter(isRecent)
      .map(({ track }) => track)
      .filter((track) => Fmp4Muxer.canCarry(track));
  }

  #haveTracksChanged(nowMs: number): boolean {
    const present = this.#present(nowMs);
    if (present.length !== this.#tracks.length) return true;
    return present.some((track, index) => !isSameTrack(track, this.#tracks[index]!));
  }

  #startSegment({ dtsMs: startMs, ptsMs: shownAtMs }: Packet): void {
    const isOther = this.#muxer === undefined || this.#haveTracksChanged(startMs);
    if (isOther) {
      this.#breakPending ||= this.#muxer !== undefined;
      this.#tracks = this.#present(startMs);
      this.#muxer = new Fmp4Muxer(this.#tracks, { repeatsParameterSets: this.#muxers > 0 });
      this.#muxers++;
    }
    const initSegment = isOther ? this.#muxer!.initSegment : undefined;
    this.#open = {
      startMs,
      partStartMs: startMs,
      partPackets: 0,
      firstFrameIsKey: undefined,
      lastMs: startMs,
      bytes: 0,
    };
    this.#sink.onSegmentStart({ initSegment, tracks: this.#tracks, isDiscontinuous: this.#breakPending, shownAtMs });
    this.#breakPending = false;
  }

  #endSegment(open: OpenSegment, endMs: number): void {
    if (endMs - open.partStartMs >= minPartMs || open.bytes >= maxSegmentBytes) this.#endPart(open, endMs);
    this.#open = undefined;
    this.#isFirst = false;
    this.#sink.onSegmentEnd(endMs - open.startMs);
  }

  #endPart(open: OpenSegment, endMs: number): void {
    const { partStartMs, partPackets, firstFrameIsKey } = open;
    open.partStartMs = endMs;
    open.partPackets = 0;
    open.firstFrameIsKey = undefined;
    if (partPackets === 0) return;
    const data = Buffer.concat(this.#muxer!.takeFragment(endMs));
    const durationMs = Math.max(1, Math.min(endMs - partStartMs, this.#partTargetMs));
    this.#sink.onPart({ data, durationMs, isIndependent: firstFrameIsKey ?? this.#leader === 'audio' });
  }
}
