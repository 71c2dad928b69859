// A minimal proxy over keep-alive connections: reads the request body, forwards the call, and writes the response at once.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Pool } from 'undici';

export function passOn(pool: Pool, request: IncomingMessage, response: ServerResponse): void {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => ask(pool, request, response, Buffer.concat(parts)));
}

function ask(pool: Pool, request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
  const parts: Buffer[] = [];
  pool.dispatch(
    { method: 'POST', path: request.url ?? '/', headers, body },
    {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, status, answered) => {
        const { connection: _ours, 'keep-alive': _kept, date: _date, ...rest } = answered;
        response.writeHead(status, rest);
      },
      onResponseData: (_controller, part) => {
        parts.push(part);
      },
      onResponseEnd: () => {
        response.end(Buffer.concat(parts));
      },
      onResponseError: () => {
        response.destroy();
      },
    },
  );
}
