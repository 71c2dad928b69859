// Writes the packets of one track as RTP packets in the payload format of the codec.

import { obuType, obuTypeOf, splitObus } from '../../codecs/av1.ts';
import { h264NalType, h264TypeOf } from '../../codecs/h264.ts';
import { h265NalType, h265TypeOf } from '../../codecs/h265.ts';
import { splitLengthPrefixed } from '../../codecs/nal-units.ts';
import { parameterSetsOf } from '../../codecs/parameter-sets.ts';
import type { Packet, VideoPacket } from '../../packet.ts';
import type { Track, VideoTrack } from '../../track.ts';
import { packetizeAudio } from './audio-payloads.ts';
import { packetizeAv1 } from './av1-packetizer.ts';
import { packetizeH264 } from './h264-packetizer.ts';
import { packetizeH265 } from './h265-packetizer.ts';
import { writeRtpPacket } from './rtp-packet.ts';

/** Payload that fits in any Ethernet path with the headers of IPv6, UDP and RTP, bytes. */
const maxPayloadBytes = 1_400;
const videoClockRate = 90_000;
/** Size of an AV1 record before its OBUs, AV1-ISOBMFF §2.3. */
const av1RecordHeaderBytes = 4;

/** Static payload type if RFC 3551 defines one, else a dynamic type. */
export function rtpPayloadType({ kind, codec }: Pick<Track, 'kind' | 'codec'>): number {
  if (kind === 'video') return 96;
  return { pcmu: 0, pcma: 8, mp3: 14, mp2: 14 }[codec as string] ?? 97;
}

/** Ticks per second. */
export function rtpClockRate(track: Track): number {
  if (track.kind === 'video' || track.codec === 'mp3' || track.codec === 'mp2') return videoClockRate;
  if (track.codec === 'opus') return 48_000;
  if (track.codec === 'pcma' || track.codec === 'pcmu') return track.sampleRate || 8_000;
  return track.sampleRate || 48_000;
}

export class RtpTrackWriter {
  readonly ssrc: number;
  packets = 0;
  payloadBytes = 0;
  #sequence: number;
  #parameterSets: { readonly track: VideoTrack; readonly units: readonly Buffer[] } | undefined;

  constructor(ssrc: number, firstSequence: number) {
    this.ssrc = ssrc;
    this.#sequence = firstSequence;
  }

  /** RTP packets of a frame; none for a video codec without a supported payload format. */
  write(packet: Packet): Buffer[] {
    const ticks = Math.round((packet.ptsMs * rtpClockRate(packet.track)) / 1000);
    if (packet.track.kind === 'video') return this.#writeVideo(packet as VideoPacket, ticks);
    const payloads = packetizeAudio(packet.track.codec, packet.payload, maxPayloadBytes);
    return payloads.map(({ payload, afterTicks }, index) =>
      this.#write(packet.track, payload, ticks + afterTicks, index === payloads.length - 1),
    );
  }

  #writeVideo(packet: VideoPacket, ticks: number): Buffer[] {
    const { track } = packet;
    const payloads = this.#payloadsOf(packet);
    return payloads.map((payload, index) => this.#write(track, payload, ticks, index === payloads.length - 1));
  }

  #payloadsOf(packet: VideoPacket): Buffer[] {
    switch (packet.track.codec) {
      case 'h264':
        return packetizeH264(this.#unitsOf(packet), maxPayloadBytes);
      case 'h265':
        return packetizeH265(this.#unitsOf(packet), maxPayloadBytes);
      case 'av1':
        return packetizeAv1(obusOf(packet), maxPayloadBytes);
      default:
        return [];
    }
  }

  #write(track: Track, payload: Buffer, ticks: number, marker: boolean): Buffer {
    const sequence = this.#sequence;
    this.#sequence = (sequence + 1) & 0xffff;
    this.packets++;
    this.payloadBytes += payload.length;
    const timestamp = ((ticks % 2 ** 32) + 2 ** 32) % 2 ** 32;
    return writeRtpPacket({
      ...{ marker, payloadType: rtpPayloadType(track), sequence, timestamp, ssrc: this.ssrc },
      payload,
    });
  }

  /** NAL units of a frame without delimiters. Parameter sets precede each keyframe, because a receiver may join there. */
  #unitsOf({ track, keyframe, payload }: VideoPacket): Buffer[] {
    const isH264 = track.codec === 'h264';
    const typeOf = isH264 ? h264TypeOf : h265TypeOf;
    const delimiter = isH264 ? h264NalType.aud : h265NalType.aud;
    const sps = isH264 ? h264NalType.sps : h265NalType.sps;
    const units = splitLengthPrefixed(payload).filter((unit) => typeOf(unit) !== delimiter);
    if (!keyframe || units.some((unit) => typeOf(unit) === sps)) return units;
    if (this.#parameterSets?.track !== track) {
      this.#parameterSets = { track, units: parameterSetsOf(track.codec as 'h264' | 'h265', track.config) ?? [] };
    }
    return [...this.#parameterSets.units, ...units];
  }
}

/** OBUs of a frame. The sequence header precedes each keyframe, because a receiver may join there. */
function obusOf({ track, keyframe, payload }: VideoPacket): Buffer[] {
  const obus = splitObus(payload);
  if (!keyframe || obus.some((obu) => obuTypeOf(obu) === obuType.sequenceHeader)) return obus;
  return [...splitObus(track.config.subarray(av1RecordHeaderBytes)), ...obus];
}
