import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable, Writable } from 'node:stream';
import type { Logger } from '@srs-stack/process/logger.ts';
import { expect, test } from 'vitest';
import { createForwardedResolver } from '../http/forwarded.ts';
import { fileTransfers } from '../limits/front-limits.ts';
import { createFileSender } from './file-sender.ts';

const requestFrom = (remoteAddress: string) =>
  ({ socket: { remoteAddress }, headers: {} }) as unknown as IncomingMessage;

/** A response to a client. For each chunk, the response calls `take` with a callback that confirms the chunk. */
function responseOf(take: (done: () => void) => void): Writable & ServerResponse {
  const response = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => take(done) });
  return Object.assign(response, {
    req: {},
    headersSent: false,
    setHeader: () => undefined,
    getHeaderNames: () => [],
    writeHead(status: number) {
      Object.assign(response, { statusCode: status, headersSent: true });
    },
  }) as unknown as Writable & ServerResponse;
}

const logged: object[] = [];
const log = { error: (fields: object) => logged.push(fields) } as unknown as Pick<Logger, 'error'>;
const senderWith = (stallMs: number) =>
  createFileSender({ dataDir: '/nowhere', forwarded: createForwardedResolver([]), stallMs, log });
const pieces = (count: number) => Readable.from(Array.from({ length: count }, () => Buffer.alloc(10)));
const never = () => undefined;

test('a stalled reader is disconnected', async () => {
  const response = responseOf(never);
  const stream = pieces(100);
  await senderWith(20).sendStream(requestFrom('192.0.2.1'), response, stream);
  expect([response.destroyed, stream.destroyed]).toEqual([true, true]);
});

test('a slow reader gets the whole file', async () => {
  let taken = 0;
  const response = responseOf((done) => {
    taken += 1;
    setTimeout(done, 20);
  });
  await senderWith(200).sendStream(requestFrom('192.0.2.1'), response, pieces(30));
  expect(taken).toBe(30);
});

test('the file is closed when its reader disconnects', async () => {
  const response = responseOf(never);
  const stream = pieces(100);
  const sent = senderWith(10_000).sendStream(requestFrom('192.0.2.1'), response, stream);
  response.destroy();
  await sent;
  expect(stream.destroyed).toBe(true);
});

test('one address cannot use all places, and refused requests get a response and are closed', async () => {
  const sender = senderWith(60_000);
  const { mostPerAddress } = fileTransfers;
  const open = (address: string) => {
    const response = responseOf(never);
    const stream = pieces(100);
    return { response, stream, sent: sender.sendStream(requestFrom(address), response, stream) };
  };
  const all = Array.from({ length: mostPerAddress }, () => open('192.0.2.1'));
  const refused = open('192.0.2.1');
  await refused.sent;
  expect([refused.response.statusCode, refused.stream.destroyed]).toEqual([503, true]);
  const other = open('192.0.2.2');
  expect(other.response.headersSent).toBe(false);
  for (const { response, sent } of [...all, other]) {
    response.destroy();
    await sent;
  }
  const again = open('192.0.2.1');
  expect(again.response.headersSent).toBe(false);
  again.response.destroy();
  await again.sent;
});

function failingFile(code: string) {
  const open = (_path: string, _flags: unknown, _mode: unknown, done: (error: Error) => void) =>
    setImmediate(done, Object.assign(new Error(code), { code }));
  return createReadStream('/any', { fs: { open, read: never, close: never } as unknown as typeof import('node:fs') });
}

test.each([
  ['EMFILE', 503, 1],
  ['ENOENT', 404, 0],
])('a file that cannot be opened (%s) gives %i', async (code, status, lines) => {
  logged.length = 0;
  const response = responseOf(never);
  await senderWith(60_000).sendStream(requestFrom('192.0.2.1'), response, failingFile(code));
  expect([response.statusCode, logged.length]).toEqual([status, lines]);
});

test('no response is sent for a file that cannot be opened after its reader has disconnected', async () => {
  const response = responseOf(never);
  const sent = senderWith(60_000).sendStream(requestFrom('192.0.2.1'), response, failingFile('EMFILE'));
  response.destroy();
  await sent;
  expect(response.headersSent).toBe(false);
});
