// All WebRTC viewers of one stream. Every frame becomes RTP packets once, with the same SSRC, sequence numbers and timestamps for all
// viewers.

import { parseH264Config } from '@srs-stack/media/codecs/h264-config.ts';
import { splitLengthPrefixed } from '@srs-stack/media/codecs/nal-units.ts';
import type { Packet, VideoPacket } from '@srs-stack/media/packet.ts';
import { packetizeH264 } from '@srs-stack/media/protocols/rtp/h264-packetizer.ts';
import type { VideoTrack } from '@srs-stack/media/track.ts';
import type { StreamEndReason } from '../../hub/stream-reader.ts';
import type { SharedOutput } from '../shared-outputs.ts';
import { CatchUpPace } from './catch-up-pace.ts';
import { FanOut, type Kind } from './fan-out.ts';
import { PacketHistory } from './packet-history.ts';
import { SenderReports } from './sender-reports.ts';
import { SharedRtpPacket } from './shared-rtp-packet.ts';
import type { WhepViewer } from './whep-viewer.ts';

/** Maximum payload, bytes. With the RTP header 1200, so SRTP, UDP and IP headers fit into the MTU of every path. */
const maxPayloadBytes = 1188;
/** Payload types of Chromium, so that most viewers get the shared bytes without a copy. */
const usualPayloadType = { video: 102, audio: 111 } as const;
const ticksPerMs = { video: 90, audio: 48 } as const;
const nalType = { idr: 5, sps: 7, delimiter: 9, filler: 12 } as const;

export const whepSsrc = { video: 0x5352_5356, audio: 0x5352_5341 } as const;

export const whepAudio = { acceptsAudio: ['opus'] } as const;

export class WhepBroadcast implements SharedOutput {
  readonly name = 'whep';
  readonly acceptsAudio = whepAudio.acceptsAudio;
  /** Number of dropped B-frames, which browsers do not play over WebRTC. */
  droppedBFrames = 0;
  isOver = false;
  readonly #history: PacketHistory;
  /** Clock of the sender reports, milliseconds since 1970. */
  readonly wallClock: () => number;
  #viewers: WhepViewer[] = [];
  readonly #sequence = { video: 0, audio: 0 };
  readonly #fanOut = new FanOut<WhepViewer>();
  readonly #pace = new CatchUpPace<WhepViewer>();
  readonly #reports = new SenderReports<WhepViewer>(whepSsrc);
  #maxPtsMs = Number.NEGATIVE_INFINITY;
  #parameterSets: { readonly track: VideoTrack; readonly units: readonly Buffer[] } | undefined;
  /** Wall clock minus media time at the first packet, for both tracks. */
  #mediaToWallMs: number | undefined;
  /** RTP time minus media time, milliseconds: the total of all pauses between publishers. */
  #pausedMs = 0;
  #isAfterChange = false;

  constructor(options: { maxHistoryBytes: number; wallClock: () => number }) {
    this.#history = new PacketHistory(options.maxHistoryBytes);
    this.wallClock = options.wallClock;
  }

  get viewerCount(): number {
    return this.#viewers.length;
  }

  /** Adds a connected viewer. Returns true if the viewer can start immediately from a cached keyframe, false if the viewer must wait. */
  addViewer(viewer: WhepViewer): boolean {
    const recent = this.#history.sinceStart();
    this.#viewers.push(viewer);
    if (viewer.catchUp(recent)) this.#pace.add(viewer);
    if (this.#mediaToWallMs !== undefined) {
      this.#reports.send([viewer], { nowMs: this.wallClock(), mediaToWallMs: this.#mediaToWallMs });
    }
    return recent.length > 0;
  }

  removeViewer(viewer: WhepViewer): void {
    this.#pace.remove(viewer);
    const index = this.#viewers.indexOf(viewer);
    if (index >= 0) this.#viewers.splice(index, 1);
  }

  resend(viewer: WhepViewer, sequences: readonly number[]): void {
    const packets = sequences.map((sequence) => this.#history.get(sequence));
    viewer.resend(packets.filter((packet) => packet !== undefined));
  }

  onPacket(packet: Packet): void {
    this.#mediaToWallMs ??= this.wallClock() - packet.ptsMs;
    if (this.#isAfterChange) this.#countPause(packet, this.#mediaToWallMs);
    if (packet.track.kind === 'video') this.#addVideo(packet as VideoPacket);
    else this.#addAudio(packet);
    this.#reports.serve(this.#viewers, { nowMs: this.wallClock(), mediaToWallMs: this.#mediaToWallMs });
    this.#fanOut.flush(() => this.#viewers);
  }

  onPublisherChange(): void {
    this.#history.forgetStart();
    this.#maxPtsMs = Number.NEGATIVE_INFINITY;
    this.#isAfterChange = true;
  }

  /**
   * Adds the pause between publishers to the RTP time, because media time stops in a pause. Otherwise, browsers take the pause for network
   * delay. They then enlarge their buffer by the length of the pause for half a minute.
   */
  #countPause({ ptsMs }: Packet, mediaToWallMs: number): void {
    this.#isAfterChange = false;
    const lateMs = this.wallClock() - mediaToWallMs - ptsMs - this.#pausedMs;
    if (lateMs > 0) this.#pausedMs += lateMs;
  }

  onEnd(reason: StreamEndReason): void {
    this.isOver = true;
    for (const viewer of [...this.#viewers]) viewer.onStreamEnd(reason);
  }

  #addVideo(packet: VideoPacket): void {
    // Drops video after a codec change during the stream. Sessions refuse other codecs at their start.
    if (packet.track.codec !== 'h264') return;
    if (packet.ptsMs < this.#maxPtsMs) {
      this.droppedBFrames++;
      return;
    }
    this.#maxPtsMs = packet.ptsMs;
    const payloads = packetizeH264(this.#unitsOf(packet), maxPayloadBytes);
    payloads.forEach((payload, index) => {
      const shared = this.#add('video', packet.ptsMs, payload, index === payloads.length - 1);
      this.#history.add(shared, packet.keyframe && index === 0);
    });
  }

  #addAudio(packet: Packet): void {
    if (packet.track.codec === 'opus') this.#add('audio', packet.ptsMs, packet.payload, false);
  }

  /** NAL units of a frame. Parameter sets precede each IDR frame, because a receiver may join there (RFC 6184 §8.4). */
  #unitsOf({ track, keyframe, payload }: VideoPacket): Buffer[] {
    const units = splitLengthPrefixed(payload).filter((unit) => {
      const type = unit[0]! & 0x1f;
      return type !== nalType.delimiter && type !== nalType.filler;
    });
    if (!keyframe || units.some((unit) => (unit[0]! & 0x1f) === nalType.sps)) return units;
    return [...this.#parameterSetsOf(track), ...units];
  }

  #parameterSetsOf(track: VideoTrack): readonly Buffer[] {
    if (this.#parameterSets?.track !== track) {
      const config = parseH264Config(track.config);
      this.#parameterSets = { track, units: config ? [...config.sps, ...config.pps] : [] };
    }
    return this.#parameterSets.units;
  }

  #add(kind: Kind, ptsMs: number, payload: Buffer, marker: boolean): SharedRtpPacket {
    const sequence = this.#sequence[kind];
    this.#sequence[kind] = (sequence + 1) & 0xffff;
    const timestamp = Math.round((ptsMs + this.#pausedMs) * ticksPerMs[kind]) >>> 0;
    const packet = new SharedRtpPacket({
      marker,
      payloadType: usualPayloadType[kind],
      sequence,
      timestamp,
      ssrc: whepSsrc[kind],
      payload,
    });
    this.#reports.count(kind, payload.length);
    this.#fanOut.add(kind, packet);
    return packet;
  }
}
