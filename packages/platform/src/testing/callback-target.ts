// A callback target for tests: an HTTP or HTTPS server that records requests and sends configurable responses.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every callback
  readonly body: any;
}

export type CallbackReply = (response: ServerResponse, received: Received) => void;

export interface CallbackTarget {
  readonly url: string;
  readonly received: Received[];
  /** The next responses; initially `0`. */
  reply: CallbackReply;
  next(action: string): Promise<Received>;
  close(): Promise<void>;
}

/** Responds with a status and a text. */
export const replyWith =
  (status: number, text: string, headers: Record<string, string> = {}): CallbackReply =>
  (response) =>
    response.writeHead(status, headers).end(text);

/** Never responds. */
export const replyNever: CallbackReply = () => {};

export async function startCallbackTarget(tls?: { key: string; cert: string }): Promise<CallbackTarget> {
  const waiting = new Set<{ action: string; resolve: (received: Received) => void }>();
  const onRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    const received = { path: request.url ?? '', headers: request.headers, body } as Received;
    target.received.push(received);
    for (const each of waiting) {
      if (each.action !== received.body.action) continue;
      waiting.delete(each);
      each.resolve(received);
    }
    target.reply(response, received);
  };
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    onRequest(request, response).catch(() => response.destroy());
  };
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const target: CallbackTarget = {
    url: `http${tls ? 's' : ''}://127.0.0.1:${port}/events`,
    received: [],
    reply: replyWith(200, '0'),
    next: (action) => new Promise((resolve) => waiting.add({ action, resolve })),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return target;
}
