// Calls that the control plane answers from memory use one keep-alive connection. After any failure, they are sent as normal calls.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  parseQuickLine,
  parseQuickQuestion,
  QuickLines,
  quickCallsPath,
  quickCallsProtocol,
  writeQuickResponse,
} from '@srs-stack/contract/quick-calls.ts';
import { expect, test, vi } from 'vitest';
import { quickRetryMs } from '../src/front/limits/front-limits.ts';
import { bodyText, type FakePlatform, startFakePlatform } from './fake-platform.ts';
import { type Fixture, startFixture } from './gateway-fixture.ts';
import { ask, type TestRequest } from './http-exchange.ts';

const path = '/terraform/v1/mgmt/status';
const authorization = 'Bearer a.b.c';
const quickly = '{"code":0,"server":1,"data":"quick é"}';
const inFull = '{"code":0,"server":1,"data":"in full"}';

interface Line {
  readonly socket: Duplex;
  readonly received: string[];
}

/** Response of the control plane: undefined requires a normal call, null means no response. */
type TestResponse = (bearer: string) => string | undefined | null;

function takeQuickCalls(platform: FakePlatform, answer: TestResponse = () => quickly): Line[] {
  const lines: Line[] = [];
  platform.server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    expect(request.url).toBe(quickCallsPath);
    expect(request.headers['x-callback-secret']).toBe('between-processes');
    const line: Line = { socket, received: [] };
    lines.push(line);
    const cut = new QuickLines();
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${quickCallsProtocol}\r\n\r\n`);
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      for (const each of cut.push(bytes) ?? []) {
        const { number, rest } = parseQuickLine(each);
        const { bearer = '' } = parseQuickQuestion(rest) ?? {};
        line.received.push(bearer);
        const json = answer(bearer);
        if (json !== null) socket.write(writeQuickResponse(number, json));
      }
    });
  });
  platform.answer = async (request, response) => {
    await bodyText(request);
    response.setHeader('content-type', 'application/json; charset=utf-8').setHeader('cache-control', 'no-store');
    response.end(inFull);
  };
  return lines;
}

/** Repeats calls until a call uses the connection, which the first call opens. */
async function untilQuick({ http }: Fixture, lines: Line[]): Promise<Line> {
  await vi.waitFor(async () => {
    await ask({ port: http, path, headers: { authorization } });
    expect(lines.at(-1)?.received.length).toBeGreaterThan(0);
  });
  return lines.at(-1) as Line;
}

test('a quick call has the same response and headers as a normal call', async () => {
  const fixture = await startFixture();
  const { http, platform } = fixture;
  const lines = takeQuickCalls(platform);
  const first = await ask({ port: http, path, headers: { authorization } });
  expect(first.body).toBe(inFull);
  await untilQuick(fixture, lines);
  for (const body of ['', '{}']) {
    const answer = await ask({ port: http, path, method: 'POST', headers: { authorization }, body });
    expect(answer).toMatchObject({ status: 200, body: quickly });
    const names = (from: typeof answer) => Object.keys(from.headers).toSorted();
    expect(names(answer)).toEqual(names({ ...first, headers: { ...first.headers, 'content-length': '1' } }));
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'content-length': String(Buffer.byteLength(quickly)),
    });
  }
});

test('concurrent calls each get their own response', async () => {
  const fixture = await startFixture();
  const lines = takeQuickCalls(fixture.platform, (bearer) => `"${bearer}"`);
  await untilQuick(fixture, lines);
  const bearers = Array.from({ length: 40 }, (_, index) => `b${index}`);
  const asks = bearers.map((each) => ask({ port: fixture.http, path, headers: { authorization: `bearer ${each}` } }));
  const responses = await Promise.all(asks);
  expect(responses.map(({ body }) => body)).toEqual(bearers.map((each) => `"${each}"`));
  expect(fixture.gateway.load()).toMatchObject({ running: 0, waiting: 0 });
});

test('calls that the control plane refuses are sent as normal calls, with their body', async () => {
  const fixture = await startFixture();
  const lines = takeQuickCalls(fixture.platform, (bearer) => (bearer === 'wrong' ? undefined : quickly));
  await untilQuick(fixture, lines);
  fixture.platform.answer = async (request, response) => {
    response.writeHead(401).end(`${request.headers.authorization} ${await bodyText(request)}`);
  };
  const headers = { authorization: 'Bearer wrong' };
  const answer = await ask({ port: fixture.http, path, method: 'POST', headers, body: '{}' });
  expect(answer).toMatchObject({ status: 401, body: 'Bearer wrong {}' });
});

test('a call with more than its credential is sent as a normal call', async () => {
  const fixture = await startFixture();
  const lines = takeQuickCalls(fixture.platform);
  const { received } = await untilQuick(fixture, lines);
  const before = received.length;
  const headers = { authorization };
  const others: Partial<TestRequest>[] = [
    { headers: {} },
    { headers, path: `${path}?callback=f` },
    { headers, path: '/terraform/v1/mgmt/versions' },
    { headers, method: 'PUT' },
    { headers, method: 'POST', body: '{"token":"x"}' },
    { headers, method: 'POST', body: '[]' },
    { headers: { authorization: 'Basic x' } },
    { headers: { authorization: `Bearer ${'x'.repeat(1_025)}` } },
  ];
  for (const other of others) {
    expect((await ask({ port: fixture.http, path, ...other })).body, JSON.stringify(other)).toBe(inFull);
  }
  expect(received.length).toBe(before);
});

test('when the control plane ends, open requests are sent as normal calls; when it is back, calls are quick again', async () => {
  const fixture = await startFixture();
  const { http, platform, env } = fixture;
  let isSilent = false;
  const lines = takeQuickCalls(platform, () => (isSilent ? null : quickly));
  const { socket, received } = await untilQuick(fixture, lines);
  isSilent = true;
  const before = received.length;
  const asks = [1, 2, 3].map(() => ask({ port: http, path, headers: { authorization } }));
  await vi.waitFor(() => expect(received.length).toBe(before + 3));
  socket.destroy();
  for (const answer of await Promise.all(asks)) expect(answer.body).toBe(inFull);

  await platform.close();
  expect((await ask({ port: http, path, headers: { authorization } })).status).toBe(502);
  const again = await startFakePlatform((env.platform as { socketPath: string }).socketPath);
  try {
    const newLines = takeQuickCalls(again, (bearer) => `"${bearer} again"`);
    await untilQuick(fixture, newLines);
    expect((await ask({ port: http, path, headers: { authorization } })).body).toBe('"a.b.c again"');
  } finally {
    for (const line of lines) line.socket.destroy();
    await fixture.gateway.close();
    await again.close();
  }
});

test('requests whose clients disconnect while they wait leave no resources in use', async () => {
  const fixture = await startFixture();
  const { http, platform, gateway } = fixture;
  let isSilent = false;
  const lines = takeQuickCalls(platform, () => (isSilent ? null : quickly));
  const { socket, received } = await untilQuick(fixture, lines);
  isSilent = true;
  const before = received.length;
  const leaving = new AbortController();
  const asks = [1, 2, 3].map(() => ask({ port: http, path, headers: { authorization }, signal: leaving.signal }));
  await vi.waitFor(() => expect(received.length).toBe(before + 3));
  leaving.abort();
  await Promise.allSettled(asks);
  socket.destroy();
  await vi.waitFor(() => expect(gateway.load()).toMatchObject({ running: 0, waiting: 0, bodyBytes: 0 }));
});

test('a control plane without quick calls gets normal calls, and rare attempts to connect', async () => {
  const { http, platform } = await startFixture();
  const received: (string | undefined)[] = [];
  platform.answer = (request, response) => {
    received.push(request.url);
    response.end(inFull);
  };
  const call = async () => expect((await ask({ port: http, path, headers: { authorization } })).body).toBe(inFull);
  await call();
  await vi.waitFor(() => expect(received).toContain(quickCallsPath));
  const untilMs = performance.now() + 5 * quickRetryMs;
  while (performance.now() < untilMs) await call();
  expect(received.filter((each) => each === quickCallsPath).length).toBeLessThanOrEqual(2);
});

test('after an invalid line, calls are sent as normal calls', async () => {
  const fixture = await startFixture();
  let isSilent = false;
  const lines = takeQuickCalls(fixture.platform, () => (isSilent ? null : quickly));
  const { socket, received } = await untilQuick(fixture, lines);
  isSilent = true;
  const before = received.length;
  const answer = ask({ port: fixture.http, path, headers: { authorization } });
  await vi.waitFor(() => expect(received.length).toBe(before + 1));
  socket.write('x'.repeat(200_000));
  expect((await answer).body).toBe(inFull);
});
