// Decides where parts and segments of one stream begin and end, and muxes them as fragmented MP4. Pure: media time comes with the
// packets, bytes and boundaries go to the sink. Segments begin with a keyframe; what is in them is decided anew at each.
import { Fmp4Muxer } from '@srs-stack/media/containers/fmp4/fmp4-muxer.ts';
import type { Packet } from '@srs-stack/media/packet.ts';
import { isSameTrack, type Track, type VideoTrack } from '@srs-stack/media/track.ts';
import { planParts } from './part-plan.ts';

export interface CutPart {
  readonly data: Buffer;
  readonly durationMs: number;
  /** Decoding can begin with it. */
  readonly isIndependent: boolean;
}

export interface SegmentStart {
  /** Set when the initialization segment is another one from here on. */
  readonly initSegment: Buffer | undefined;
  readonly tracks: readonly Track[];
  readonly isDiscontinuous: boolean;
  /** Media time at which its first picture or sound is shown, milliseconds. */
  readonly shownAtMs: number;
}

export interface PartSink {
  onSegmentStart(start: SegmentStart): void;
  onPart(part: CutPart): void;
  onSegmentEnd(durationMs: number): void;
  /** Longest part from here on, milliseconds; it only grows. */
  onPartTarget(partTargetMs: number): void;
}

/** What the publisher announced: worth waiting for. */
interface Announced {
  readonly video: VideoTrack | undefined;
}

/** A segment ends at the first keyframe after so long, milliseconds: as short as encoders set their keyframes. */
const segmentMs = 2_000;
/** Keyframes that come a fraction early end a segment too: 1-ms clocks round; milliseconds. */
const cutToleranceMs = 100;
/** The first segment ends at its first keyframe, but one of a single frame would help nobody; milliseconds. */
const firstSegmentMinMs = 250;
/** Without a keyframe a segment ends here, milliseconds: its parts are in memory. */
const maxSegmentMs = 60_000;
/** A track that has been silent so long is not in the next segment, milliseconds: players would wait for it. */
const silentTrackMs = 4_000;
/** The second track is waited for so long at the start, milliseconds of media. */
const secondTrackWaitMs = 1_000;
/** Packets that show how far apart the pictures are, or the sounds. */
const packetsForPlan = 8;
/** Packets that wait for the start at most: four seconds of sound in packets of 2.5 ms. */
const maxWaiting = 2_048;
/** A segment ends here too, bytes: 16 Mbit/s for 16 s, or a stream whose time stands still. */
const maxSegmentBytes = 32 * 1024 * 1024;
/** Sound may be so much ahead of the picture without ending its part, milliseconds. */
const interleavingMs = 250;
/** What is shorter at the end of a segment goes to the next one, milliseconds: some sound before a keyframe. */
const minPartMs = 20;
/** Distance of pictures until it has been seen, milliseconds. */
const defaultFrameMs = 40;
/** A new distance counts so much in the estimate of the next. */
const frameMsWeight = 0.2;
/** A distance that is so much off, of the usual one, is an exception: a keyframe out of step, a lost picture. */
const exceptionShare = 0.25;
/** So many exceptions in a row are how pictures come from now on. */
const exceptionsToFollow = 3;

interface OpenSegment {
  readonly startMs: number;
  /** Of the part that is open. */
  partStartMs: number;
  partPackets: number;
  /** First picture of the open part, when there is one: is it a keyframe? */
  firstPictureIsKey: boolean | undefined;
  /** Newest packet of the kind that leads. */
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

  /** Ends the open segment; what comes next is discontinuous. */
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

  /** Before the first segment: until there is a place to begin, and it is known what comes how often. */
  #wait(packet: Packet): void {
    this.#waiting.push(packet);
    this.#waitingBytes += packet.payload.length;
    const awaitsPicture = this.#awaitsPicture(packet.dtsMs);
    const keyAt = this.#waiting.findIndex(({ track, keyframe }) => track.kind === 'video' && keyframe);
    if (awaitsPicture && keyAt < 0) {
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

  /** True while a picture that was announced may still come. */
  #awaitsPicture(nowMs: number): boolean {
    if (this.#video !== undefined) return true;
    return this.#announced().video !== undefined && nowMs - this.#waiting[0]!.dtsMs < silentTrackMs - 1;
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
    // One millisecond: what rounds to it is no reason for a shorter part.
    if (wouldBeMs > this.#partTargetMs + 1) this.#endLatePart(open, dtsMs, leads);
    this.#write(open, packet);
  }

  /** The part cannot take a packet of that time: it ended before, or the picture has stopped and the sound goes on. */
  #endLatePart(open: OpenSegment, dtsMs: number, leads: boolean): void {
    this.#endPart(open, leads ? dtsMs : Math.min(dtsMs, open.partStartMs + this.#partTargetMs));
  }

  #write(open: OpenSegment, packet: Packet): void {
    if (!this.#muxer!.push(packet)) return;
    open.partPackets++;
    open.bytes += packet.payload.length;
    if (packet.track.kind === 'video') open.firstPictureIsKey ??= packet.keyframe;
    if (packet.track.kind !== this.#leader) return;
    this.#followDistance(packet.dtsMs - open.lastMs);
    open.lastMs = Math.max(open.lastMs, packet.dtsMs);
    const endMs = open.lastMs + this.#frameMs;
    if (endMs + this.#frameMs - open.partStartMs > this.#partTargetMs) this.#endPart(open, endMs);
  }

  #followDistance(distanceMs: number): void {
    // A pause is no distance of pictures.
    if (distanceMs <= 0 || distanceMs >= 4 * this.#frameMs) return;
    const isException = Math.abs(distanceMs - this.#frameMs) > exceptionShare * this.#frameMs;
    this.#exceptions = isException ? this.#exceptions + 1 : 0;
    if (this.#exceptions % exceptionsToFollow === 0) this.#frameMs += frameMsWeight * (distanceMs - this.#frameMs);
  }

  #shouldCut(open: OpenSegment, { track, keyframe, dtsMs }: Packet): boolean {
    const ageMs = dtsMs - open.startMs;
    if (ageMs >= maxSegmentMs || open.bytes >= maxSegmentBytes) return true;
    if (track.kind === 'video') return keyframe && this.#shouldCutAtKeyframe(ageMs, dtsMs);
    // While pictures come, sound cuts nothing.
    if (this.#video !== undefined && dtsMs - this.#video.atMs < silentTrackMs) return false;
    return ageMs >= segmentMs || this.#haveTracksChanged(dtsMs);
  }

  #shouldCutAtKeyframe(ageMs: number, dtsMs: number): boolean {
    if (this.#haveTracksChanged(dtsMs)) return true;
    return ageMs >= (this.#isFirst ? firstSegmentMinMs : segmentMs - cutToleranceMs);
  }

  /** What has been heard of lately and can be carried, picture first. */
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
      this.#muxer = new Fmp4Muxer(this.#tracks);
    }
    const initSegment = isOther ? this.#muxer!.initSegment : undefined;
    this.#open = {
      startMs,
      partStartMs: startMs,
      partPackets: 0,
      firstPictureIsKey: undefined,
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
    const { partStartMs, partPackets, firstPictureIsKey } = open;
    open.partStartMs = endMs;
    open.partPackets = 0;
    open.firstPictureIsKey = undefined;
    if (partPackets === 0) return;
    const data = Buffer.concat(this.#muxer!.takeFragment(endMs));
    const durationMs = Math.max(1, Math.min(endMs - partStartMs, this.#partTargetMs));
    this.#sink.onPart({ data, durationMs, isIndependent: firstPictureIsKey ?? this.#leader === 'audio' });
  }
}
