// Parses the Transport header (RFC 2326 §12.39), in which a client lists alternatives for one track.

export interface InterleavedTransport {
  readonly kind: 'tcp';
  /** Requested channel of RTP; RTCP uses the next channel. Undefined when the server may choose. */
  readonly channel: number | undefined;
}

export interface UdpTransport {
  readonly kind: 'udp';
  readonly rtpPort: number;
  readonly rtcpPort: number;
  /** Address to send to; undefined for the address of the connection. */
  readonly destination: string | undefined;
}

export type RtspTransport = InterleavedTransport | UdpTransport;

/** Maximum number of parsed alternatives per header. */
const maxSpecifications = 8;

/** Returns the supported transports in the client's order. Skips multicast and unknown profiles. */
export function parseTransports(header: string): RtspTransport[] {
  const specifications = header.split(',').slice(0, maxSpecifications);
  return specifications.map(parseSpecification).filter((transport) => transport !== undefined);
}

function parseSpecification(text: string): RtspTransport | undefined {
  const [profile = '', ...fields] = text.split(';').map((field) => field.trim());
  const options = new Map(fields.map((field) => splitField(field)));
  if (options.has('multicast')) return undefined;
  if (/^RTP\/AVPF?\/TCP$/i.test(profile)) return { kind: 'tcp', channel: pairOf(options.get('interleaved'), 255)?.[0] };
  if (!/^RTP\/AVPF?(\/UDP)?$/i.test(profile)) return undefined;
  const ports = pairOf(options.get('client_port'), 65_535);
  if (!ports || ports[0] === 0) return undefined;
  return { kind: 'udp', rtpPort: ports[0], rtcpPort: ports[1], destination: options.get('destination') };
}

function splitField(field: string): [string, string] {
  const at = field.indexOf('=');
  return at < 0 ? [field.toLowerCase(), ''] : [field.slice(0, at).trim().toLowerCase(), field.slice(at + 1).trim()];
}

function pairOf(text: string | undefined, max: number): [number, number] | undefined {
  const match = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text ?? '');
  if (!match) return undefined;
  const first = Number(match[1]);
  const second = match[2] === undefined ? first + 1 : Number(match[2]);
  return first <= max && second <= max ? [first, second] : undefined;
}
