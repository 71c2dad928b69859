// Packets with other times than they came with, for a viewer who joins in the middle of a GOP. They are written one behind the other into memory
// that the next ones use again, because a thousand viewers who join are a hundred thousand packets, each gone as soon as it is sent.
import type { SharedRtpPacket } from './shared-rtp-packet.ts';

/** In the header of RFC 3550 §5.1, bytes. */
const timestampOffset = 4;

let memory = Buffer.alloc(0);

/**
 * The packets as datagrams of this payload type, those whose `timeOf` differs from their own with that time.
 * They are as they are until the next call.
 */
export function retime(
  packets: readonly SharedRtpPacket[],
  payloadType: number,
  timeOf: (packet: SharedRtpPacket) => number,
): Buffer[] {
  const bytes = packets.reduce((sum, packet) => sum + packet.bytes, 0);
  if (memory.length < bytes) memory = Buffer.allocUnsafeSlow(bytes);
  let end = 0;
  return packets.map((packet) => {
    const datagram = packet.forPayloadType(payloadType);
    const timestamp = timeOf(packet);
    if (timestamp === packet.timestamp) return datagram;
    const start = end;
    end += datagram.length;
    const retimed = memory.subarray(start, end);
    retimed.set(datagram);
    retimed.writeUInt32BE(timestamp >>> 0, timestampOffset);
    return retimed;
  });
}
