// Two gateways of one node with minimal engines, over real sockets: announcements and calls.
import { mkdir } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { EnginePorts, SessionInfo, StreamOrigins } from '@srs-stack/engine';
import { pino } from 'pino';
import { beforeEach, describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { NodeGateways } from '../src/siblings/node-gateways.ts';
import { ViewerReports } from '../src/viewers/viewer-reports.ts';
import { makeDataDir } from './gateway-fixture.ts';
import { ownPublisherOf, PublishingEngine } from './publishing-engine.ts';

const key = { vhost: '__defaultVhost__', app: 'live', stream: 'known' };
const log = pino({ level: 'silent' });

let dataDir: string;
let engines: PublishingEngine[];
let gateways: NodeGateways[];
let reports: ViewerReports[];

async function start(index: number): Promise<NodeGateways> {
  const own = { gateways: { count: 2, index }, callbackSecret: 'x', reports: reports[index]! };
  const gateway = new NodeGateways({ dataDir, ...own, log });
  onTestFinished(() => gateway.close());
  engines[index] ??= new PublishingEngine();
  const end: RequestListener = (_request, response) => response.end();
  await gateway.serve(engines[index], { api: end, nodeCalls: end });
  gateways[index] = gateway;
  return gateway;
}

beforeEach(async () => {
  dataDir = await makeDataDir();
  await mkdir(join(dataDir, 'run'));
  engines = [];
  gateways = [];
  reports = [new ViewerReports(), new ViewerReports()];
  await start(0);
  await start(1);
});

const originsOf = (gateway: number): StreamOrigins => gateways[gateway]!.ports.origins;
/** Waits until the gateway knows (or no longer knows) that another gateway publishes the stream. */
const knows = (gateway: number, isPublished = true) =>
  vi.waitFor(() => expect(originsOf(gateway).publishedSince(key) !== undefined).toBe(isPublished), 10_000);

async function publishedElsewhere(): Promise<StreamOrigins> {
  engines[0]!.begin(key);
  await knows(1);
  return originsOf(1);
}

test('a stream is known to the others from its start to its end', async () => {
  const appeared: string[] = [];
  originsOf(1).onAppear(({ stream }) => appeared.push(stream));
  await publishedElsewhere();
  expect(appeared).toEqual(['known']);
  expect(originsOf(0).publishedSince(key)).toBeUndefined();
  engines[0]!.end(key);
  await knows(1, false);
});

test('a gateway that starts later learns the published streams, one that ends removes its streams', async () => {
  await publishedElsewhere();
  gateways[1]!.close();
  await start(1);
  await originsOf(1).whenKnown();
  await knows(1);
  gateways[0]!.close();
  await knows(1, false);
  await expect(originsOf(1).pull(key)).rejects.toThrow('no other gateway has the stream live/known');
});

test('a stream is sent on its own connection, and not after it has ended', async () => {
  const origins = await publishedElsewhere();
  const source = await origins.pull(key);
  let text = '';
  for await (const bytes of source) text += bytes;
  expect(text).toBe('tags');
  engines[0]!.shownStreams = [];
  await expect(origins.pull(key)).rejects.toThrow('404');
});

test('a takeover ends a silent publisher at another gateway, and removes its stream; the query whether it sends ends nothing', async () => {
  const origins = await publishedElsewhere();
  engines[0]!.yields = false;
  expect([await origins.isSending(key), await origins.takeOver(key)]).toEqual([true, false]);
  engines[0]!.yields = true;
  expect([await origins.isSending(key), engines[0]!.yieldsAsked]).toEqual([false, 1]);
  expect(await origins.takeOver(key)).toBe(true);
  expect(origins.publishedSince(key)).toBeUndefined();
});

describe('a gateway that does not respond about a publisher', () => {
  const questions = ['isSending', 'takeOver'] as const;
  const refusals = [true, false];

  it.each(questions)('keeps its publisher while it runs (%s), and its stream stays in the table', async (question) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const origins = await publishedElsewhere();
    engines[0]!.answers = new Promise(() => undefined);
    const answer = origins[question](key);
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
    await vi.advanceTimersByTimeAsync(6_000);
    expect([await answer, origins.publishedSince(key)]).toEqual([
      refusals[questions.indexOf(question)],
      expect.any(Number),
    ]);
  });

  it.each(questions)('keeps its publisher when the call breaks (%s)', async (question) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const origins = await publishedElsewhere();
    engines[0]!.answers = Promise.reject(new Error('a bug of the other gateway'));
    engines[0]!.answers.catch(() => undefined);
    const answer = origins[question](key);
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
    await vi.advanceTimersByTimeAsync(6_000);
    expect([await answer, origins.publishedSince(key)]).toEqual([
      refusals[questions.indexOf(question)],
      expect.any(Number),
    ]);
  });

  it.each(questions)('and then exits frees the stream for the next publisher immediately (%s)', async (question) => {
    const origins = await publishedElsewhere();
    let requested = false;
    const neverAnswers = {
      // biome-ignore lint/suspicious/noThenProperty: records when the promise is awaited.
      then: () => {
        requested = true;
      },
    };
    engines[0]!.answers = neverAnswers as unknown as Promise<unknown>;
    const answer = origins[question](key);
    await vi.waitFor(() => expect(requested).toBe(true));
    gateways[0]!.close();
    expect([await answer, origins.publishedSince(key)]).toEqual([!refusals[questions.indexOf(question)], undefined]);
  });
});

test('if two gateways admit publishers of a stream simultaneously, the later gateway ends its publisher', async () => {
  const session = ownPublisherOf('known');
  engines[0]!.begin(key);
  engines[1]!.begin(key);
  await vi.waitFor(() => expect(engines[1]!.kicked).toEqual([session.clientId]), 10_000);
  await knows(0);
  expect(engines[0]!.kicked).toEqual([]);
});

test('datagrams and keyframe requests reach the engine of the other gateway', async () => {
  const origins = await publishedElsewhere();
  origins.requestKeyframe(key);
  gateways[1]!.ports.relay.send(0, Buffer.from('one'), { address: '192.0.2.7', port: 4_000 });
  gateways[1]!.ports.relay.send(0, Buffer.from('two'), { address: '::1', port: 4_001 });
  await vi.waitFor(() => {
    expect(engines[0]!.datagrams).toEqual(['192.0.2.7:4000 one', '::1:4001 two']);
    expect(engines[0]!.keyframesAsked).toEqual(['known']);
  }, 10_000);
});

test('the session of a WebRTC peer is ended in any gateway', async () => {
  await publishedElsewhere();
  expect(await gateways[1]!.endRtcSession('/rtc/v1/whip/?known')).toBeUndefined();
  expect(engines[0]!.requests).toEqual(['/rtc/v1/whip/?known']);
});

async function ask(origins: StreamOrigins, headers: Record<string, string> = {}) {
  const server = createServer((request: IncomingMessage & { clientAddress?: string }, response: ServerResponse) => {
    request.clientAddress = '198.51.100.4';
    if (!origins.forward(key, request, response)) response.writeHead(410).end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/live/known.m3u8?a=b`, { headers });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

test('the gateway that creates a playlist handles the request as if the viewer had connected there', async () => {
  const origins = await publishedElsewhere();
  expect(await ask(origins)).toEqual({ status: 200, type: 'video/x-flv', text: 'FLV' });
  const [seen] = engines[0]!.mediaRequests;
  expect([seen?.url, seen?.clientAddress]).toEqual(['/live/known.m3u8?a=b', '198.51.100.4']);
  engines[0]!.end(key);
  await knows(1, false);
  expect((await ask(origins)).status).toBe(200);
});

test('a request is never sent back to its origin, and a gateway that has ended gives "try again"', async () => {
  const origins = await publishedElsewhere();
  expect((await ask(origins, { 'x-viewer-address': '192.0.2.1' })).status).toBe(410);
  vi.spyOn(engines[0]!, 'handleRequest').mockImplementation((request) => {
    request.socket.destroy();
    return true;
  });
  expect((await ask(origins)).status).toBe(503);
});

test('low-latency parts of another gateway are fetched once for all viewers, segments are read from the folder', async () => {
  const origins = await publishedElsewhere();
  const requested: string[] = [];
  vi.spyOn(engines[0]!, 'handleRequest').mockImplementation((request, response) => {
    requested.push(request.url ?? '');
    response.writeHead(200, { 'Content-Length': 4, 'Cache-Control': 'public, max-age=600' }).end('part');
    return true;
  });
  const server = createServer((request, response) => {
    if (!origins.forward(key, request, response)) response.writeHead(410).end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  for (const context of ['1', '2', '3']) expect(await get(`/live/known.ll.4f.p7.m4s?hls_ctx=${context}`)).toBe('part');
  expect(requested).toEqual(['/live/known.ll.4f.p7.m4s?hls_ctx=1', '/live/known.ll.4f.p7.m4s']);
  // The bytes that this gateway sent from its cache are reported once.
  origins.countSent(key, '2', 96);
  await vi.waitFor(() => expect(engines[0]!.hlsBytes.toSorted()).toEqual(['known 2 100', 'known 3 4']), 10_000);
  // This gateway does not cache playlists. If both gateways cached playlists for ten seconds, a response could be twenty seconds old.
  for (let viewer = 0; viewer < 3; viewer++) await get('/live/known.m3u8');
  expect(requested).toHaveLength(5);
});

test('a report of a viewer in another gateway is counted there, one of an unknown viewer nowhere', async () => {
  const ports = reports[0]!.observe({
    authorizePlay: async () => ({ allowed: true }) as const,
    onStop: () => undefined,
  } as unknown as EnginePorts);
  const viewer = { clientId: 'one', app: 'live', stream: 'known', ip: '192.0.2.7' } as SessionInfo;
  await ports.authorizePlay(viewer);
  const sent = (ip: string) =>
    ({ ip, report: { app: 'live', stream: 'known', outputs: [{ output: 'flv', seconds: 3 }] } }) as const;
  await vi.waitFor(() => expect(gateways[1]!.handOver(sent('192.0.2.7'))).toBe(true), 10_000);
  gateways[1]!.handOver(sent('192.0.2.8'));
  await vi.waitFor(() => {
    expect(reports[0]!.metrics().results.accepted).toBe(1);
    expect(reports[1]!.metrics().results.unknown).toBe(1);
  }, 10_000);
  expect(reports[0]!.metrics().rows).toMatchObject([{ app: 'live', stream: 'known', output: 'flv' }]);
  expect(reports[1]!.metrics().rows).toEqual([]);
});
