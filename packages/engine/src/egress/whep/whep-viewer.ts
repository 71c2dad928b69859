// One WebRTC viewer of a broadcast: its two tracks, what it asked for back, and whether it is still there.

import type { StreamEndReason } from '../../hub/stream-reader.ts';
import { parseRtcp } from '../../protocols/rtp/rtcp.ts';
import { ntpEpochOffsetSeconds, RtcpRoundTrip } from '../../protocols/rtp/rtcp-round-trip.ts';
import { isRtcp } from '../../protocols/rtp/rtp-packet.ts';
import type { RtcTrack } from '../../webrtc-transport/webrtc-transport.ts';
import type { SharedRtpPacket } from './shared-rtp-packet.ts';

/** Frames of a GOP that a joining viewer catches up with follow each other at this distance, 90 kHz ticks (3 ms). */
const catchUpStepTicks = 270;
/** A viewer that was sent media and has said nothing this long is gone, milliseconds: receivers report each second or so. */
const silenceLimitMs = 8_000;
/** Retransmissions per second; more would feed a line that is full already. */
const maxResendsPerSecond = 500;

export interface WhepViewerEvents {
  onSent(bytes: number): void;
  onKeyframeRequest(): void;
  onResendRequest(sequences: readonly number[]): void;
  onStreamEnd(reason: StreamEndReason): void;
  /** Clock of the sender reports, milliseconds since 1970. */
  wallClock(): number;
}

export class WhepViewer {
  /** Share of packets the viewer reported lost, 0 to 1. */
  lossFraction = 0;
  resentPackets = 0;
  unsentPackets = 0;
  private readonly roundTrip = new RtcpRoundTrip();
  private readonly tracks: Partial<Record<'video' | 'audio', RtcTrack>> = {};
  private readonly events: WhepViewerEvents;
  private heardMs: number;
  private sentSinceHeard = false;
  private videoSentSinceHeard = false;
  /** When video was first sent after the viewer was last heard, as a tick saw it; monotonic milliseconds. */
  private unansweredSinceMs: number | undefined;
  private resendWindowMs = 0;
  private resendsInWindow = 0;

  constructor(tracks: readonly RtcTrack[], events: WhepViewerEvents, now: number) {
    for (const track of tracks) this.tracks[track.plan.kind] = track;
    this.events = events;
    this.heardMs = now;
  }

  /** Milliseconds; 0 while unknown. */
  get rttMs(): number {
    return this.roundTrip.ms;
  }

  onStreamEnd(reason: StreamEndReason): void {
    this.events.onStreamEnd(reason);
  }

  send(kind: 'video' | 'audio', packet: SharedRtpPacket): void {
    const track = this.tracks[kind];
    if (track) this.transmit(track, packet.forPayloadType(track.plan.payloadType));
  }

  /**
   * Everything since the last keyframe, in its own numbers but with times pressed together just before the present, so that
   * the player shows the newest picture at once instead of playing a GOP behind.
   */
  catchUp(packets: readonly SharedRtpPacket[]): void {
    const track = this.tracks.video;
    const newest = packets.at(-1);
    if (!track || !newest) return;
    const times = [...new Set(packets.map(({ timestamp }) => timestamp))];
    const position = new Map(times.map((timestamp, index) => [timestamp, times.length - 1 - index]));
    for (const packet of packets) {
      const behind = (position.get(packet.timestamp) ?? 0) * catchUpStepTicks;
      this.transmit(track, packet.withTimestamp(newest.timestamp - behind, track.plan.payloadType));
    }
  }

  sendReport(kind: 'video' | 'audio', report: Buffer): void {
    this.tracks[kind]?.send(report);
  }

  /** RTCP of the viewer. */
  handleDatagram(datagram: Buffer, now: number): void {
    this.heardMs = now;
    this.sentSinceHeard = false;
    this.videoSentSinceHeard = false;
    this.unansweredSinceMs = undefined;
    if (!isRtcp(datagram)) return;
    for (const item of parseRtcp(datagram)) {
      if (item.kind === 'keyframe-request') this.events.onKeyframeRequest();
      else if (item.kind === 'receiver-report') {
        this.lossFraction = item.lossFraction;
        this.roundTrip.add(item, this.events.wallClock() + ntpEpochOffsetSeconds * 1000);
      } else if (item.kind === 'nack') this.handleNack(item.sequences, item.mediaSsrc, now);
    }
  }

  /** False when the viewer has been sent media and stayed silent for too long. */
  isAlive(now: number): boolean {
    if (!this.sentSinceHeard) this.heardMs = now;
    if (this.videoSentSinceHeard) this.unansweredSinceMs ??= now;
    return now - this.heardMs < silenceLimitMs;
  }

  /** How long the viewer has said nothing to the video it gets, milliseconds. */
  silentMs(now: number): number {
    return this.unansweredSinceMs === undefined ? 0 : now - this.unansweredSinceMs;
  }

  private handleNack(sequences: readonly number[], mediaSsrc: number, now: number): void {
    if (mediaSsrc !== this.tracks.video?.plan.ssrc) return;
    if (now - this.resendWindowMs >= 1000) {
      this.resendWindowMs = now;
      this.resendsInWindow = 0;
    }
    const allowed = sequences.slice(0, maxResendsPerSecond - this.resendsInWindow);
    this.resendsInWindow += allowed.length;
    this.resentPackets += allowed.length;
    this.events.onResendRequest(allowed);
  }

  private transmit(track: RtcTrack, datagram: Buffer): void {
    if (track.send(datagram)) {
      this.sentSinceHeard = true;
      if (track.plan.kind === 'video') this.videoSentSinceHeard = true;
      this.events.onSent(datagram.length);
    } else {
      this.unsentPackets++;
    }
  }
}
