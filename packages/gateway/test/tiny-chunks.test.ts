// Chunked request bodies: after a limited number of tiny chunks, the connection is closed.
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpServer } from '../src/front/server/public-server.ts';
import { chunksPerJudgement, minAverageChunkBytes } from '../src/front/server/tiny-chunks.ts';

const head = 'POST /call HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n';
const chunk = (bytes: number): string => `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`;
const body = (count: number, bytes: number): string => `${chunk(bytes).repeat(count)}0\r\n\r\n`;
/** Number of one-byte chunks in one read of a socket. */
const full = Math.floor((64 * 1024) / chunk(1).length);

/** Sends `text`. When the connection is closed, resolves with the number of received chunks and the response. */
async function send(text: string): Promise<{ chunks: number; complete: number; answers: string }> {
  const read = { chunks: 0, complete: 0, answers: '' };
  const server = createHttpServer(
    {
      onRequest: (request, response) => {
        request.on('error', () => undefined);
        request.on('data', () => read.chunks++);
        request.on('end', () => {
          read.complete++;
          response.end('done');
        });
      },
      onUpgrade: (_request, socket) => socket.destroy(),
    },
    () => false,
  );
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  socket.on('data', (data) => {
    read.answers += String(data);
  });
  socket.write(text);
  await new Promise((resolve) => socket.once('close', resolve));
  return read;
}

const last = 'GET /last HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';

test('reads a bounded number of one-byte chunks, then closes the connection', async () => {
  const { chunks, complete } = await send(head + body(full, 1));
  expect(chunks).toBeLessThan(chunksPerJudgement);
  expect(complete).toBe(0);
});

test('chunks of all requests of a connection count', async () => {
  const half = chunksPerJudgement / 2;
  expect((await send((head + body(half, 1)).repeat(3) + last)).answers.match(/done/g)?.length ?? 0).toBeLessThan(3);
});

test('reads fewer tiny chunks to their end', async () => {
  const { chunks, complete } = await send(head + body(chunksPerJudgement - 1, 1) + last);
  expect({ chunks, complete }).toEqual({ chunks: chunksPerJudgement - 1, complete: 2 });
});

test('reads any number of larger chunks to its end', async () => {
  const count = chunksPerJudgement * 3;
  const { chunks, complete } = await send(head + body(count, minAverageChunkBytes) + last);
  expect({ chunks, complete }).toEqual({ chunks: count, complete: 2 });
});
