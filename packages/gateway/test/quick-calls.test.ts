// Calls that the control plane answers from memory cross over one kept connection; whatever goes wrong there, they are asked in full.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  parseQuickLine,
  parseQuickQuestion,
  QuickLines,
  quickCallsPath,
  quickCallsProtocol,
  writeQuickAnswer,
} from '@srs-stack/contract/quick-calls.ts';
import { expect, test, vi } from 'vitest';
import { quickRetryMs } from '../src/front/limits/front-limits.ts';
import { bodyText, type FakePlatform, startFakePlatform } from './fake-platform.ts';
import { type Fixture, startFixture } from './gateway-fixture.ts';
import { type Ask, ask } from './http-exchange.ts';

const path = '/terraform/v1/mgmt/status';
const authorization = 'Bearer a.b.c';
const quickly = '{"code":0,"server":1,"data":"quick é"}';
const inFull = '{"code":0,"server":1,"data":"in full"}';

interface Line {
  readonly socket: Duplex;
  /** Bearers asked about, in order. */
  readonly asked: string[];
}

/** What the control plane answers a question: undefined to ask in full, null for nothing at all. */
type Answer = (bearer: string) => string | undefined | null;

/** Takes the connection as the control plane does. */
function takeQuickCalls(platform: FakePlatform, answer: Answer = () => quickly): Line[] {
  const lines: Line[] = [];
  platform.server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    expect(request.url).toBe(quickCallsPath);
    expect(request.headers['x-callback-secret']).toBe('between-processes');
    const line: Line = { socket, asked: [] };
    lines.push(line);
    const cut = new QuickLines();
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${quickCallsProtocol}\r\n\r\n`);
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      for (const each of cut.push(bytes) ?? []) {
        const { number, rest } = parseQuickLine(each);
        const { bearer = '' } = parseQuickQuestion(rest) ?? {};
        line.asked.push(bearer);
        const json = answer(bearer);
        if (json !== null) socket.write(writeQuickAnswer(number, json));
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

/** Calls until one was asked on the connection, which is made by the first. */
async function untilQuick({ http }: Fixture, lines: Line[]): Promise<Line> {
  await vi.waitFor(async () => {
    await ask({ port: http, path, headers: { authorization } });
    expect(lines.at(-1)?.asked.length).toBeGreaterThan(0);
  });
  return lines.at(-1) as Line;
}

test('the answer is the one in full, with the same headers', async () => {
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

test('many at a time, each gets its own answer', async () => {
  const fixture = await startFixture();
  const lines = takeQuickCalls(fixture.platform, (bearer) => `"${bearer}"`);
  await untilQuick(fixture, lines);
  const bearers = Array.from({ length: 40 }, (_, index) => `b${index}`);
  const asks = bearers.map((each) => ask({ port: fixture.http, path, headers: { authorization: `bearer ${each}` } }));
  const answers = await Promise.all(asks);
  expect(answers.map(({ body }) => body)).toEqual(bearers.map((each) => `"${each}"`));
  expect(fixture.gateway.load()).toMatchObject({ running: 0, waiting: 0 });
});

test('what the control plane refuses is asked in full, with its body', async () => {
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

test('a call that says more than its credential is asked in full', async () => {
  const fixture = await startFixture();
  const lines = takeQuickCalls(fixture.platform);
  const { asked } = await untilQuick(fixture, lines);
  const before = asked.length;
  const headers = { authorization };
  const others: Partial<Ask>[] = [
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
  expect(asked.length).toBe(before);
});

test('a control plane that ends with questions under way: they are asked in full, and quickly again when it is back', async () => {
  const fixture = await startFixture();
  const { http, platform, env } = fixture;
  let isSilent = false;
  const lines = takeQuickCalls(platform, () => (isSilent ? null : quickly));
  const { socket, asked } = await untilQuick(fixture, lines);
  isSilent = true;
  const before = asked.length;
  const asks = [1, 2, 3].map(() => ask({ port: http, path, headers: { authorization } }));
  await vi.waitFor(() => expect(asked.length).toBe(before + 3));
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

test('clients that leave while their question waits take no place for good', async () => {
  const fixture = await startFixture();
  const { http, platform, gateway } = fixture;
  let isSilent = false;
  const lines = takeQuickCalls(platform, () => (isSilent ? null : quickly));
  const { socket, asked } = await untilQuick(fixture, lines);
  isSilent = true;
  const before = asked.length;
  const leaving = new AbortController();
  const asks = [1, 2, 3].map(() => ask({ port: http, path, headers: { authorization }, signal: leaving.signal }));
  await vi.waitFor(() => expect(asked.length).toBe(before + 3));
  leaving.abort();
  await Promise.allSettled(asks);
  socket.destroy();
  await vi.waitFor(() => expect(gateway.load()).toMatchObject({ running: 0, waiting: 0, bodyBytes: 0 }));
});

test('a control plane without the connection is asked in full, and seldom for the connection', async () => {
  const { http, platform } = await startFixture();
  const asked: (string | undefined)[] = [];
  platform.answer = (request, response) => {
    asked.push(request.url);
    response.end(inFull);
  };
  const call = async () => expect((await ask({ port: http, path, headers: { authorization } })).body).toBe(inFull);
  await call();
  await vi.waitFor(() => expect(asked).toContain(quickCallsPath));
  const untilMs = performance.now() + 5 * quickRetryMs;
  while (performance.now() < untilMs) await call();
  expect(asked.filter((each) => each === quickCallsPath).length).toBeLessThanOrEqual(2);
});

test('one that sends what is no line is asked in full', async () => {
  const fixture = await startFixture();
  let isSilent = false;
  const lines = takeQuickCalls(fixture.platform, () => (isSilent ? null : quickly));
  const { socket, asked } = await untilQuick(fixture, lines);
  isSilent = true;
  const before = asked.length;
  const answer = ask({ port: fixture.http, path, headers: { authorization } });
  await vi.waitFor(() => expect(asked.length).toBe(before + 1));
  socket.write('x'.repeat(200_000));
  expect((await answer).body).toBe(inFull);
});
