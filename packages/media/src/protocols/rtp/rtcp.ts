// Parses compound RTCP packets (RFC 3550 §6.1), and writes reports and feedback (RFC 4585). Extended reports (RFC 3611) let a receiver
// compute the round-trip time.
import { compactNtp, ntpEpochOffsetSeconds, type ReportEcho } from './rtcp-round-trip.ts';
import type { ReceptionReport } from './rtp-reception.ts';

const rtcpType = {
  senderReport: 200,
  receiverReport: 201,
  bye: 203,
  transportFeedback: 205,
  payloadFeedback: 206,
  extendedReport: 207,
} as const;

const reportBlockBytes = 24;
const nackFormat = 1;
const pliFormat = 1;
const firFormat = 4;
const rembFormat = 15;
/** Block types of extended reports: the receiver's time, and a sender's response to this time. */
const receiverTimeBlock = 4;
const delaySinceReceiverTimeBlock = 5;

export type RtcpItem =
  | {
      readonly kind: 'sender-report';
      readonly ssrc: number;
      readonly ntpMs: number;
      /** The middle 32 bits of the report's NTP time, which receivers return. */
      readonly compactNtp: number;
      readonly rtpTimestamp: number;
    }
  | ({
      readonly kind: 'receiver-report';
      readonly ssrc: number;
      readonly lossFraction: number;
      readonly jitter: number;
    } & ReportEcho)
  | ({ readonly kind: 'receiver-time-echo'; readonly ssrc: number } & ReportEcho)
  | { readonly kind: 'nack'; readonly mediaSsrc: number; readonly sequences: number[] }
  | { readonly kind: 'keyframe-request'; readonly mediaSsrc: number }
  | { readonly kind: 'bye'; readonly ssrc: number };

/** Returns the relevant items of a compound packet, up to the first malformed part. */
export function parseRtcp(datagram: Buffer): RtcpItem[] {
  const items: RtcpItem[] = [];
  let offset = 0;
  while (offset + 8 <= datagram.length && datagram[offset]! >> 6 === 2) {
    const end = offset + 4 + datagram.readUInt16BE(offset + 2) * 4;
    if (end > datagram.length) break;
    readItem(datagram.subarray(offset, end), items);
    offset = end;
  }
  return items;
}

/** Splits a compound packet, up to the first malformed part. `ssrc` is the sender of each report (RFC 3550 §6.4). */
export function reportsBySender(datagram: Buffer): { readonly ssrc: number; readonly report: Buffer }[] {
  const reports: { ssrc: number; report: Buffer }[] = [];
  let offset = 0;
  while (offset + 8 <= datagram.length && datagram[offset]! >> 6 === 2) {
    const end = offset + 4 + datagram.readUInt16BE(offset + 2) * 4;
    if (end > datagram.length) break;
    if (end >= offset + 8)
      reports.push({ ssrc: datagram.readUInt32BE(offset + 4), report: datagram.subarray(offset, end) });
    offset = end;
  }
  return reports;
}

function readItem(packet: Buffer, items: RtcpItem[]): void {
  // A BYE without source has only a header (RFC 3550 §6.6).
  if (packet.length < 8) return;
  const format = packet[0]! & 0x1f;
  const ssrc = packet.readUInt32BE(4);
  const type = packet[1]!;
  if (type === rtcpType.senderReport && packet.length >= 28) {
    const ntpMs = (packet.readUInt32BE(8) - ntpEpochOffsetSeconds) * 1000 + (packet.readUInt32BE(12) / 2 ** 32) * 1000;
    const compact = packet.readUInt32BE(10);
    items.push({ kind: 'sender-report', ssrc, ntpMs, compactNtp: compact, rtpTimestamp: packet.readUInt32BE(16) });
  } else if (type === rtcpType.receiverReport && format > 0 && packet.length >= 32) {
    items.push({
      kind: 'receiver-report',
      ssrc: packet.readUInt32BE(8),
      lossFraction: packet[12]! / 256,
      jitter: packet.readUInt32BE(20),
      lastReport: packet.readUInt32BE(24),
      delay: packet.readUInt32BE(28),
    });
  } else if (type === rtcpType.extendedReport) {
    readExtendedReport(packet, items);
  } else if (type === rtcpType.bye) {
    items.push({ kind: 'bye', ssrc });
  } else if (type === rtcpType.transportFeedback && format === nackFormat && packet.length >= 16) {
    items.push({ kind: 'nack', mediaSsrc: packet.readUInt32BE(8), sequences: readNack(packet) });
  } else if (
    type === rtcpType.payloadFeedback &&
    (format === pliFormat || format === firFormat) &&
    packet.length >= 12
  ) {
    items.push({ kind: 'keyframe-request', mediaSsrc: packet.readUInt32BE(8) });
  }
}

/** RFC 3611 §2: each block has a type, a type-specific byte and a length in words. Only blocks that return a receiver's time are used. */
function readExtendedReport(packet: Buffer, items: RtcpItem[]): void {
  for (let offset = 8; offset + 4 <= packet.length; ) {
    const end = offset + 4 + packet.readUInt16BE(offset + 2) * 4;
    if (end > packet.length) return;
    if (packet[offset] === delaySinceReceiverTimeBlock) {
      for (let at = offset + 4; at + 12 <= end; at += 12) {
        const [ssrc, lastReport, delay] = [0, 4, 8].map((field) => packet.readUInt32BE(at + field));
        items.push({ kind: 'receiver-time-echo', ssrc: ssrc!, lastReport: lastReport!, delay: delay! });
      }
    }
    offset = end;
  }
}

/** RFC 4585 §6.2.1: a sequence number, and a bit mask for the next sixteen sequence numbers. */
function readNack(packet: Buffer): number[] {
  const sequences: number[] = [];
  for (let offset = 12; offset + 4 <= packet.length; offset += 4) {
    const first = packet.readUInt16BE(offset);
    const mask = packet.readUInt16BE(offset + 2);
    sequences.push(first);
    for (let bit = 0; bit < 16; bit++) {
      if (mask & (1 << bit)) sequences.push((first + bit + 1) & 0xffff);
    }
  }
  return sequences;
}

/** A picture loss indication (RFC 4585 §6.3.1). A compound packet must start with a receiver report, which is empty here. */
export function writePli(senderSsrc: number, mediaSsrc: number): Buffer {
  const packet = Buffer.alloc(8 + 12);
  writeReceiverReport(packet, senderSsrc);
  writeFeedbackHeader(packet, { type: rtcpType.payloadFeedback, format: pliFormat, words: 2, senderSsrc, mediaSsrc });
  return packet;
}

/** Receiver estimated maximum bitrate (draft-alvestrand-rmcat-remb-03 §2.2): allows an encoder to send up to `bitrateBps`. */
export function writeRemb(senderSsrc: number, mediaSsrc: number, bitrateBps: number): Buffer {
  const exponent = Math.max(0, Math.ceil(Math.log2(bitrateBps / 0x3ffff)));
  const mantissa = Math.floor(bitrateBps / 2 ** exponent);
  const packet = Buffer.alloc(8 + 24);
  writeReceiverReport(packet, senderSsrc);
  const header = { type: rtcpType.payloadFeedback, format: rembFormat, words: 5, senderSsrc, mediaSsrc: 0 };
  writeFeedbackHeader(packet, header);
  packet.write('REMB', 20, 'latin1');
  packet.writeUInt32BE(((1 << 24) | (exponent << 18) | mantissa) >>> 0, 24);
  packet.writeUInt32BE(mediaSsrc, 28);
  return packet;
}

/**
 * A receiver reference time report (RFC 3611 §4.4) with the time `nowMs` of any local clock. A sender that supports extended reports
 * returns this time, which gives the round-trip time. The packet starts with the required receiver report.
 */
export function writeReceiverTime(senderSsrc: number, nowMs: number, reports: readonly ReceptionReport[] = []): Buffer {
  const at = 8 + reports.length * reportBlockBytes;
  const packet = Buffer.alloc(at + 20);
  writeReceiverReport(packet, senderSsrc, reports);
  packet[at] = 0x80;
  packet[at + 1] = rtcpType.extendedReport;
  packet.writeUInt16BE(4, at + 2);
  packet.writeUInt32BE(senderSsrc, at + 4);
  packet[at + 8] = receiverTimeBlock;
  packet.writeUInt16BE(2, at + 10);
  const compact = compactNtp(nowMs);
  packet.writeUInt32BE(compact >>> 16, at + 12);
  packet.writeUInt32BE(((compact & 0xffff) << 16) >>> 0, at + 16);
  return packet;
}

/** Writes a receiver report (RFC 3550 §6.4.2) with at most 31 blocks. */
function writeReceiverReport(packet: Buffer, senderSsrc: number, reports: readonly ReceptionReport[] = []): void {
  packet[0] = 0x80 | reports.length;
  packet[1] = rtcpType.receiverReport;
  packet.writeUInt16BE(1 + (reports.length * reportBlockBytes) / 4, 2);
  packet.writeUInt32BE(senderSsrc, 4);
  reports.forEach((report, index) => {
    const at = 8 + index * reportBlockBytes;
    packet.writeUInt32BE(report.ssrc, at);
    packet.writeUInt32BE(((report.lostShare << 24) | (report.lostPackets & 0xff_ffff)) >>> 0, at + 4);
    packet.writeUInt32BE(report.highestSequence, at + 8);
    packet.writeUInt32BE(report.jitter, at + 12);
    packet.writeUInt32BE(report.lastReport, at + 16);
    packet.writeUInt32BE(report.delay, at + 20);
  });
}

/** A generic NACK (RFC 4585 §6.2.1). `sequences` must be ascending. */
export function writeNack(senderSsrc: number, mediaSsrc: number, sequences: readonly number[]): Buffer {
  const pairs: [number, number][] = [];
  for (const sequence of sequences) {
    const last = pairs.at(-1);
    const distance = last ? (sequence - last[0]) & 0xffff : 0;
    if (last && distance >= 1 && distance <= 16) last[1] |= 1 << (distance - 1);
    else pairs.push([sequence, 0]);
  }
  const packet = Buffer.alloc(8 + 12 + pairs.length * 4);
  writeReceiverReport(packet, senderSsrc);
  const words = 2 + pairs.length;
  writeFeedbackHeader(packet, { type: rtcpType.transportFeedback, format: nackFormat, words, senderSsrc, mediaSsrc });
  pairs.forEach(([first, mask], index) => {
    packet.writeUInt16BE(first, 20 + index * 4);
    packet.writeUInt16BE(mask, 22 + index * 4);
  });
  return packet;
}

function writeFeedbackHeader(
  packet: Buffer,
  fields: { type: number; format: number; words: number; senderSsrc: number; mediaSsrc: number },
): void {
  packet[8] = 0x80 | fields.format;
  packet[9] = fields.type;
  packet.writeUInt16BE(fields.words, 10);
  packet.writeUInt32BE(fields.senderSsrc, 12);
  packet.writeUInt32BE(fields.mediaSsrc, 16);
}

export interface SenderReport {
  readonly ssrc: number;
  /** Wall clock at `rtpTimestamp`, milliseconds since 1970. */
  readonly ntpMs: number;
  readonly rtpTimestamp: number;
  readonly packetCount: number;
  readonly octetCount: number;
}

/** A sender report without report blocks (RFC 3550 §6.4.1). Receivers need sender reports to synchronize audio and video. */
export function writeSenderReport(report: SenderReport): Buffer {
  const packet = Buffer.alloc(28);
  packet[0] = 0x80;
  packet[1] = rtcpType.senderReport;
  packet.writeUInt16BE(6, 2);
  packet.writeUInt32BE(report.ssrc, 4);
  const seconds = Math.floor(report.ntpMs / 1000);
  packet.writeUInt32BE((seconds + ntpEpochOffsetSeconds) >>> 0, 8);
  packet.writeUInt32BE(Math.floor(((report.ntpMs - seconds * 1000) / 1000) * 2 ** 32) >>> 0, 12);
  packet.writeUInt32BE(report.rtpTimestamp >>> 0, 16);
  packet.writeUInt32BE(report.packetCount >>> 0, 20);
  packet.writeUInt32BE(report.octetCount >>> 0, 24);
  return packet;
}
