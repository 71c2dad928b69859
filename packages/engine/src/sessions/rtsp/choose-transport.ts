// Selects the transport of a track for a SETUP request: the client's first choice that the server supports.
import { parseTransports, type RtspTransport } from '@srs-stack/media/protocols/rtsp/transport-header.ts';

export interface TransportTerms {
  readonly hasDatagrams: boolean;
  /** Kind of transport of the earlier tracks; all tracks of a session must use one kind. Undefined for the first track. */
  readonly kind: RtspTransport['kind'] | undefined;
  readonly ip: string;
}

/**
 * Returns an error message when no transport is possible. Media is sent only to the client's own address, so that clients cannot direct
 * floods at other hosts.
 */
export function chooseTransport(header: string, { hasDatagrams, kind, ip }: TransportTerms): RtspTransport | string {
  const usable = parseTransports(header).filter(
    (transport) => (kind ?? transport.kind) === transport.kind && (transport.kind === 'tcp' || hasDatagrams),
  );
  const own = usable.find((transport) => transport.kind === 'tcp' || ['', ip].includes(transport.destination ?? ''));
  if (own) return own;
  if (usable.length > 0) return 'media is sent only to the address of the client: omit the parameter destination';
  const kinds = hasDatagrams ? 'RTP/AVP/TCP, or RTP/AVP with client_port' : 'RTP/AVP/TCP';
  return `unsupported transport: use ${kinds}, the same for all tracks`;
}
