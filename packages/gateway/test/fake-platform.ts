// A control plane of a few lines on a real Unix socket; the test says how it answers.

import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';

type Answer = (...exchange: Parameters<RequestListener>) => unknown;

export interface FakePlatform {
  answer: Answer;
  readonly server: Server;
  close(): Promise<void>;
}

export async function startFakePlatform(socketPath: string, answer?: Answer): Promise<FakePlatform> {
  const sockets = new Set<Socket>();
  const platform: FakePlatform = {
    answer: answer ?? ((_request, response) => response.end('{"code":0}')),
    server: createServer(async (request, response) => {
      // A request that is cut off is part of some tests.
      await Promise.resolve(platform.answer(request, response)).catch(() => undefined);
    }),
    close: async () => {
      if (!platform.server.listening) return;
      platform.server.close();
      // Of upgraded ones the server knows nothing.
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

/** Answers every call, after its whole body, as the control plane does for those whose credential is in the body. */
export const answerWhole: Answer = async (incoming, response) => {
  await bodyText(incoming);
  response.end('{"code":0}');
};

/** Whole body of a request as text. */
export async function bodyText(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
