// What an SDP offer (RFC 8866, RFC 8829) says about audio and video: sections, payload types, codecs. The transport lines
// are the business of the WebRTC library.
import { ProtocolError } from '../../protocol-error.ts';

type SdpDirection = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

export interface SdpPayload {
  readonly payloadType: number;
  /** Upper case, e.g. `H264`, `OPUS`. */
  readonly codec: string;
  readonly clockRate: number;
  readonly channels: number;
  /** Value of `a=fmtp`, '' when absent. */
  readonly format: string;
}

export interface SdpSection {
  readonly kind: 'audio' | 'video' | 'other';
  readonly mid: string;
  readonly direction: SdpDirection;
  readonly payloads: readonly SdpPayload[];
  readonly hasRtcpMux: boolean;
}

export interface SdpOffer {
  readonly sections: readonly SdpSection[];
  readonly isBundled: boolean;
}

/** Longest offer, bytes: browsers with every codec stay below 10 KB. */
export const maxOfferBytes = 64 * 1024;
/** Media sections of an offer; publishers and players send two. */
const maxSections = 16;

/** Parses an offer; line ends may be CRLF or LF. Throws ProtocolError when it is none. */
export function parseSdpOffer(text: string): SdpOffer {
  if (text.length > maxOfferBytes) throw new ProtocolError('sdp', 'offer is too long', maxOfferBytes);
  const lines = text.split(/\r?\n/);
  if (lines[0] !== 'v=0') throw new ProtocolError('sdp', 'offer does not begin with v=0', 0);
  const starts = lines.flatMap((line, index) => (line.startsWith('m=') ? [index] : []));
  if (starts.length === 0) throw new ProtocolError('sdp', 'offer without media');
  if (starts.length > maxSections) throw new ProtocolError('sdp', 'offer with too many media sections');
  const head = lines.slice(0, starts[0]);
  return {
    sections: starts.map((start, index) => parseSection(lines.slice(start, starts[index + 1]), head)),
    isBundled: head.some((line) => line.startsWith('a=group:BUNDLE')),
  };
}

function parseSection(lines: readonly string[], head: readonly string[]): SdpSection {
  const [media = '', , , ...types] = lines[0]!.slice(2).trim().split(/\s+/);
  const values = (name: string) =>
    lines.flatMap((line) => (line.startsWith(`a=${name}:`) ? [line.slice(name.length + 3)] : []));
  const formats = byPayloadType(values('fmtp'));
  const maps = byPayloadType(values('rtpmap'));
  const payloads = types.flatMap((type) => {
    const map = maps.get(type);
    return map === undefined ? [] : [toPayload(type, map, formats.get(type) ?? '')];
  });
  return {
    kind: media === 'audio' || media === 'video' ? media : 'other',
    mid: values('mid')[0]?.trim() ?? '',
    direction: directionOf(lines) ?? directionOf(head) ?? 'sendrecv',
    payloads,
    hasRtcpMux: lines.includes('a=rtcp-mux'),
  };
}

/** `96 H264/90000` → `96` and the rest. */
function byPayloadType(values: readonly string[]): Map<string, string> {
  return new Map(
    values.map((value): [string, string] => {
      const space = value.indexOf(' ');
      return space < 0 ? [value, ''] : [value.slice(0, space), value.slice(space + 1).trim()];
    }),
  );
}

function toPayload(type: string, map: string, format: string): SdpPayload {
  const [codec = '', clockRate, channels] = map.split('/');
  return {
    payloadType: Number(type),
    codec: codec.toUpperCase(),
    clockRate: Number(clockRate) || 0,
    channels: Number(channels) || 1,
    format,
  };
}

function directionOf(lines: readonly string[]): SdpDirection | undefined {
  const directions: readonly SdpDirection[] = ['sendrecv', 'sendonly', 'recvonly', 'inactive'];
  return directions.find((direction) => lines.includes(`a=${direction}`));
}
