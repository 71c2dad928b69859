import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { sendFailure, writeOpenHead } from './http-responses.ts';

async function fetchOf(respond: (request: IncomingMessage, response: ServerResponse) => void): Promise<Response> {
  const server = createServer(respond).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

test('any page may read a response by default', async () => {
  const { headers } = await fetchOf((_request, response) => writeOpenHead(response, 200, ['Content-Length', 0]).end());
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('access-control-allow-credentials')).toBe('true');
});

test('headers of the front replace the default ones, once, in addition to earlier ones', async () => {
  const { status, headers } = await fetchOf((request, response) => {
    Object.assign(request, { responseHeaders: ['Access-Control-Allow-Origin', 'https://a.example', 'Server', 'a'] });
    response.setHeader('Retry-After', '2');
    sendFailure(response, { status: 503, name: 'limit-reached', message: 'too many' });
  });
  expect(status).toBe(503);
  expect(Object.fromEntries(headers)).toMatchObject({
    'access-control-allow-origin': 'https://a.example',
    'cache-control': 'no-store',
    'content-type': 'application/json',
    'retry-after': '2',
    server: 'a',
  });
  expect(headers.has('access-control-allow-credentials')).toBe(false);
});
