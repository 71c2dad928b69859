// One WebRTC viewer of a broadcast: its tracks, retransmissions and liveness.

import { parseRtcp } from '@srs-stack/media/protocols/rtp/rtcp.ts';
import { ntpEpochOffsetSeconds, RtcpRoundTrip } from '@srs-stack/media/protocols/rtp/rtcp-round-trip.ts';
import { isRtcp } from '@srs-stack/media/protocols/rtp/rtp-packet.ts';
import type { StreamEndReason } from '../../hub/stream-reader.ts';
import { TokenBucket } from '../../util/token-bucket.ts';
import type { RtcTrack } from '../../webrtc-transport/webrtc-transport.ts';
import { CatchUp } from './catch-up.ts';
import { packetsPerStep } from './catch-up-pace.ts';
import type { Kind } from './fan-out.ts';
import { ResendBudget } from './resend-budget.ts';
import { retime } from './retimed-packets.ts';
import { SharedPackets } from './shared-packets.ts';
import type { SharedRtpPacket } from './shared-rtp-packet.ts';

/**
 * A viewer that sends nothing for this time while receiving media counts as disconnected, milliseconds. Receivers send a report about every
 * second, some every 2 to 6 s (RFC 3550 §6.3.1). The limit allows for a lost report and short network interruptions.
 */
const silenceLimitMs = 15_000;
/**
 * Limit of forwarded keyframe requests per viewer. A keyframe is several times the size of other frames, and all viewers get it. WebRTC
 * publishers send a keyframe every 3 s anyway; one viewer may at most double their number.
 */
const keyframeRequestRate = { perSecond: 1 / 3, burst: 3 };

export interface WhepViewerEvents {
  onSent(bytes: number): void;
  onKeyframeRequest(): void;
  onResendRequest(sequences: readonly number[]): void;
  onStreamEnd(reason: StreamEndReason): void;
  /** Clock of the sender reports, milliseconds since 1970. */
  wallClock(): number;
}

export class WhepViewer {
  /** Packet loss reported by the viewer, 0 to 1. */
  lossFraction = 0;
  resentPackets = 0;
  unsentPackets = 0;
  readonly #roundTrip = new RtcpRoundTrip();
  readonly #tracks: Partial<Record<Kind, RtcTrack>> = {};
  readonly #events: WhepViewerEvents;
  #lastPacketMs: number;
  #hasSentSince = false;
  #hasSentVideoSince = false;
  /** Time of the first check that found no response to sent video, monotonic milliseconds. */
  #unansweredSinceMs: number | undefined;
  #catchUp: CatchUp | undefined;
  /** Unsent video packets of the catch-up, and later packets. */
  #behind: SharedRtpPacket[] = [];
  #perStep = 0;
  readonly #resendBudget = new ResendBudget();
  readonly #keyframeRequests = new TokenBucket(keyframeRequestRate);

  constructor(tracks: readonly RtcTrack[], events: WhepViewerEvents, now: number) {
    for (const track of tracks) this.#tracks[track.plan.kind] = track;
    this.#events = events;
    this.#lastPacketMs = now;
  }

  /** Milliseconds; 0 while unknown. */
  get rttMs(): number {
    return this.#roundTrip.ms;
  }

  onStreamEnd(reason: StreamEndReason): void {
    this.#events.onStreamEnd(reason);
  }

  send(kind: Kind, packets: SharedPackets): void {
    const track = this.#tracks[kind];
    if (!track) return;
    const mine = kind === 'video' ? this.#notCaughtUp(packets) : packets;
    if (kind === 'video' && this.#behind.length > 0) {
      this.#behind.push(...mine.packets);
      return;
    }
    const { all, bytes } = mine.forPayloadType(track.plan.payloadType);
    const sent = track.sendAll(all);
    this.unsentPackets += all.length - sent;
    this.#noteSent(kind, sent === all.length ? bytes : bytesOf(all.slice(0, sent)));
  }

  /** Starts to send all packets since the last keyframe. Returns true if `sendStep` must send further packets. */
  catchUp(packets: readonly SharedRtpPacket[]): boolean {
    if (packets.length === 0) return false;
    this.#catchUp = new CatchUp(packets);
    this.#behind = [...packets];
    this.#perStep = packetsPerStep(packets.length);
    return this.sendStep();
  }

  sendStep(): boolean {
    this.resend(this.#behind.splice(0, this.#perStep));
    return this.#behind.length > 0;
  }

  resend(packets: readonly SharedRtpPacket[]): void {
    const track = this.#tracks.video;
    if (!track) return;
    const datagrams = retime(
      packets,
      track.plan.payloadType,
      (packet) => this.#catchUp?.timestampOf(packet) ?? packet.timestamp,
    );
    const sent = track.sendAll(datagrams);
    this.unsentPackets += datagrams.length - sent;
    this.#noteSent('video', bytesOf(datagrams.slice(0, sent)));
  }

  #notCaughtUp(shared: SharedPackets): SharedPackets {
    const [first] = shared.packets;
    const catchUp = this.#catchUp;
    if (!catchUp || !first) return shared;
    if (catchUp.isOver(first)) this.#catchUp = undefined;
    else if (catchUp.has(first)) return new SharedPackets(shared.packets.filter((packet) => !catchUp.has(packet)));
    return shared;
  }

  sendReport(kind: Kind, report: Buffer): void {
    this.#tracks[kind]?.send(report);
  }

  handleDatagram(datagram: Buffer, now: number): void {
    this.#lastPacketMs = now;
    this.#hasSentSince = false;
    this.#hasSentVideoSince = false;
    this.#unansweredSinceMs = undefined;
    if (!isRtcp(datagram)) return;
    for (const item of parseRtcp(datagram)) {
      if (item.kind === 'keyframe-request') {
        if (this.#keyframeRequests.take(1, now) > 0) this.#events.onKeyframeRequest();
      } else if (item.kind === 'receiver-report') {
        this.lossFraction = item.lossFraction;
        this.#roundTrip.add(item, this.#events.wallClock() + ntpEpochOffsetSeconds * 1000);
      } else if (item.kind === 'nack') this.#handleNack(item.sequences, item.mediaSsrc, now);
    }
  }

  /** False when the viewer has been silent for too long while receiving media. */
  isAlive(now: number): boolean {
    if (!this.#hasSentSince) this.#lastPacketMs = now;
    if (this.#hasSentVideoSince) this.#unansweredSinceMs ??= now;
    return now - this.#lastPacketMs < silenceLimitMs;
  }

  /** Time for which the viewer has not responded to sent video, milliseconds. */
  silentMs(now: number): number {
    return this.#unansweredSinceMs === undefined ? 0 : now - this.#unansweredSinceMs;
  }

  #handleNack(sequences: readonly number[], mediaSsrc: number, now: number): void {
    if (mediaSsrc !== this.#tracks.video?.plan.ssrc) return;
    const allowed = this.#resendBudget.allow(sequences, this.rttMs, now);
    this.resentPackets += allowed.length;
    this.#events.onResendRequest(allowed);
  }

  #noteSent(kind: Kind, bytes: number): void {
    if (bytes === 0) return;
    this.#hasSentSince = true;
    if (kind === 'video') this.#hasSentVideoSince = true;
    this.#events.onSent(bytes);
  }
}

function bytesOf(datagrams: readonly Buffer[]): number {
  return datagrams.reduce((sum, { length }) => sum + length, 0);
}
