// `/healthz` and `/readyz` of the public server over real sockets. The gateway reports only its own health. The control plane reports all
// other reasons.
import { expect, test } from 'vitest';
import { startFixture } from './gateway-fixture.ts';

const ask = async (http: number, path: string, method = 'GET') => {
  const response = await fetch(`http://127.0.0.1:${http}${path}`, { method });
  const text = await response.text();
  return { status: response.status, cache: response.headers.get('cache-control'), body: text && JSON.parse(text) };
};

test('is healthy without the control plane, and not ready', async () => {
  const { http, platform } = await startFixture();
  await platform.close();
  expect(await ask(http, '/healthz')).toEqual({ status: 200, cache: 'no-store', body: { status: 'ok' } });
  expect(await ask(http, '/healthz', 'HEAD')).toMatchObject({ status: 200, body: '' });
  expect(await ask(http, '/readyz')).toMatchObject({
    status: 503,
    cache: 'no-store',
    body: { status: 'not-ready', reason: 'controlPlaneAway' },
  });
});

test("forwards the control plane's result, and queries it once for concurrent requests", async () => {
  const { http, platform } = await startFixture();
  let queryCount = 0;
  let finish = () => {};
  platform.answer = (request, response) => {
    expect(request.url).toBe('/readyz');
    queryCount += 1;
    finish = () => response.writeHead(503).end('{"status":"not-ready","reason":"draining","message":"m"}');
  };
  const responses = Array.from({ length: 20 }, () => ask(http, '/readyz'));
  await expect.poll(() => queryCount).toBe(1);
  // The response to this later request shows that all twenty requests wait for the query.
  await ask(http, '/healthz');
  finish();
  for (const answer of await Promise.all(responses))
    expect(answer).toMatchObject({ status: 503, body: { reason: 'draining' } });
  platform.answer = (_request, response) => response.end('{"status":"ready"}');
  expect(await ask(http, '/readyz', 'HEAD')).toMatchObject({ status: 200 });
  expect(await ask(http, '/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } });
});

test.each([
  ['no JSON', 200, '<html>'],
  ['a failure', 500, '{"code":1}'],
])('is not ready when the control plane responds %s', async (_what, status, body) => {
  const { http, platform } = await startFixture();
  platform.answer = (_request, response) => response.writeHead(status).end(body);
  expect(await ask(http, '/readyz')).toMatchObject({ status: 503, body: { reason: 'controlPlaneAway' } });
});
