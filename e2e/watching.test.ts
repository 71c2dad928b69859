// Playback authorization over HTTP, WebSocket, HLS, WHEP, RTMP and SRT, in the gateway with the stream and in a gateway that copies
// it. An unauthorized viewer gets the reason but no media. An authorized viewer plays until the authorization ends. Internal
// readers are never refused.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '@srs-stack/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { playOffer } from '../packages/engine/test/rtc-rig.ts';
import {
  type CallbackTarget,
  replyWith,
  startCallbackTarget,
} from '../packages/platform/src/testing/callback-target.ts';
import { type Admin, call, setUp } from './support/api.ts';
import { publishTestSource, runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { mediaServerClients, type Product, startProduct } from './support/product.ts';
import { until } from './support/until.ts';

const gateways = [0, 1] as const;
const password = 'open sesame 123';
const forged = `k1.4000000000.${'0'.repeat(64)}`;
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

let product: Product;
let admin: Admin;
let target: CallbackTarget;
let key: { id: string; secret: string };

beforeAll(async () => {
  product = await startProduct({ GATEWAYS: '2' });
  admin = await setUp(product, 'a long first password');
  target = await startCallbackTarget();
  await admin.call(endpoints.applyHooks, { all: true, target: target.url });
  key = await admin.call(endpoints.createWatchKey, {});
  await admin.call(endpoints.updateWatchRules, {
    rules: [
      { pattern: 'live/signed*', mode: 'signed' },
      { pattern: 'live/locked', mode: 'password', password },
      { pattern: 'live/asked', mode: 'verdict' },
    ],
  });
  const names = ['open', 'signed', 'locked', 'asked'];
  for (const name of names)
    publishTestSource(product.rtmpUrl(`${name}?${admin.publishQuery}`), { video: {}, audio: {} });
  for (const name of names) {
    const query = await consoleQuery(name);
    await until(`${name} plays`, async () => (await fetch(`${product.url}/live/${name}.m3u8?${query}`)).ok);
  }
});
afterAll(async () => {
  await stopAllFfmpeg();
  await target?.close();
  await product?.remove();
});

const consoleQuery = async (stream: string) =>
  (await admin.call(endpoints.createConsoleLink, { app: 'live', stream })).query;

/** Signs a link as programs of operators do (docs/how-to/sign-links.md). */
function sign(pattern: string, expires: number, { secret = key.secret, starts = '', address = '' } = {}): string {
  return createHmac('sha256', secret).update(`watch\n${pattern}\n${expires}\n${starts}\n${address}`).digest('hex');
}
const link = (stream: string, expires = inSeconds(600)) =>
  `watch=${key.id}.${expires}.${sign(`live/${stream}`, expires)}`;

type Output = (stream: string, query: string, gateway: number) => Promise<string>;

async function ofHttp(url: string, init: RequestInit = {}): Promise<string> {
  const leave = new AbortController();
  const response = await fetch(url, { ...init, signal: leave.signal });
  if (response.ok) {
    await response.body?.getReader().read();
    leave.abort();
    return 'plays';
  }
  const body = (await response.json()) as { name?: string; data?: { name: string } };
  if (response.status === 401) expect(response.headers.get('www-authenticate') ?? 'Watch').toBe('Watch');
  return `${response.status} ${body.name ?? body.data?.name}`;
}

const base = (gateway: number) => `http://127.0.0.1:${product.portsOf(gateway).http}`;
const withQuery = (url: string, query: string, mark = '?') => (query === '' ? url : `${url}${mark}${query}`);

async function ofHls(url: string): Promise<string> {
  const first = await fetch(url);
  if (!first.ok) return ofHttp(url);
  const named = (text: string, from: string) =>
    new URL(text.split('\n').find((line) => line !== '' && !line.startsWith('#'))!, from).href;
  const media = named(await first.text(), url);
  const second = await fetch(media);
  if (!second.ok) return ofHttp(media);
  return ofHttp(named(await second.text(), media));
}

function ofWebSocket(url: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url.replace('http', 'ws'));
    socket.onmessage = () => {
      socket.close();
      resolve('plays');
    };
    socket.onerror = () => resolve('refused');
  });
}

const httpOutputs: Readonly<Record<string, Output>> = {
  'HTTP-FLV': (stream, query, gateway) => ofHttp(withQuery(`${base(gateway)}/live/${stream}.flv`, query)),
  'HTTP-TS': (stream, query, gateway) => ofHttp(withQuery(`${base(gateway)}/live/${stream}.ts`, query)),
  HLS: (stream, query, gateway) => ofHls(withQuery(`${base(gateway)}/live/${stream}.m3u8`, query)),
  WHEP: (stream, query, gateway) =>
    ofHttp(withQuery(`${base(gateway)}/rtc/v1/whep/?app=live&stream=${stream}`, query, '&'), {
      method: 'POST',
      body: playOffer,
    }),
};

async function ofFfmpeg(url: string): Promise<string> {
  const run = runFfmpeg(['-i', url, '-t', '0.2', '-c', 'copy', '-f', 'null', '-']);
  return (await run.exited) === 0 ? 'plays' : 'refused';
}
const streamOutputs: Readonly<Record<string, Output>> = {
  RTMP: (stream, query, gateway) =>
    ofFfmpeg(withQuery(`rtmp://127.0.0.1:${product.portsOf(gateway).rtmp}/live/${stream}`, query)),
  SRT: (stream, query, gateway) =>
    ofFfmpeg(
      `srt://127.0.0.1:${product.portsOf(gateway).srt}?streamid=${withQuery(`#!::r=live/${stream}`, query)},m=request`,
    ),
  'WebSocket-FLV': (stream, query, gateway) => ofWebSocket(withQuery(`${base(gateway)}/live/${stream}.flv`, query)),
};

describe.each(gateways)('gateway %i', (gateway) => {
  test.each(Object.keys(httpOutputs))('%s', async (name) => {
    const play = httpOutputs[name]!;
    expect(await play('open', '', gateway)).toBe('plays');
    expect(await play('signed', '', gateway)).toBe('401 link-missing');
    expect(await play('signed', link('signed'), gateway)).toBe('plays');
    expect(await play('signed', link('signed', inSeconds(-1)), gateway)).toBe('401 link-expired');
    expect(await play('signed', `watch=${forged}`, gateway)).toBe('403 link-wrong');
    expect(await play('signed', link('open'), gateway)).toBe('403 link-wrong');
    expect(await play('signed', `${link('signed')}&${link('signed')}`, gateway)).toBe('403 link-wrong');
    expect(await play('signed', link('signed').slice(0, -1), gateway)).toBe('403 link-wrong');
    expect(await play('locked', '', gateway)).toBe('401 password-missing');
    expect(await play('locked', await consoleQuery('locked'), gateway)).toBe('plays');
    expect(await play('asked', `guest=${name}`, gateway)).toBe('plays');
  });

  test.each(Object.keys(streamOutputs))('%s', async (name) => {
    const play = streamOutputs[name]!;
    const found = await Promise.all([
      play('open', '', gateway),
      play('signed', '', gateway),
      play('signed', link('signed'), gateway),
      play('signed', `watch=${forged}`, gateway),
      play('locked', await consoleQuery('locked'), gateway),
      play('asked', `guest=${name}`, gateway),
    ]);
    expect(found).toEqual(['plays', 'refused', 'plays', 'refused', 'plays', 'plays']);
  });

  test('a segment needs authorization, even with a known name', async () => {
    const url = `${base(gateway)}/live/signed.m3u8?${link('signed')}`;
    const media = (await (await fetch(url)).text()).trim().split('\n').at(-1)!;
    const segment = (await (await fetch(new URL(media, url))).text()).trim().split('\n').at(-1)!;
    const address = new URL(segment, url);
    expect(await ofHttp(address.href)).toBe('plays');
    const context = address.searchParams.get('hls_ctx');
    expect(await ofHttp(`${address.origin}${address.pathname}`)).toBe('401 link-missing');
    expect(await ofHttp(`${address.origin}${address.pathname}?hls_ctx=${context}`)).toBe('401 link-missing');
    const answer = await fetch(address);
    expect(answer.headers.get('cache-control')).toMatch(/^private/);
    await answer.body?.cancel();
  });
});

test('a call creates a link for an address, with a start and a pattern', async () => {
  const made = await admin.call(endpoints.createWatchLink, {
    ...{ pattern: 'live/sig*', seconds: 60, startsAt: inSeconds(-5), address: '::ffff:127.0.0.1' },
  });
  expect(made.keyId).toBe(key.id);
  const play = httpOutputs['HTTP-FLV']!;
  expect(await play('signed', made.query, 0)).toBe('plays');
  const elsewhere = await admin.call(endpoints.createWatchLink, {
    ...{ pattern: 'live/signed', seconds: 60, address: '203.0.113.9' },
  });
  expect(await play('signed', elsewhere.query, 0)).toBe('403 link-wrong');
  const later = await admin.call(endpoints.createWatchLink, {
    ...{ pattern: 'live/signed', seconds: 60, startsAt: inSeconds(600) },
  });
  expect(await play('signed', later.query, 0)).toBe('403 link-wrong');
});

test('the operator’s service receives data about the viewer, and its refusal applies', async () => {
  const heard = target.received.filter(({ body }) => body.action === 'on_play').at(-1)?.body;
  expect(heard).toMatchObject({ app: 'live', stream: 'asked', ip: '127.0.0.1' });
  target.reply = (response, received) =>
    replyWith(200, received.body.action === 'on_play' ? '{"code":7}' : '0')(response, received);
  expect(await httpOutputs['HTTP-FLV']!('asked', 'guest=nobody', 0)).toBe('403 callback-refused');
  expect(await httpOutputs.HLS!('asked', 'guest=nobody', 0)).toBe('403 callback-refused');
  target.reply = replyWith(200, '0');
});

test('the password opens the stream for a while; guessing is throttled and blocks nobody else', async () => {
  const unlock = (guess: string) =>
    call(product, endpoints.unlockStream, { app: 'live', stream: 'locked', password: guess });
  const { query } = await unlock(password);
  for (const output of ['HTTP-FLV', 'HLS']) expect(await httpOutputs[output]!('locked', query, 0)).toBe('plays');
  expect(await httpOutputs['HTTP-FLV']!('signed', query, 0)).toBe('403 link-wrong');
  for (let guess = 0; guess < 4; guess++) await expect(unlock(`wrong ${guess}`)).rejects.toMatchObject({ status: 401 });
  await expect(unlock('wrong again')).rejects.toMatchObject({ status: 429, errorName: 'viewerThrottled' });
  expect(await httpOutputs['HTTP-FLV']!('locked', query, 0)).toBe('plays');
  await expect(
    call(product, endpoints.unlockStream, { app: 'live', stream: 'signed', password }),
  ).rejects.toMatchObject({ errorName: 'watchPasswordUnused' });
});

test('a forward can read a protected stream', async () => {
  await admin.call(endpoints.forwardSecret, {
    ...{
      action: 'update',
      platform: 'forwarding-inside',
      server: product.rtmpUrl(''),
      enabled: true,
      custom: true,
      label: 'in',
    },
    ...{ stream: 'signed', secret: `copied?${admin.publishQuery}` },
  });
  await until('the copy is live', async () =>
    (await admin.call(endpoints.queryStreams, {})).streams.some(({ stream }) => stream === 'copied'),
  );
  await admin.call(endpoints.removeForward, { platform: 'forwarding-inside' });
});

test('while the control plane is down links still work, and nothing else does', async () => {
  const again = product.output().length;
  await product.kill('platform');
  const play = httpOutputs['HTTP-FLV']!;
  const found = await Promise.all([play('signed', link('signed'), 1), play('signed', '', 0)]);
  expect(found).toEqual(['plays', '401 link-missing']);
  await until('it is back', async () => product.output().slice(again).includes('is ready') || isBack());
});
const isBack = async () => (await fetch(`${product.url}/terraform/v1/mgmt/check`)).ok;

test('the session ends with its authorization: expiry, a revoked key, a new rule', async () => {
  const playing = async (stream: string) =>
    (await Promise.all(gateways.map((gateway) => mediaServerClients(product, gateway))))
      .flat()
      .filter(({ name, type }) => name === stream && type === 'flv-play').length;
  const watch = async (stream: string, query: string) => {
    const response = await fetch(withQuery(`${product.url}/live/${stream}.flv`, query));
    expect(response.status).toBe(200);
    const readAll = async () => {
      for await (const _ of response.body!) void _;
    };
    return { ended: readAll().catch(() => undefined) };
  };
  await (await watch('signed', link('signed', inSeconds(2)))).ended;
  const lasting = await watch('signed', link('signed'));
  await until('it plays', async () => (await playing('signed')) === 1);
  await admin.call(endpoints.revokeWatchKey, { id: key.id });
  await lasting.ended;
  const open = await watch('open', '');
  await admin.call(endpoints.updateWatchRules, { rules: [{ pattern: '*', mode: 'signed' }] });
  await open.ended;
  await until('nobody is counted', async () => (await playing('open')) === 0);
  const file = readFileSync(join(product.dataDir, 'config', 'watching.json'), 'utf8');
  expect(file).not.toContain(password);
});
