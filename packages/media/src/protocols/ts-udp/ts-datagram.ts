// Datagrams with MPEG-TS: bare transport packets, or transport packets inside RTP (RFC 2250 §2).
import { tsPacketSize, tsSyncByte } from '../../containers/mpegts/ts-packet.ts';
import { ProtocolError } from '../../protocol-error.ts';
import { parseRtpPacket, type RtpPacket } from '../rtp/rtp-packet.ts';

export type TsDatagram =
  | { readonly kind: 'plain'; readonly payload: Buffer }
  | { readonly kind: 'rtp'; readonly packet: RtpPacket };

/**
 * Parses a bare or RTP datagram. The first byte shows the form, so `udp://` and `rtp://` addresses accept both forms. Returns undefined for
 * other datagrams. The payload is a view.
 */
export function parseTsDatagram(datagram: Buffer): TsDatagram | undefined {
  if (isTransport(datagram)) return { kind: 'plain', payload: datagram };
  try {
    const packet = parseRtpPacket(datagram);
    return isTransport(packet.payload) ? { kind: 'rtp', packet } : undefined;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return undefined;
  }
}

function isTransport(bytes: Buffer): boolean {
  if (bytes.length < tsPacketSize || bytes[0] !== tsSyncByte) return false;
  return bytes.length < tsPacketSize * 2 || bytes[tsPacketSize] === tsSyncByte;
}
