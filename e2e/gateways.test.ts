// Two gateways of one node on shared ports: each serves a part of the connections, and both appear as one product.
// A killed gateway disconnects only its own clients.
import { endpoints } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type FlvWatch, watchFlv } from './support/flv-watch.ts';
import { freePort, portsToReturnTo } from './support/free-port.ts';
import { runDrain, runHealth } from './support/operator-commands.ts';
import { mediaServerClients, type Product, startProduct } from './support/product.ts';
import { until } from './support/until.ts';
import { whipOffer } from './support/whip-offer.ts';

/** Number of connections. The probability that one gateway receives all connections is 2 in 10⁹. */
const manyConnections = 30;
/** Number of SRT callers. When a gateway restarts, half of the callers of its neighbour move to the restarted gateway. */
const srtCallers = 10;
/** Several seconds of the test source, bytes: longer than an SRT caller waits for an unresponsive server. */
const srtContinuedBytes = 400_000;
/** Distance of two frames of the test source, milliseconds, with tolerance for rounding. */
const frameMs = 41;
const gateways = [0, 1] as const;

let product: Product;
let admin: Admin;
const watches: FlvWatch[] = [];

beforeAll(async () => {
  product = await startProduct({ ...(await portsToReturnTo()), SRT_LISTEN: String(await freePort()), GATEWAYS: '2' });
  admin = await setUp(product, 'a long first password');
});
afterEach(async () => {
  for (const watch of watches.splice(0)) watch.close();
  await stopAllFfmpeg();
  await until('both gateways respond, and nobody is connected', async () => {
    const lists = await Promise.all(gateways.map((gateway) => mediaServerClients(product, gateway).catch(() => [{}])));
    return lists.every((clients) => clients.length === 0);
  });
});
afterAll(() => product?.remove());

const flvUrl = (name: string) => `${product.url}/live/${name}.flv`;
const publish = (name: string) =>
  publishTestSource(product.rtmpUrl(`${name}?${admin.publishQuery}`), { video: {}, audio: {} });

async function watch(name: string): Promise<FlvWatch> {
  const watching = await watchFlv(flvUrl(name));
  watches.push(watching);
  return watching;
}

async function everybody() {
  // A killed gateway has no clients.
  const lists = await Promise.all(gateways.map((gateway) => mediaServerClients(product, gateway).catch(() => [])));
  return lists.flatMap((clients, gateway) => clients.map((client) => ({ ...client, gateway })));
}

async function homeOf(name: string): Promise<0 | 1> {
  const publisher = await until(`${name} is published`, async () =>
    (await everybody()).find((client) => client.name === name && client.type === 'fmle-publish'),
  );
  return publisher.gateway === 0 ? 0 : 1;
}

async function watchInBoth(name: string): Promise<void> {
  await until('viewers in both gateways', async () => {
    await watch(name);
    const found = new Set((await everybody()).filter(({ type }) => type === 'flv-play').map(({ gateway }) => gateway));
    return found.size === gateways.length;
  });
}

async function liveOf(name: string) {
  const { streams } = await admin.call(endpoints.queryLive, {});
  return streams.find(({ stream }) => stream === name);
}

test('share every port, and count as one stream with all its viewers', async () => {
  const ports = gateways.map((gateway) => product.portsOf(gateway));
  for (const protocol of ['http', 'https', 'rtmp', 'srt'] as const)
    expect(ports[0]?.[protocol]).toBe(ports[1]?.[protocol]);
  expect(ports[0]?.rtc).not.toBe(ports[1]?.rtc);
  publish('shared');
  await homeOf('shared');
  await watchInBoth('shared');
  const count = watches.length;
  expect(count).toBeLessThanOrEqual(manyConnections);
  const live = await until('the console counts them all', async () => {
    const found = await liveOf('shared');
    return found?.viewers === count ? found : undefined;
  });
  const { clients } = await admin.call(endpoints.queryLiveClients, { streamId: live.id });
  const authorization = `Bearer ${admin.session.bearer}`;
  const rows = await fetch(`${product.url}/api/v1/streams/`, { headers: { authorization } }).then((each) =>
    each.json(),
  );
  expect(rows.streams.filter(({ name }: { name: string }) => name === 'shared')).toMatchObject([
    { clients: count + 1 },
  ]);
  expect(clients.filter(({ isPublisher }) => !isPublisher)).toHaveLength(count);
});

test('a viewer can be disconnected in either gateway', async () => {
  publish('kicked');
  await homeOf('kicked');
  await watchInBoth('kicked');
  for (const { id, type } of await everybody()) {
    if (type === 'flv-play') await admin.call(endpoints.kickLiveClient, { id });
  }
  await until('all are gone', () => watches.every((each) => each.ended() !== undefined));
});

test('a second publisher is refused by either gateway', async () => {
  publish('busy');
  await homeOf('busy');
  const before = (await everybody()).find(({ type }) => type === 'fmle-publish')?.id;
  for (let i = 0; i < manyConnections / 3; i++) {
    const second = publish('busy');
    expect(await second.exited).not.toBe(0);
  }
  expect((await everybody()).find(({ type }) => type === 'fmle-publish')?.id).toBe(before);
});

test('a publisher with the right secret replaces a silent one at either gateway, one with a wrong secret does not', async () => {
  const whip = async (query: string): Promise<number> => {
    const url = `${product.url}/rtc/v1/whip/?app=live&stream=quiet&${query}`;
    // Each new connection may reach either gateway.
    return (await fetch(url, { method: 'POST', body: whipOffer, headers: { Connection: 'close' } })).status;
  };
  const publisherId = async () => (await everybody()).find(({ type }) => type === 'rtc-publish')?.id;
  // This publisher never connects, so it is silent from the start.
  expect(await whip(admin.publishQuery)).toBe(201);
  const first = await publisherId();
  await until('its silence is noticed', async () => (await whip('secret=wrong')) === 401);
  const wrong = await Promise.all(Array.from({ length: manyConnections }, () => whip('secret=wrong')));
  expect(new Set(wrong)).toEqual(new Set([401]));
  expect([first === undefined, await publisherId()]).toEqual([false, first]);
  expect(await whip(admin.publishQuery)).toBe(201);
  expect(await publisherId()).not.toBe(first);
  await admin.call(endpoints.kickLiveClient, { id: (await publisherId()) ?? '' });
});

test('a killed gateway ends only its own connections', async () => {
  publish('survivor');
  const home = await homeOf('survivor');
  await watchInBoth('survivor');
  const others = (await everybody()).filter(({ gateway, type }) => gateway !== home && type === 'flv-play').length;
  await product.killGateway(home === 0 ? 1 : 0);
  await until('its viewers are gone', () => watches.filter((each) => each.ended() !== undefined).length === others);
  await until('it is back', async () => (await fetch(flvUrl('survivor'), { method: 'HEAD' })).ok);
  await watchInBoth('survivor');
  const survivors = watches.filter((each) => each.ended() === undefined);
  for (const survivor of survivors) expect(survivor.longestStepMs()).toBeLessThanOrEqual(frameMs);
});

test('viewers of another gateway wait for a publisher whose gateway is killed', async () => {
  publish('returning');
  const home = await homeOf('returning');
  await watchInBoth('returning');
  await product.killGateway(home);
  await until('its viewers are gone', () => watches.some((each) => each.ended() !== undefined));
  const waiting = watches.filter((each) => each.ended() === undefined);
  expect(waiting.length).toBeGreaterThan(0);
  for (const each of waiting) each.forget();
  publish('returning');
  await homeOf('returning');
  await until('they see it again', () => waiting.every((each) => each.longestStepMs() > 0));
  expect(waiting.map((each) => each.ended())).toEqual(waiting.map(() => undefined));
});

test('SRT callers stay connected while the other gateway stops and restarts', async () => {
  const names = Array.from({ length: srtCallers }, (_, index) => `srt-${index}`);
  for (const name of names) publishTestSource(product.srtUrl(`live/${name}`, admin.publishQuery), { video: {} });
  const publishers = await until('all are published', async () => {
    const found = (await everybody()).filter(({ type }) => type === 'srt-publish');
    return found.length === srtCallers ? found : undefined;
  });
  // The kernel redistributes the callers when a gateway starts or stops.
  const home = publishers.filter(({ gateway }) => gateway === 0).length >= srtCallers / 2 ? 0 : 1;
  const stay = publishers.filter(({ gateway }) => gateway === home);
  await product.killGateway(1 - home);
  await until(
    'the other is back',
    async () => (await mediaServerClients(product, 1 - home).catch(() => undefined)) ?? false,
  );
  const received = async () => new Map((await everybody()).map(({ id, recv_bytes: bytes }) => [id, bytes]));
  const before = await received();
  await until('all connected viewers continue', async () => {
    const now = await received();
    return stay.every(({ id }) => (now.get(id) ?? 0) > (before.get(id) ?? 0) + srtContinuedBytes);
  });
});

test('a drained server keeps connected clients and refuses new publishers on every protocol, until draining is undone', async () => {
  const readiness = async () => {
    const response = await fetch(`${product.url}/readyz`);
    return { status: response.status, body: await response.json() };
  };
  publish('staying');
  await homeOf('staying');
  const viewer = await watch('staying');
  expect(await readiness()).toEqual({ status: 200, body: { status: 'ready' } });
  const { code, output } = await runDrain(product.dataDir, '--wait', '0');
  expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/1 publisher and 1 viewer connected/) });
  expect(await readiness()).toMatchObject({ status: 503, body: { status: 'not-ready', reason: 'draining' } });
  expect(await runHealth(product.dataDir)).toEqual({ code: 0, output: 'The server responds.\n' });
  const refused = [publish('late'), publishTestSource(product.srtUrl('live/late', admin.publishQuery), { video: {} })];
  for (const encoder of refused) expect(await encoder.exited).not.toBe(0);
  const whip = `${product.url}/rtc/v1/whip/?app=live&stream=late&${admin.publishQuery}`;
  expect((await fetch(whip, { method: 'POST', body: whipOffer })).status).toBe(503);
  const { refusals } = await admin.call(endpoints.queryLive, {});
  const reasons = refusals
    .filter(({ stream }) => stream === 'late')
    .map(({ protocol, reason }) => ({ protocol, reason }));
  for (const protocol of ['rtmp', 'srt', 'rtc'] as const)
    expect(reasons).toContainEqual({ protocol, reason: 'draining' });
  await product.kill('platform');
  await until('the control plane is back and still knows', async () => (await readiness()).body.reason === 'draining');
  const { streams } = await admin.call(endpoints.queryLive, {});
  expect(streams.map(({ stream }) => stream)).toEqual(['staying']);
  expect(viewer.ended()).toBeUndefined();
  expect(await runDrain(product.dataDir, '--undo')).toEqual({
    code: 0,
    output: 'The server accepts publishers and tasks again.\n',
  });
  expect((await readiness()).status).toBe(200);
  publish('welcome');
  await homeOf('welcome');
});
