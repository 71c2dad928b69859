// Streams that the gateways of this machine pull from cameras and other servers. The control plane writes `config/pulls.json`. Gateways
// continue with this file while the control plane is down, even after a restart of the gateway. Parsed without schemas, because a gateway
// loads no schema library.

/** File in the folder `config/` of the data folder. Only its owner may read it, because it contains passwords. */
export const pullOrdersFile = 'pulls.json';

export interface PullOrder {
  readonly id: string;
  /** Vhost, app and stream under which the stream is published here. */
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  /** Query with its `?` that authorizes publishing; '' without a credential. */
  readonly param: string;
  /** Source over RTSP, SRT, HLS, or MPEG-TS in UDP. May contain user and password. */
  readonly url: string;
  /** Accepts any certificate of the source, because cameras have self-signed certificates. */
  readonly acceptsAnyCertificate: boolean;
  /** Transport of RTSP media: over the RTSP connection, or UDP. RTSPS always uses `tcp`. */
  readonly transport: 'tcp' | 'udp';
  readonly onDemand: boolean;
}

const texts = ['id', 'vhost', 'app', 'stream', 'param', 'url'] as const;

/** Parses orders. @throws for an invalid text. */
export function parsePullOrders(text: string): PullOrder[] {
  const { pulls } = JSON.parse(text) as { pulls?: unknown };
  if (!Array.isArray(pulls)) throw new Error('`pulls` is not an array');
  return pulls.map(toOrder);
}

export function writePullOrders(pulls: readonly PullOrder[]): string {
  return `${JSON.stringify({ pulls })}\n`;
}

function toOrder(entry: unknown): PullOrder {
  const order = (entry ?? {}) as PullOrder;
  const isWhole = texts.every((name) => typeof order[name] === 'string');
  if (!isWhole || typeof order.acceptsAnyCertificate !== 'boolean')
    throw new Error(`an entry of \`pulls\` lacks acceptsAnyCertificate or one of the strings ${texts.join(', ')}`);
  const { id, vhost, app, stream, param, url, acceptsAnyCertificate } = order;
  // Defaults for files of earlier releases, which supported only TCP and always pulled.
  const transport = order.transport === 'udp' ? 'udp' : 'tcp';
  const onDemand = order.onDemand === true;
  return { id, vhost, app, stream, param, url, acceptsAnyCertificate, transport, onDemand };
}
