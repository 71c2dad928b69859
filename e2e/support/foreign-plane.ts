// A control plane that shares no code with this product. It handles callbacks in SRS format and controls the media
// server by the HTTP API. Like consoles of earlier releases, it forwards signalling and streams of clients, and
// keeps the `Host` header of the client.
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { text } from 'node:stream/consumers';

interface SrsEvent {
  readonly action: string;
  readonly app: string;
  readonly stream: string;
  readonly param?: string;
  readonly ip?: string;
  readonly client_id?: string;
  readonly file?: string;
}

export interface ForeignPlane {
  readonly port: number;
  readonly events: readonly SrsEvent[];
  mediaServer: { readonly api: number; readonly http: number };
  /** Calls the HTTP API of the media server, with `GET` unless `method` is set. */
  // biome-ignore lint/suspicious/noExplicitAny: shapes of SRS
  callApi(path: string, method?: string): Promise<any>;
  close(): void;
}

export async function startForeignPlane(port: number, secret: string): Promise<ForeignPlane> {
  const events: SrsEvent[] = [];
  const plane = { mediaServer: { api: 0, http: 0 } };

  const judge = async (request: IncomingMessage, response: ServerResponse) => {
    const event = JSON.parse(await text(request)) as SrsEvent;
    events.push(event);
    const isRefused = event.action === 'on_publish' && !(event.param ?? '').includes(`secret=${secret}`);
    // Earlier releases refuse with plain text, not JSON.
    if (isRefused) response.writeHead(500, { 'Content-Type': 'text/plain' }).end('verify: no secret\n');
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"code":0,"data":null}');
  };

  const pass = (request: IncomingMessage, response: ServerResponse, toPort: number) => {
    const headers = { ...request.headers, 'x-forwarded-for': request.socket.remoteAddress ?? '' };
    const { method = 'GET', url: path = '/' } = request;
    const outgoing = httpRequest({ host: '127.0.0.1', port: toPort, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    request.pipe(outgoing);
  };

  const server: Server = createServer((request, response) => {
    const path = request.url ?? '/';
    if (path.startsWith('/terraform/v1/hooks/srs/')) judge(request, response).catch(() => response.destroy());
    else if (path.startsWith('/rtc/') || path === '/api/v1/versions') pass(request, response, plane.mediaServer.api);
    else if (/\.(?:flv|m3u8|ts)(?:\?|$)/.test(path)) pass(request, response, plane.mediaServer.http);
    else response.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>another control plane</title>');
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return Object.assign(plane, {
    port,
    events,
    callApi: async (path: string, method = 'GET') => {
      const answer = await fetch(`http://127.0.0.1:${plane.mediaServer.api}${path}`, { method });
      return answer.json();
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
}
