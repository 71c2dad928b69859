// Which transport of a SETUP request a track gets: the first one that can be served.
import { parseTransports, type RtspTransport } from '@srs-stack/media/protocols/rtsp/transport-header.ts';

export interface TransportTerms {
  readonly hasDatagrams: boolean;
  /** Of the session's tracks before this one: all of them have the same kind. */
  readonly kind: RtspTransport['kind'] | undefined;
  /** Address of the client. */
  readonly ip: string;
}

/** A text says why there is none. Media is never sent to another address than the client's own: it would make floods for others. */
export function chooseTransport(header: string, { hasDatagrams, kind, ip }: TransportTerms): RtspTransport | string {
  const usable = parseTransports(header).filter(
    (transport) => (kind ?? transport.kind) === transport.kind && (transport.kind === 'tcp' || hasDatagrams),
  );
  const own = usable.find((transport) => transport.kind === 'tcp' || ['', ip].includes(transport.destination ?? ''));
  if (own) return own;
  if (usable.length > 0) return 'media is sent to the address of the request alone: leave out destination';
  const kinds = hasDatagrams ? 'RTP/AVP/TCP, or RTP/AVP with client_port' : 'RTP/AVP/TCP';
  return `use ${kinds}, the same transport for all tracks`;
}
