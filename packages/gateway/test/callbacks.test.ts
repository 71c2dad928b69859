import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publisherOf } from './fake-engine.ts';
import { bodyText, type FakePlatform, startFakePlatform } from './fake-platform.ts';
import { type Fixture, startFixture } from './gateway-fixture.ts';

interface Seen {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

function record(platform: FakePlatform, answer: { status?: number; body?: string } = {}): Seen[] {
  const seen: Seen[] = [];
  platform.answer = async (incoming, response) => {
    const body = JSON.parse(await bodyText(incoming));
    seen.push({ url: incoming.url, headers: incoming.headers, body });
    response.writeHead(answer.status ?? 200).end(answer.body ?? '{"code":0}');
    platform.server.emit('seen');
  };
  return seen;
}

const segmentOf = (stream: string, sequenceNumber: number) => ({
  ...publisherOf(stream),
  file: `/data/hls/live/${stream}-${sequenceNumber}.ts`,
  durationSeconds: 2.04,
  url: `live/${stream}-${sequenceNumber}.ts`,
  m3u8: `/data/hls/live/${stream}.m3u8`,
  m3u8Url: `live/${stream}.m3u8`,
  sequenceNumber,
});
const socketOf = ({ env }: Fixture): string => (env.platform as { socketPath: string }).socketPath;
const viewer = { ...publisherOf('a'), clientId: 'view0001', type: 'flv-play' as const, pageUrl: 'http://page' };

test('authorizes a publisher with the agreed body and secret', async () => {
  const { platform, engine } = await startFixture();
  const seen = record(platform);
  expect(await engine.ports.authorizePublish(publisherOf('a', '?secret=s'))).toEqual({ allowed: true });
  expect(seen[0]?.url).toBe('/terraform/v1/hooks/srs/verify');
  expect(seen[0]?.headers).toMatchObject({
    'x-callback-secret': 'between-processes',
    'content-type': 'application/json',
  });
  expect(seen[0]?.body).toEqual({
    server_id: expect.stringMatching(/^vid-/),
    service_id: expect.any(String),
    action: 'on_publish',
    client_id: 'abcd1234',
    ip: '192.0.2.7',
    vhost: '__defaultVhost__',
    app: 'live',
    tcUrl: 'rtmp://example.com/live',
    stream: 'a',
    param: '?secret=s',
    stream_url: '/live/a',
  });
});

test('a refusal reaches the engine with its reason', async () => {
  const { platform, engine } = await startFixture();
  const failure = {
    code: 4020,
    server: 1,
    data: { message: 'the publish secret is missing or wrong', name: 'publishSecretWrong' },
  };
  record(platform, { status: 403, body: JSON.stringify(failure) });
  expect(await engine.ports.authorizePublish(publisherOf('a'))).toEqual({
    allowed: false,
    reason: 'publish-secret-wrong',
    detail: 'the publish secret is missing or wrong',
  });
  expect(await engine.ports.authorizePlay(viewer)).toMatchObject({ allowed: false, reason: 'publish-secret-wrong' });
});

test('without a control plane publishers are refused and viewers admitted', async () => {
  const { platform, engine } = await startFixture();
  await platform.close();
  expect(await engine.ports.authorizePublish(publisherOf('a'))).toMatchObject({
    allowed: false,
    reason: 'control-plane-away',
  });
  expect(await engine.ports.authorizePlay(viewer)).toEqual({ allowed: true });
});

test('a keep-alive connection that the control plane has closed does not refuse a publisher', async () => {
  const { platform, engine } = await startFixture();
  record(platform);
  await engine.ports.authorizePublish(publisherOf('a'));
  platform.server.closeIdleConnections();
  expect(await engine.ports.authorizePublish(publisherOf('b'))).toEqual({ allowed: true });
});

test('notices queued while the control plane is unavailable arrive in order, before the next publisher', async () => {
  const fixture = await startFixture();
  const { platform, engine } = fixture;
  await platform.close();
  engine.ports.onUnpublish(publisherOf('a'));
  engine.ports.onHlsSegment(segmentOf('a', 7));
  engine.ports.onStop(viewer);
  expect((await engine.ports.authorizePublish(publisherOf('a'))).allowed).toBe(false);

  const again = await startFakePlatform(socketOf(fixture));
  const seen = record(again);
  expect(await engine.ports.authorizePublish(publisherOf('a'))).toEqual({ allowed: true });
  expect(seen.map(({ body }) => body.action)).toEqual(['on_unpublish', 'on_hls', 'on_stop', 'on_publish']);
  expect(seen[1]?.url).toBe('/terraform/v1/hooks/srs/hls');
  expect(seen[1]?.body).toMatchObject({
    cwd: process.cwd(),
    file: '/data/hls/live/a-7.ts',
    duration: 2.04,
    url: 'live/a-7.ts',
    m3u8: '/data/hls/live/a.m3u8',
    m3u8_url: 'live/a.m3u8',
    seq_no: 7,
    asks_many: true,
  });
  await again.close();
});

test('a control plane with batch support gets segments of all streams in one call, before their ends', async () => {
  const { platform, engine } = await startFixture();
  const seen = record(platform, { body: '{"code":0,"data":{"segmentsPerCall":100}}' });
  engine.ports.onHlsSegment(segmentOf('a', 1));
  // Waits until earlier notices of the stream were delivered.
  await engine.ports.authorizePublish(publisherOf('a'));
  const next = () => once(platform.server, 'seen');
  const many = next();
  for (const stream of ['a', 'b', 'c']) engine.ports.onHlsSegment(segmentOf(stream, 2));
  engine.ports.onUnpublish(publisherOf('b'));
  await many;
  await next();
  const sent = seen.map(
    ({ url, body }) => `${url} ${body.action ?? (body.segments as { url: string }[]).map((each) => each.url)}`,
  );
  expect(sent).toEqual([
    '/terraform/v1/hooks/srs/hls on_hls',
    '/terraform/v1/hooks/srs/verify on_publish',
    '/terraform/v1/hooks/srs/segments live/a-2.ts,live/b-2.ts,live/c-2.ts',
    '/terraform/v1/hooks/srs/verify on_unpublish',
  ]);
});

test('queued notices are delivered when the control plane is back', async () => {
  const fixture = await startFixture();
  await fixture.platform.close();
  fixture.engine.ports.onUnpublish(publisherOf('a'));
  const again = await startFakePlatform(socketOf(fixture));
  const seen = record(again);
  await once(again.server, 'seen');
  expect(seen[0]?.body.action).toBe('on_unpublish');
  await again.close();
});

test('a stop delivers the ends of its sessions before it completes', async () => {
  const { platform, engine, gateway } = await startFixture();
  const seen = record(platform);
  engine.close = async () => engine.ports.onUnpublish(publisherOf('a'));
  await gateway.close();
  expect(seen.map(({ body }) => body.action)).toEqual(['on_unpublish']);
});

test('names that could leave a folder or a log line are invalid', async () => {
  const { engine } = await startFixture();
  const valid = { vhost: '__defaultVhost__', app: 'live', stream: 'a' };
  expect(engine.ports.isValidStream(valid)).toBe(true);
  for (const bad of [{ stream: '../a' }, { stream: '' }, { stream: 'a\nb' }, { app: 'a/../b' }, { vhost: '.x' }]) {
    expect(engine.ports.isValidStream({ ...valid, ...bad }), JSON.stringify(bad)).toBe(false);
  }
});

test('viewers admitted without a query are reported together, at the latest at a stop', async () => {
  const { platform, engine, gateway, env } = await startFixture();
  const seen = record(platform);
  const folder = join(env.dataDir, 'config');
  mkdirSync(folder, { recursive: true });
  const settings = { rules: [], keys: [], serverSecret: 'secret', isWholeVerdict: true };
  writeFileSync(join(folder, 'watching.json'), JSON.stringify(settings));
  // Until the file has been read, a viewer may cause a query.
  const questions = async () => {
    await engine.ports.authorizePlay(viewer);
    return seen.splice(0).length;
  };
  await expect.poll(questions).toBe(0);
  await Promise.all(Array.from({ length: 100 }, () => engine.ports.authorizePlay(viewer)));
  engine.ports.onStop(viewer);
  await gateway.close();
  expect(seen.map(({ body }) => body.action)).toEqual(expect.arrayContaining(['on_play']));
  expect(seen.length).toBeLessThan(10);
  expect(seen[0]?.body).toMatchObject({ client_id: 'view0001', stream: 'a', plays: expect.any(Number) });
  expect(seen.reduce((sum, { body }) => sum + Number(body.plays), 0)).toBeGreaterThan(100);
});
