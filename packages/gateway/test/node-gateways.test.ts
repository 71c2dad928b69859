// Two gateways of one node over their real sockets, with engines of a few lines: what they tell and do for each other.
import { mkdir } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { StreamOrigins } from '@srs-stack/engine';
import { pino } from 'pino';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { NodeGateways } from '../src/siblings/node-gateways.ts';
import { publisherOf } from './fake-engine.ts';
import { makeDataDir } from './gateway-fixture.ts';
import { PublishingEngine } from './publishing-engine.ts';

const key = { vhost: '__defaultVhost__', app: 'live', stream: 'known' };
const log = pino({ level: 'silent' });

let dataDir: string;
let engines: PublishingEngine[];
let gateways: NodeGateways[];

async function start(index: number): Promise<NodeGateways> {
  const gateway = new NodeGateways({ dataDir, gateways: { count: 2, index }, log });
  onTestFinished(() => gateway.close());
  engines[index] ??= new PublishingEngine();
  await gateway.serve(engines[index], (_request, response) => response.end());
  gateways[index] = gateway;
  return gateway;
}

beforeEach(async () => {
  dataDir = await makeDataDir();
  await mkdir(join(dataDir, 'run'));
  engines = [];
  gateways = [];
  await start(0);
  await start(1);
});

const originsOf = (gateway: number): StreamOrigins => gateways[gateway]!.ports.origins;
/** Until the gateway knows, or no longer knows, that another one publishes the stream. */
const knows = (gateway: number, isPublished = true) =>
  vi.waitFor(() => expect(originsOf(gateway).publishedSince(key) !== undefined).toBe(isPublished), 10_000);

async function publishedElsewhere(): Promise<StreamOrigins> {
  engines[0]!.begin(key);
  await knows(1);
  return originsOf(1);
}

test('a stream is known to the others from its first moment to its last', async () => {
  const appeared: string[] = [];
  originsOf(1).onAppear(({ stream }) => appeared.push(stream));
  await publishedElsewhere();
  expect(appeared).toEqual(['known']);
  expect(originsOf(0).publishedSince(key)).toBeUndefined();
  engines[0]!.end(key);
  await knows(1, false);
});

test('a gateway that comes later is told what is published, one that ends takes its streams with it', async () => {
  await publishedElsewhere();
  gateways[1]!.close();
  await start(1);
  await originsOf(1).whenKnown();
  await knows(1);
  gateways[0]!.close();
  await knows(1, false);
  await expect(originsOf(1).pull(key)).rejects.toThrow('no other gateway has live/known');
});

test('a stream is sent on a connection of its own, and not when it has just ended', async () => {
  const origins = await publishedElsewhere();
  const source = await origins.pull(key);
  let text = '';
  for await (const bytes of source) text += bytes;
  expect(text).toBe('tags');
  engines[0]!.shownStreams = [];
  await expect(origins.pull(key)).rejects.toThrow('404');
});

test('a publisher is given up when its gateway says so, and no longer known then', async () => {
  const origins = await publishedElsewhere();
  engines[0]!.yields = false;
  expect(await origins.takeOver(key)).toBe(false);
  engines[0]!.yields = true;
  expect(await origins.takeOver(key)).toBe(true);
  expect(origins.publishedSince(key)).toBeUndefined();
});

test('of two that let a publisher in at the same moment the later one ends it', async () => {
  const session = publisherOf('known');
  engines[0]!.begin(key);
  engines[1]!.begin(key);
  await vi.waitFor(() => expect(engines[1]!.kicked).toEqual([session.clientId]), 10_000);
  await knows(0);
  expect(engines[0]!.kicked).toEqual([]);
});

test('datagrams and keyframes come to the engine they are for', async () => {
  const origins = await publishedElsewhere();
  origins.requestKeyframe(key);
  gateways[1]!.ports.relay.send(0, Buffer.from('one'), { address: '192.0.2.7', port: 4_000 });
  gateways[1]!.ports.relay.send(0, Buffer.from('two'), { address: '::1', port: 4_001 });
  await vi.waitFor(() => {
    expect(engines[0]!.datagrams).toEqual(['192.0.2.7:4000 one', '::1:4001 two']);
    expect(engines[0]!.keyframesAsked).toEqual(['known']);
  }, 10_000);
});

test('the session of a WebRTC peer is ended wherever it is', async () => {
  await publishedElsewhere();
  expect(await gateways[1]!.endRtcSession('/rtc/v1/whip/?known')).toBeUndefined();
  expect(engines[0]!.requests).toEqual(['/rtc/v1/whip/?known']);
});

/** What a viewer gets who comes to the second gateway. */
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

test('a playlist is answered by the gateway that makes it, as the viewer’s own request', async () => {
  const origins = await publishedElsewhere();
  expect(await ask(origins)).toEqual({ status: 200, type: 'video/x-flv', text: 'FLV' });
  const [seen] = engines[0]!.mediaRequests;
  expect([seen?.url, seen?.clientAddress]).toEqual(['/live/known.m3u8?a=b', '198.51.100.4']);
  engines[0]!.end(key);
  await knows(1, false);
  expect((await ask(origins)).status).toBe(200);
});

test('a request is never sent back to where it came from, and a gateway that has gone is told as "try again"', async () => {
  const origins = await publishedElsewhere();
  expect((await ask(origins, { 'x-viewer-address': '192.0.2.1' })).status).toBe(410);
  vi.spyOn(engines[0]!, 'handleRequest').mockImplementation((request) => {
    request.socket.destroy();
    return true;
  });
  expect((await ask(origins)).status).toBe(503);
});
