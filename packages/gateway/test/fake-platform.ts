// A minimal control plane on a real Unix socket. The test defines the responses.

import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';

type TestResponse = (...exchange: Parameters<RequestListener>) => unknown;

export interface FakePlatform {
  answer: TestResponse;
  readonly server: Server;
  close(): Promise<void>;
}

export async function startFakePlatform(socketPath: string, answer?: TestResponse): Promise<FakePlatform> {
  const sockets = new Set<Socket>();
  const platform: FakePlatform = {
    answer: answer ?? ((_request, response) => response.end('{"code":0}')),
    server: createServer(async (request, response) => {
      // A response fails when the test aborts its request.
      await Promise.resolve(platform.answer(request, response)).catch(() => undefined);
    }),
    close: async () => {
      if (!platform.server.listening) return;
      platform.server.close();
      // The HTTP server no longer tracks upgraded connections.
      for (const socket of sockets) socket.destroy();
      await once(platform.server, 'close');
    },
  };
  platform.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  platform.server.listen(socketPath);
  await once(platform.server, 'listening');
  return platform;
}

/** Reads the whole body before the response, as the control plane does for credentials in the body. */
export const answerWhole: TestResponse = async (incoming, response) => {
  await bodyText(incoming);
  response.end('{"code":0}');
};

export async function bodyText(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
