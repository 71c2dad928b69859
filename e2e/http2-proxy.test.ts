// Low-latency HLS over HTTP/2 through nginx, as Apple's players require, over one connection.
// The configuration of nginx is the block in docs/start/https.md.
import { readFileSync } from 'node:fs';
import { type ClientHttp2Session, connect } from 'node:http2';
import { join } from 'node:path';
import { endpoints } from '@srs-stack/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setUp } from './support/api.ts';
import { missingBalancer, type RunningBalancer, startBalancer } from './support/balancer.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type Product, startProduct } from './support/product.ts';
import { until } from './support/until.ts';

let product: Product;
let nginx: RunningBalancer | undefined;

beforeAll(async () => {
  product = await startProduct({ TRUST_PROXY: '127.0.0.1' });
  const admin = await setUp(product, 'a long first password');
  await admin.call(endpoints.updateLowLatencyHls, { hlsLowLatency: true });
  publishTestSource(product.rtmpUrl(`show?${admin.publishQuery}`), { video: { gopSeconds: 1 }, audio: {} });
  await until('the stream has parts', async () => (await fetch(`${product.url}/live/show.ll.m3u8`)).ok);
});
afterAll(async () => {
  await nginx?.close();
  await stopAllFfmpeg();
  await product?.remove();
});

interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

async function get(session: ClientHttp2Session, path: string): Promise<Answer> {
  const stream = session.request({ ':path': path });
  let status = 0;
  stream.once('response', (headers) => {
    status = headers[':status'] ?? 0;
  });
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return { status, body: Buffer.concat(chunks) };
}

const missing = missingBalancer('nginx');
test.skipIf(missing)(`a blocking reload and a future part${missing ? ` (skipped: ${missing})` : ''}`, async () => {
  const document = readFileSync(new URL('../docs/start/https.md', import.meta.url), 'utf8');
  const block = /```nginx\n([\s\S]*?)```/
    .exec(document)![1]!
    .replace('/path/to/fullchain.pem', join(product.dataDir, 'config/nginx.crt'))
    .replace('/path/to/key.pem', join(product.dataDir, 'config/nginx.key'))
    .replace('http://127.0.0.1:2022', product.url);
  nginx = await startBalancer('nginx', `events {}\nhttp {\naccess_log off;\n${block}}`);
  const origin = `https://127.0.0.1:${nginx.http}`;
  const session = await until('nginx serves HTTP/2', async () => {
    const attempt = connect(origin, { rejectUnauthorized: false });
    const isUp = await new Promise<boolean>((resolve) => {
      attempt.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    return isUp ? attempt : undefined;
  });
  expect(session.alpnProtocol).toBe('h2');
  try {
    const master = await get(session, '/live/show.ll.m3u8');
    const named = String(master.body).trim().split('\n').at(-1)!;
    const { pathname, search } = new URL(named, `${origin}/live/show.ll.m3u8`);
    const now = String((await get(session, pathname + search)).body);
    const next = Number(/MEDIA-SEQUENCE:(\d+)/.exec(now)![1]) + now.match(/#EXTINF/g)!.length + 1;
    const hint = /PRELOAD-HINT:TYPE=PART,URI="([^"]+)"/.exec(now)![1]!;
    const [part, playlist] = await Promise.all([
      get(session, `/live/${hint}`),
      get(session, `${pathname}${search}&_HLS_msn=${next}`),
    ]);
    expect([part.status, playlist.status]).toEqual([200, 200]);
    expect(part.body.toString('latin1', 4, 8)).toBe('moof');
    expect(String(playlist.body).match(/#EXTINF/g)!.length).toBeGreaterThanOrEqual(1);
  } finally {
    session.close();
  }
});
