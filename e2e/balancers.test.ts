// HAProxy, nginx and Caddy with the generated configurations, in front of two servers.
// Clients use the address of the balancer, except RTMP encoders with Caddy. They reach the server that is not being drained.
import { type BalancerProgram, endpoints } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { type BalancerName, missingBalancer, type RunningBalancer, startBalancer } from './support/balancer.ts';
import { publishTestSource, runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type FlvWatch, watchFlv } from './support/flv-watch.ts';
import { freePort } from './support/free-port.ts';
import { type Product, startProduct } from './support/product.ts';
import { until } from './support/until.ts';
import { whipOffer } from './support/whip-offer.ts';

/** Two loopback addresses act as two machines with equal ports. */
const hosts = ['127.0.0.1', '127.0.0.2'] as const;
const claimed = '203.0.113.7';

interface Server {
  readonly product: Product;
  readonly admin: Admin;
  readonly address: string;
}

let servers: Server[];
let text: (program: BalancerProgram) => string;
const watches: FlvWatch[] = [];

beforeAll(async () => {
  const [http, https, rtmp, rtsp, srt] = await Promise.all(Array.from({ length: 5 }, freePort));
  const ports = { http: http!, https: https!, rtmp: rtmp!, rtsp: rtsp!, srt: srt! };
  servers = await Promise.all(hosts.map((host) => startServer(host, ports)));
  const { admin } = servers[0]!;
  await admin.call(endpoints.updateLoadBalancer, { backends: servers.map(({ address }) => address) });
  const { configurations } = await admin.call(endpoints.queryLoadBalancer, {});
  text = (program) => configurations.find((each) => each.program === program)!.text;
});
afterEach(async () => {
  for (const watch of watches.splice(0)) watch.close();
  await stopAllFfmpeg();
});
afterAll(() => Promise.all((servers ?? []).map(({ product }) => product.remove())));

async function startServer(
  host: string,
  ports: Record<'http' | 'https' | 'rtmp' | 'rtsp' | 'srt', number>,
): Promise<Server> {
  const product = await startProduct({
    MGMT_LISTEN: `${host}:${ports.http}`,
    HTTPS_LISTEN: `${host}:${ports.https}`,
    RTMP_LISTEN: `${host}:${ports.rtmp}`,
    RTSP_LISTEN: `${host}:${ports.rtsp}`,
    SRT_LISTEN: `${host}:${ports.srt}`,
    TRUST_PROXY: '127.0.0.1',
  });
  const address = `${host}:${ports.http}`;
  const admin = await setUp({ url: `http://${address}` }, 'a long first password');
  // The servers share no store, so their publish secrets differ: publishing without a secret is allowed instead.
  await admin.call(endpoints.disablePublishSecret, { pubNoAuth: true });
  return { product, admin, address };
}

const drain = ({ admin }: Server, draining: boolean) => admin.call(endpoints.updateDrain, { draining });
const liveAt = async ({ admin }: Server) =>
  (await admin.call(endpoints.queryLive, {})).streams.map(({ stream }) => stream);

async function watch(balancer: RunningBalancer, name: string): Promise<void> {
  const url = `http://127.0.0.1:${balancer.http}/live/${name}.flv`;
  watches.push(await until(`${name} is played`, () => watchFlv(url).catch(() => undefined)));
}

async function expectRtsp(balancer: RunningBalancer, name: string): Promise<void> {
  const input = ['-rtsp_transport', 'tcp', '-i', `rtsp://127.0.0.1:${balancer.rtsp}/live/${name}`];
  const player = runFfmpeg([...input, '-t', '1', '-f', 'null', '-']);
  expect(await player.exited, player.log()).toBe(0);
}

/** Publishes again after a refusal, as encoders do: a balancer needs a moment to detect a drained server. */
async function publishUntilLive(url: string, name: string, server: Server): Promise<void> {
  await until(`${name} is published`, async () => {
    const encoder = publishTestSource(url, { video: {}, audio: {} });
    let isTurnedAway = false;
    const turnedAway = encoder.exited.then(() => {
      isTurnedAway = true;
    });
    const seen = until('it is seen', async () => isTurnedAway || (await liveAt(server)).includes(name));
    await Promise.race([seen, turnedAway]);
    return !isTurnedAway;
  });
}

async function run(name: BalancerName, itsText = text(name)): Promise<RunningBalancer> {
  const balancer = await startBalancer(name, itsText);
  const responses = () =>
    fetch(`http://127.0.0.1:${balancer.http}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(`${name} responds`, responses);
  return balancer;
}

/** HTTP requests other than HTTP-FLV: WebSocket, HLS, a WHIP call, and the client address that the server sees. */
async function expectHttp({ http }: RunningBalancer, name: string, { admin }: Server): Promise<void> {
  const origin = `127.0.0.1:${http}`;
  const socket = new WebSocket(`ws://${origin}/live/${name}.flv`);
  socket.binaryType = 'arraybuffer';
  const first = await new Promise<MessageEvent>((resolve, reject) => {
    socket.onmessage = resolve;
    socket.onerror = () => reject(new Error('the WebSocket was refused'));
  });
  expect(Buffer.from(first.data as ArrayBuffer).toString('latin1', 0, 3)).toBe('FLV');
  socket.close();
  const playlist = () =>
    fetch(`http://${origin}/live/${name}.m3u8`).then(async (each) => each.ok && (await each.text()));
  expect(await until('a playlist', playlist)).toMatch(/^#EXTM3U/);
  const whip = await fetch(`http://${origin}/rtc/v1/whip/?app=live&stream=rtc`, { method: 'POST', body: whipOffer });
  expect(whip.status).toBe(201);
  expect(await whip.text()).toMatch(/^a=candidate:/m);
  const leave = new AbortController();
  const headers = { 'x-forwarded-for': claimed, 'x-forwarded-host': 'elsewhere.example' };
  await fetch(`http://${origin}/live/${name}.flv`, { headers, signal: leave.signal });
  const ips = await until('all viewers are listed', async () => {
    const stream = (await admin.call(endpoints.queryLive, {})).streams.find((each) => each.stream === name);
    const { clients } = await admin.call(endpoints.queryLiveClients, { streamId: stream?.id ?? '' });
    const viewers = clients.filter(({ isPublisher, protocol }) => !isPublisher && protocol === 'flv');
    return viewers.length >= 2 && viewers.map(({ ip }) => ip);
  });
  expect(ips).not.toContain(claimed);
  leave.abort();
}

const title = (name: BalancerName) =>
  `routes publishers and viewers to the server that accepts new ones${missingBalancer(name) ? ` (skipped: ${missingBalancer(name)})` : ''}`;

describe.each(['haproxy', 'caddy'] as const)('%s', (name) => {
  test.skipIf(missingBalancer(name))(title(name), async () => {
    const balancer = await run(name);
    try {
      for (const [index, busy] of servers.entries()) {
        const other = servers[1 - index]!;
        const stream = `${name}-${index}`;
        await drain(other, true);
        // Caddy does not support RTMP, so the encoder publishes directly to the server.
        const rtmp = name === 'haproxy' ? `127.0.0.1:${balancer.rtmp}` : `${hosts[index]}:${busy.product.ports.rtmp}`;
        await publishUntilLive(`rtmp://${rtmp}/live/${stream}`, stream, busy);
        await watch(balancer, stream);
        expect(await liveAt(other)).not.toContain(stream);
        await expectHttp(balancer, stream, busy);
        await drain(other, false);
        expect(watches.at(-1)?.ended()).toBeUndefined();
      }
    } finally {
      await balancer.close();
    }
  });
});

test('haproxy admits viewers when every server is drained', async ({ skip }) => {
  if (missingBalancer('haproxy')) skip(missingBalancer('haproxy'));
  const balancer = await run('haproxy');
  try {
    const [busy] = servers as [Server];
    await Promise.all(servers.slice(1).map((server) => drain(server, true)));
    await publishUntilLive(`rtmp://127.0.0.1:${balancer.rtmp}/live/last`, 'last', busy);
    await expectRtsp(balancer, 'last');
    await drain(busy, true);
    const readyz = () => fetch(`http://127.0.0.1:${balancer.http}/readyz`).then(({ status }) => status === 503);
    await until('the balancer has detected that both are drained', readyz);
    await watch(balancer, 'last');
  } finally {
    await Promise.all(servers.map((server) => drain(server, false)));
    await balancer.close();
  }
});

describe('nginx', () => {
  test.skipIf(missingBalancer('nginx'))(title('nginx'), async () => {
    for (const [index, busy] of servers.entries()) {
      const other = hosts[1 - index]!;
      // Operators replace these options by `down` before they drain a server, as documented.
      const isDown = new RegExp(`(server ${other.replaceAll('.', '\\.')}:\\d+) max_fails=2 fail_timeout=5s;`, 'g');
      const balancer = await run('nginx', text('nginx').replace(isDown, '$1 down;'));
      try {
        const overRtmp = `nginx-rtmp-${index}`;
        const overSrt = `nginx-srt-${index}`;
        await publishUntilLive(`rtmp://127.0.0.1:${balancer.rtmp}/live/${overRtmp}`, overRtmp, busy);
        const streamId = encodeURIComponent(`#!::r=live/${overSrt},m=publish`);
        await publishUntilLive(`srt://127.0.0.1:${balancer.srt}?streamid=${streamId}`, overSrt, busy);
        for (const name of [overRtmp, overSrt]) await watch(balancer, name);
        await expectRtsp(balancer, overRtmp);
        await expectHttp(balancer, overRtmp, busy);
      } finally {
        await balancer.close();
      }
    }
  });
});
