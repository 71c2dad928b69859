// Writes packets with changed timestamps for a viewer that joins in the middle of a GOP. All packets share one reused buffer, because a
// thousand new viewers need a hundred thousand short-lived packets.
import type { SharedRtpPacket } from './shared-rtp-packet.ts';

/** Offset of the timestamp in the RTP header (RFC 3550 §5.1), bytes. */
const timestampOffset = 4;

let memory = Buffer.alloc(0);

/** Returns the packets as datagrams with this payload type and the timestamps of `timeOf`. Valid until the next call. */
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
