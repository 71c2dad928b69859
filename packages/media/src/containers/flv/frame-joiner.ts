// Joins the messages of one frame. Drones and phones send a message per slice or NAL unit, but a packet must be a whole access unit. The
// first frame of a stream waits for the next message, which shows the kind of encoder. Later frames wait only if the encoder splits frames.
import type { Packet, VideoPacket } from '../../packet.ts';
import type { StreamMetadata } from '../../stream-metadata.ts';
import type { Track } from '../../track.ts';
import type { FlvDemuxerSink } from './flv-demuxer.ts';
import { framePartOf } from './frame-parts.ts';

/** Maximum size of one frame, bytes: the size of the longest message. */
const maxFrameBytes = 8 * 1024 * 1024;
/** Maximum number of messages per frame: a 4K keyframe of 5 MB in slices of 1,400 bytes. */
const maxFrameParts = 4_096;
/** Number of `tick` calls after which the first frame is emitted without a following message. */
const ticksToWait = 2;

interface PendingFrame {
  /** The message with the first slice, whose times apply to the frame. Without a slice, the newest message. */
  packet: VideoPacket;
  hasSlice: boolean;
  parts: Buffer[];
  bytes: number;
}

export class FrameJoiner implements FlvDemuxerSink {
  readonly #sink: FlvDemuxerSink;
  /** Whether the encoder splits frames. Undefined until the first frame is emitted or joined. */
  #sends: 'whole' | 'parts' | undefined;
  #pending: PendingFrame | undefined;
  #ticks = 0;
  #passedDtsMs = Number.NaN;

  constructor(sink: FlvDemuxerSink) {
    this.#sink = sink;
  }

  setTrack(track: Track): void {
    if (track.kind === 'video' && this.#pending?.hasSlice) this.flush();
    this.#sink.setTrack(track);
  }

  setMetadata(metadata: StreamMetadata): void {
    this.#sink.setMetadata(metadata);
  }

  push(packet: Packet): void {
    if (packet.track.kind === 'video') this.#pushVideo(packet as VideoPacket);
    else {
      if (this.#sends === undefined) this.flush(); // keeps the order of the encoder
      this.#sink.push(packet);
    }
  }

  /** Emits the first frame even if no message follows. Call twice a second. */
  tick(): void {
    if (this.#sends === undefined && this.#pending?.hasSlice && ++this.#ticks >= ticksToWait) this.flush();
  }

  /** Emits the pending frame. Parameter sets, delimiters and SEI without a frame are dropped. */
  flush(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (!pending?.hasSlice) return;
    this.#sends ??= 'whole';
    const { packet, parts } = pending;
    this.#pass(parts.length === 1 ? packet : { ...packet, payload: Buffer.concat(parts) });
  }

  #pushVideo(packet: VideoPacket): void {
    const { codec } = packet.track;
    const part = codec === 'h264' || codec === 'h265' ? framePartOf(codec, packet.payload) : 'start';
    const pending = this.#pending;
    const isSameFrame = pending?.hasSlice === true && pending.packet.dtsMs === packet.dtsMs;
    if (isSameFrame && (part === 'continuation' || part === 'suffix')) {
      if (part === 'continuation') this.#sends = 'parts';
      this.#append(pending, packet);
      return;
    }
    if (pending?.hasSlice) this.flush();
    if (part === 'prefix') this.#hold(packet, false);
    else if (part === 'start' || this.#pending) this.#begin(packet);
    else this.#passLoose(packet, part === 'continuation');
  }

  #begin(packet: VideoPacket): void {
    this.#hold(packet, true);
    if (this.#sends === 'whole') this.flush();
  }

  /** Passes on the rest of a frame that was already emitted or whose start was lost. */
  #passLoose(packet: VideoPacket, isSlice: boolean): void {
    if (isSlice && packet.dtsMs === this.#passedDtsMs) this.#sends = 'parts';
    this.#pass(packet);
  }

  #hold(packet: VideoPacket, hasSlice: boolean): void {
    this.#ticks = 0;
    this.#pending ??= { packet, hasSlice, parts: [], bytes: 0 };
    this.#pending.packet = packet;
    this.#pending.hasSlice = hasSlice;
    this.#append(this.#pending, packet);
  }

  #append(pending: PendingFrame, { payload, keyframe }: VideoPacket): void {
    if (pending.bytes + payload.length > maxFrameBytes || pending.parts.length >= maxFrameParts) {
      pending.parts = []; // limits memory: the frame loses the parts so far
      pending.bytes = 0;
    }
    pending.parts.push(payload);
    pending.bytes += payload.length;
    if (keyframe && pending.hasSlice && !pending.packet.keyframe) pending.packet = { ...pending.packet, keyframe };
  }

  #pass(packet: VideoPacket): void {
    this.#passedDtsMs = packet.dtsMs;
    this.#sink.push(packet);
  }
}
