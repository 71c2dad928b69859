// Parses audio and video of an SDP offer (RFC 8866, RFC 8829): sections, payload types, codecs. `parseOfferTransport`
// reads the transport lines.
import { attributeValues, midOf, splitSdp } from './sdp-lines.ts';

type SdpDirection = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

export interface SdpPayload {
  readonly payloadType: number;
  /** Upper case, e.g. `H264`, `OPUS`. */
  readonly codec: string;
  readonly clockRate: number;
  readonly channels: number;
  /** Value of `a=fmtp`; '' for none. */
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

/** Parses an offer with CRLF or LF line ends. Throws ProtocolError for an invalid offer. */
export function parseSdpOffer(text: string): SdpOffer {
  const { head, sections } = splitSdp(text);
  return {
    sections: sections.map((lines) => parseSection(lines, head)),
    isBundled: head.some((line) => line.startsWith('a=group:BUNDLE')),
  };
}

/** Whether the offer has several sources of one track: simulcast layers (RFC 8853 §5.1), or the SSRC group of older encoders. */
export function offersSimulcast(text: string): boolean {
  return /^a=(simulcast:|rid:\S+ send\b|ssrc-group:SIM\b)/im.test(text);
}

function parseSection(lines: readonly string[], head: readonly string[]): SdpSection {
  const [media = '', , , ...types] = lines[0]!.slice(2).trim().split(/\s+/);
  const formats = byPayloadType(attributeValues(lines, 'fmtp'));
  const maps = byPayloadType(attributeValues(lines, 'rtpmap'));
  const payloads = types.flatMap((type) => {
    const map = maps.get(type);
    return map === undefined ? [] : [toPayload(type, map, formats.get(type) ?? '')];
  });
  return {
    kind: media === 'audio' || media === 'video' ? media : 'other',
    mid: midOf(lines),
    direction: directionOf(lines) ?? directionOf(head) ?? 'sendrecv',
    payloads,
    hasRtcpMux: lines.includes('a=rtcp-mux'),
  };
}

/** `96 H264/90000` becomes the entry `96` → `H264/90000`. */
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
