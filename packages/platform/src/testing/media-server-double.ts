// A media server for tests: an HTTP server with SRS's response formats and test data.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileHandoverHeader } from '@srs-stack/contract';

export interface MediaServerDouble {
  readonly port: number;
  streams: object[];
  clients: { id: string; [field: string]: unknown }[];
  /** Undefined means an unknown path, as on a real SRS. */
  refusals: object[] | undefined;
  /** Pulls reported by gateways. A real SRS has no such call. */
  pulls: object[];
  /** FLV files by stream id. A real SRS has no such call. */
  keyframes: Map<string, Buffer>;
  reloadCode: number;
  /** Responses to `reload-fetch` in order; the last response is repeated. Undefined means an unknown call. */
  reloads: object[] | undefined;
  /** `data` of the versions. Undefined means an unknown path. */
  versions: object | undefined;
  /** `data` of the summaries. Undefined echoes the request, for tests of the proxy. */
  summaries: object | undefined;
  /** Closes every connection without a response. */
  isAway: boolean;
  /** `METHOD path?query` of every request. */
  readonly requests: string[];
  close(): Promise<void>;
}

/** Minimum page size of SRS. */
const minimumPage = 10;

export async function startMediaServerDouble(port = 0): Promise<MediaServerDouble> {
  const server = createServer((request, response) => respond(double, request, response));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const double: MediaServerDouble = {
    port: (server.address() as AddressInfo).port,
    streams: [],
    clients: [],
    refusals: undefined,
    pulls: [],
    keyframes: new Map(),
    reloadCode: 0,
    reloads: undefined,
    versions: undefined,
    summaries: undefined,
    isAway: false,
    requests: [],
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return double;
}

function respond(double: MediaServerDouble, request: IncomingMessage, response: ServerResponse): void {
  double.requests.push(`${request.method} ${request.url}`);
  if (double.isAway) {
    request.socket.destroy();
    return;
  }
  // The control plane must not pass this header from a media server to the gateway.
  response.setHeader(fileHandoverHeader, '0-1 config%2F.env');
  const url = new URL(request.url ?? '/', 'http://media-server');
  const page = (rows: object[]) => {
    const start = Number(url.searchParams.get('start') ?? 0);
    const count = Math.max(minimumPage, Number(url.searchParams.get('count') ?? 0));
    return rows.slice(start, start + count);
  };
  const send = (fields: object, status = 200) => {
    response.writeHead(status, {
      'content-type': 'application/json',
      server: 'SRS/5',
      'access-control-allow-origin': '*',
    });
    response.end(JSON.stringify({ code: 0, server: 'vid-1', service: 's1', pid: '1', ...fields }));
  };
  const clientId = /^\/api\/v1\/clients\/(.+)$/.exec(url.pathname)?.[1];
  const keyframe = double.keyframes.get(/^\/api\/v1\/keyframes\/(.+)$/.exec(url.pathname)?.[1] ?? '');
  if (url.pathname === '/api/v1/streams/') send({ streams: page(double.streams) });
  else if (url.pathname === '/api/v1/pulls/') send({ pulls: double.pulls });
  else if (url.pathname === '/api/v1/clients/') send({ clients: page(double.clients) });
  else if (keyframe) send({ keyframe: { flv: keyframe.toString('base64') } });
  else if (clientId) sendClient(double, request.method ?? '', clientId, send);
  else if (url.pathname === '/api/v1/refusals/' && double.refusals) send({ refusals: double.refusals });
  else if (url.searchParams.get('rpc') === 'reload-fetch' && double.reloads)
    send({ data: double.reloads.length > 1 ? double.reloads.shift() : double.reloads[0] });
  else if (url.pathname === '/api/v1/raw') send({ code: double.reloadCode });
  else if (url.pathname === '/api/v1/versions' && double.versions) send({ data: double.versions });
  else if (url.pathname === '/api/v1/summaries')
    send({ data: double.summaries ?? { ok: true, path: request.url, xff: request.headers['x-forwarded-for'] } });
  else send({ code: 1057 }, 404);
}

function sendClient(double: MediaServerDouble, method: string, id: string, send: (fields: object) => void): void {
  const found = double.clients.find((client) => client.id === id);
  if (method === 'DELETE') double.clients = double.clients.filter((client) => client !== found);
  send(found ? { client: found } : { code: 2049 });
}

/** A published stream in SRS's format. */
export function srsStream(name: string, clientId: string, fields: object = {}): object {
  return {
    id: `vid-${name}`,
    name,
    vhost: 'vid-default',
    app: 'live',
    tcUrl: 'rtmp://127.0.0.1/live',
    url: `/live/${name}`,
    live_ms: 1_700_000_000_000,
    clients: 1,
    frames: 100,
    send_bytes: 1_000,
    recv_bytes: 2_000,
    kbps: { recv_30s: 500, send_30s: 0 },
    publish: { active: true, cid: clientId },
    video: { codec: 'H264', profile: 'High', level: '3.1', width: 1280, height: 720 },
    audio: { codec: 'AAC', sample_rate: 44_100, channel: 2, profile: 'LC' },
    ...fields,
  };
}
