// Clients without a token that send a form over real sockets. They hold a connection only for a limited time and do not block each other.
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { AppError } from '@srs-stack/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFormTokens, type FormTokens } from './form-token.ts';

const startMs = 300;
const head = 'POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n';
const form =
  '--b\r\nContent-Disposition: form-data; name="token"\r\n\r\nabc\r\n--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nDATA';
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

let tokens: FormTokens;
let server: Server;
const sockets = new Set<Socket>();
beforeEach(async () => {
  tokens = createFormTokens({ startMs });
  server = createServer((request, response) => {
    tokens.read(request, 'b').then(
      async (token) => response.end(`${token}:${await textOf(request)}`),
      (error: unknown) => {
        const { errorName, definition } = error as AppError;
        response.writeHead(error instanceof AppError ? definition.httpStatus : 500, { connection: 'close' });
        response.end(errorName);
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.closeAllConnections();
  server.close();
});

function open(text: string): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  sockets.add(socket);
  socket.setNoDelay(true).write(text);
  return socket;
}
const responseOf = async (socket: Socket) => {
  const received = await textOf(socket);
  return /^[a-z]\w+$/im.exec(received)?.[0] ?? received;
};
const lastRequest = head.replace('chunked', 'chunked\r\nConnection: close');
const ask = (body: string) => textOf(open(lastRequest + chunk(body) + chunk('')));

describe('the token of a form', () => {
  it('is found, and the whole body can still be read', async () => {
    expect(await ask(form)).toContain(`abc:${form}`);
    expect(tokens.waiting()).toBe(0);
  });

  it('that is missing times out even if bytes trickle in', async () => {
    const silent = open(head);
    const dripping = open(head + chunk('--b\r\n'));
    const drip = setInterval(() => dripping.write(chunk('x')), 30);
    expect(await Promise.all([responseOf(silent), responseOf(dripping)])).toEqual(['bodyTooSlow', 'bodyTooSlow']);
    clearInterval(drip);
    expect(tokens.waiting()).toBe(0);
  });

  it.each([
    ['8 KiB at once', [`--b\r\nx: ${'x'.repeat(9_000)}`]],
    ['many small pieces', Array.from({ length: 80 }, (_, n) => (n === 0 ? '--b\r\n' : 'x'))],
    ['a file first', ['--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n']],
  ])('is rejected after %s', async (_name, pieces) => {
    const socket = open(head);
    const received = responseOf(socket);
    for (const piece of pieces) socket.write(chunk(piece));
    expect(await received).toBe('tokenInvalid');
    expect(tokens.waiting()).toBe(0);
  });

  it('of a valid client is read immediately however many other clients withhold theirs', async () => {
    const strangers = Array.from({ length: 40 }, () => open(head + chunk('--b\r\n')));
    await vi.waitUntil(() => tokens.waiting() === 8);
    const others = Promise.all(strangers.map(responseOf));
    expect(await ask(form)).toContain('DATA');
    const responses = await others;
    expect(responses.filter((each) => each === 'serverBusy').length).toBeGreaterThanOrEqual(32);
    expect(responses.filter((each) => each !== 'serverBusy' && each !== 'bodyTooSlow')).toEqual([]);
    expect(tokens.waiting()).toBe(0);
  });

  it('of a form that ends at any byte leaves no pending promise', async () => {
    const text = head + chunk(form);
    for (let length = head.length; length < text.length; length += 1) {
      const socket = open(text.slice(0, length));
      await vi.waitUntil(() => tokens.waiting() > 0 || length > head.length + 70, { interval: 1 });
      socket.destroy();
    }
    await vi.waitUntil(() => tokens.waiting() === 0);
    expect(await ask(form)).toContain('DATA');
  });
});
