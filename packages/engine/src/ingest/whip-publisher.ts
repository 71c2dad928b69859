// Passes RTP packets of a WebRTC publisher to its publication, and sends feedback to the encoder (PLI, NACK, REMB, receiver reports). Time
// is a parameter.

import { audioTrackFromConfig } from '@srs-stack/media/codecs/audio-track.ts';
import { writeOpusConfig } from '@srs-stack/media/codecs/opus.ts';
import {
  parseRtcp,
  type RtcpItem,
  writeNack,
  writePli,
  writeReceiverTime,
  writeRemb,
} from '@srs-stack/media/protocols/rtp/rtcp.ts';
import { RtcpRoundTrip } from '@srs-stack/media/protocols/rtp/rtcp-round-trip.ts';
import { RtpClock } from '@srs-stack/media/protocols/rtp/rtp-clock.ts';
import { isRtcp, parseRtpPacket, type RtpPacket } from '@srs-stack/media/protocols/rtp/rtp-packet.ts';
import { RtpReception } from '@srs-stack/media/protocols/rtp/rtp-reception.ts';
import { type InOrder, RtpReorderBuffer } from '@srs-stack/media/protocols/rtp/rtp-reorder-buffer.ts';
import type { AudioTrack } from '@srs-stack/media/track.ts';
import type { Publication } from '../hub/stream-hub.ts';
import type { RtcTrack } from '../webrtc-transport/webrtc-transport.ts';
import { H264RtpVideo } from './h264-rtp-video.ts';
import { type ArrivedPacket, RtpSourceChoice } from './rtp-source-choice.ts';

/** Maximum wait for a missing packet, milliseconds: one retransmission over a long-distance connection. */
const reorderLimits = { maxWaitMs: 200, maxPackets: 512 };
/** Minimum interval of keyframe requests, milliseconds. */
const keyframeRequestIntervalMs = 500;
/**
 * After this time without a keyframe, a keyframe is requested, milliseconds (SRS: 6 s). Browsers send keyframes only on request. FLV and
 * HLS players start at keyframes, and HLS segments end at keyframes.
 */
const longestGopMs = 3_000;
/** Bitrate limit sent to the encoder each second. High, because the encoder estimates its connection itself. */
const allowedBitrateBps = 20_000_000;
const rembIntervalMs = 1_000;
/** Interval of receiver reports and round trip measurements, milliseconds. */
const reportIntervalMs = 1_000;
/** SSRC of the server in feedback packets; the server sends no media to the encoder. */
const feedbackSsrc = 1;
const videoClockRate = 90_000;
const opusClockRate = 48_000;

interface Source {
  readonly track: RtcTrack;
  readonly choice: RtpSourceChoice;
  reorder: RtpReorderBuffer;
  clock: RtpClock;
  reception: RtpReception;
  /** 0 before the first packet. */
  ssrc: number;
}

function receptionOf({ plan }: RtcTrack): Pick<Source, 'reorder' | 'clock' | 'reception'> {
  const clockRate = plan.kind === 'video' ? videoClockRate : opusClockRate;
  return {
    reorder: new RtpReorderBuffer(reorderLimits),
    clock: new RtpClock(clockRate),
    reception: new RtpReception(clockRate),
  };
}

export class WhipPublisher {
  readonly #publication: Publication;
  readonly #isSimulcast: boolean;
  #lostBefore = 0;
  readonly #sources = new Map<RtcTrack, Source>();
  readonly #video: H264RtpVideo;
  readonly #audioTrack: AudioTrack;
  #keyframeRequestedMs = Number.NEGATIVE_INFINITY;
  #keyframeAtMs = Number.POSITIVE_INFINITY;
  #rembSentMs = Number.NEGATIVE_INFINITY;
  #reportSentMs = Number.NEGATIVE_INFINITY;
  readonly #roundTrip = new RtcpRoundTrip();
  /** Media time minus the encoder's wall clock, milliseconds; set by the first sender report. */
  #wallToMediaMs: number | undefined;

  /** @param isSimulcast true if the offer announced several sources of a track. */
  constructor(publication: Publication, isSimulcast = false) {
    this.#publication = publication;
    this.#isSimulcast = isSimulcast;
    this.#audioTrack = audioTrackFromConfig('opus', writeOpusConfig(2), { sampleRate: opusClockRate, channels: 2 });
    this.#video = new H264RtpVideo({
      onTrack: (track) => publication.setTrack(track),
      onPacket: (packet) => publication.push(packet),
    });
  }

  /** Handles an RTP or RTCP packet of a track. Throws `ProtocolError` for malformed packets. */
  handleDatagram(track: RtcTrack, datagram: Buffer, now: number): void {
    this.#publication.countReceived(datagram.length);
    const source = this.#sourceOf(track);
    if (isRtcp(datagram)) {
      this.#handleRtcp(source, datagram, now);
      return;
    }
    const packet = parseRtpPacket(datagram);
    if (packet.payloadType !== track.plan.payloadType) return; // RTX, FEC and other types are not used
    for (const arrived of source.choice.take(packet, now)) this.#take(source, arrived);
    this.#requestMissing(source, now);
  }

  /** Call about 20 times per second. */
  tick(now: number): void {
    for (const source of this.#sources.values()) {
      for (const arrived of source.choice.tick(now)) this.#take(source, arrived);
      this.#use(source, source.reorder.tick(now), now);
      this.#requestMissing(source, now);
    }
    this.#allowBitrate(now);
    this.#report(now);
    if (now - this.#keyframeAtMs >= longestGopMs) this.requestKeyframe(now);
  }

  requestKeyframe(now: number): void {
    if (now - this.#keyframeRequestedMs < keyframeRequestIntervalMs) return;
    for (const { track, ssrc } of this.#sources.values()) {
      if (track.plan.kind !== 'video' || ssrc === 0) continue;
      this.#keyframeRequestedMs = now;
      track.send(writePli(feedbackSsrc, ssrc));
    }
  }

  get hasVideo(): boolean {
    return Number.isFinite(this.#keyframeAtMs);
  }

  /** Lost packets of both tracks that were not retransmitted in time. */
  get lostPackets(): number {
    return [...this.#sources.values()].reduce((sum, { reorder }) => sum + reorder.lostPackets, this.#lostBefore);
  }

  /** Round trip time, milliseconds; 0 if unknown, or if the encoder ignores extended reports. */
  get rttMs(): number {
    return this.#roundTrip.ms;
  }

  get damagedFrames(): number {
    return this.#video.damagedFrames;
  }

  #sourceOf(track: RtcTrack): Source {
    const known = this.#sources.get(track);
    if (known) return known;
    const choice = new RtpSourceChoice(this.#isSimulcast && track.plan.kind === 'video');
    const source = { track, choice, ssrc: 0, ...receptionOf(track) };
    this.#sources.set(track, source);
    return source;
  }

  #take(source: Source, { packet, atMs }: ArrivedPacket): void {
    const isOther = source.ssrc !== 0 && source.ssrc !== packet.ssrc;
    source.ssrc = packet.ssrc;
    if (isOther) this.#follow(source, atMs);
    source.reception.take(packet, atMs);
    this.#use(source, source.reorder.push(packet, atMs), atMs);
  }

  /** Switches to another source. Its sequence numbers and timestamps differ, and its frames may refer to frames that were not received. */
  #follow(source: Source, now: number): void {
    this.#lostBefore += source.reorder.lostPackets;
    Object.assign(source, receptionOf(source.track));
    if (source.track.plan.kind !== 'video') return;
    this.#video.restart();
    this.requestKeyframe(now);
  }

  #handleRtcp({ clock, reception, ssrc }: Source, datagram: Buffer, now: number): void {
    for (const item of parseRtcp(datagram)) {
      if (item.kind === 'sender-report') {
        if (ssrc !== 0 && item.ssrc !== ssrc) continue; // from a source that is not used
        reception.takeSenderReport(item.ssrc, item.compactNtp, now);
        this.#synchronise(clock, item, now);
      } else if (item.kind === 'receiver-time-echo' && item.ssrc === feedbackSsrc) this.#roundTrip.add(item, now);
    }
  }

  #synchronise(clock: RtpClock, report: Extract<RtcpItem, { kind: 'sender-report' }>, now: number): void {
    if (report.ntpMs === 0) return;
    this.#wallToMediaMs ??= now - report.ntpMs;
    clock.synchronise(report.ntpMs, report.rtpTimestamp, this.#wallToMediaMs);
  }

  #use(source: Source, ready: readonly InOrder[], now: number): void {
    for (const { packet, afterGap } of ready) {
      const timeMs = source.clock.toMs(packet.timestamp, now);
      if (source.track.plan.kind === 'audio') this.#pushAudio(packet, timeMs);
      else this.#pushVideo(packet, timeMs, afterGap, now);
    }
  }

  #pushVideo(packet: RtpPacket, timeMs: number, afterGap: boolean, now: number): void {
    const result = this.#video.push(packet, timeMs, afterGap);
    if (result === 'keyframe') this.#keyframeAtMs = now;
    if (result === 'needs-keyframe') this.requestKeyframe(now);
  }

  #pushAudio({ payload }: RtpPacket, timeMs: number): void {
    if (payload.length === 0) return; // discontinuous transmission
    this.#publication.push({ track: this.#audioTrack, dtsMs: timeMs, ptsMs: timeMs, keyframe: true, payload });
  }

  #requestMissing({ track, reorder, ssrc }: Source, now: number): void {
    const missing = reorder.missing(now);
    if (missing.length > 0) track.send(writeNack(feedbackSsrc, ssrc, missing));
  }

  #allowBitrate(now: number): void {
    if (now - this.#rembSentMs < rembIntervalMs) return;
    this.#rembSentMs = now;
    for (const { track, ssrc } of this.#sources.values()) {
      if (track.plan.kind === 'video' && ssrc !== 0) track.send(writeRemb(feedbackSsrc, ssrc, allowedBitrateBps));
    }
  }

  /** Sends one report for all tracks, because all tracks use the same connection. */
  #report(now: number): void {
    const [source] = this.#sources.values();
    if (!source || now - this.#reportSentMs < reportIntervalMs) return;
    this.#reportSentMs = now;
    const reports = [...this.#sources.values()].map(({ reception }) => reception.report(now));
    const known = reports.filter((report) => report !== undefined);
    source.track.send(writeReceiverTime(feedbackSsrc, now, known));
  }
}
