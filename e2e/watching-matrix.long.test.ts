// Playback authorization as a matrix: each access rule, each credential, each address of `outputs.ts`. The requests go to
// the gateway with the stream and to a gateway that copies it. A playing viewer is disconnected when its authorization
// ends.
import { endpoints, ladderConfig } from '@srs-stack/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CallbackTarget,
  replyWith,
  startCallbackTarget,
} from '../packages/platform/src/testing/callback-target.ts';
import { type Admin, call, setUp } from './support/api.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { mediaServerClients, type Product, startProduct } from './support/product.ts';
import { finished, recording } from './support/record-rows.ts';
import { until } from './support/until.ts';
import { type Files, findFiles } from './support/watch-matrix/files.ts';
import { inWordsOf, nameIn, outputs, webSocketTs, withQuery } from './support/watch-matrix/outputs.ts';
import { begin, type Playing, players } from './support/watch-matrix/players.ts';
import {
  inSeconds,
  link,
  promised,
  type Right,
  rightsOf,
  type WatchKey,
  type Way,
  ways,
} from './support/watch-matrix/rights.ts';

const gateways = [0, 1] as const;
const password = 'open sesame 123';
/** Simultaneous requests of one session: half of the maximum number of pending requests. */
const halfSession = 8;

let product: Product;
let admin: Admin;
let target: CallbackTarget;
let key: WatchKey;
const rights = new Map<Way, Right[]>();
const uuids = new Map<Way, string>();

beforeAll(async () => {
  product = await startProduct({ GATEWAYS: '2' });
  admin = await setUp(product, 'a long first password');
  target = await startCallbackTarget();
  target.reply = judgeViewers;
  await admin.call(endpoints.applyHooks, { all: true, target: target.url });
  await admin.call(endpoints.updateLowLatencyHls, { hlsLowLatency: true });
  await admin.call(endpoints.updateRewind, { minutes: 10, patterns: ['live/*'] });
  const steps = [{ height: 144, fps: 13, kbps: 100 }];
  const ladder = { enabled: true, steps, audioKbps: 0, maxRunning: ways.length, idleSeconds: 600 };
  await admin.call(endpoints.applyLadder, ladderConfig.parse({ ...ladder, speed: 'ultrafast' }));
  for (const way of ways) {
    await admin.call(endpoints.updateStreamRecording, { app: 'live', stream: way, record: true });
    const source = { video: { size: '320x180' }, audio: {} };
    publishTestSource(product.rtmpUrl(`${way}?${admin.publishQuery}`), source);
  }
  await makeRules();
  await Promise.all(ways.map(keepRecording));
});
afterAll(async () => {
  await stopAllFfmpeg();
  await target?.close();
  await product?.remove();
});

/** The operator's service refuses the stream `nobody`, and sets a validity only for the stream `asked`. */
const judgeViewers: CallbackTarget['reply'] = (response, received) => {
  const { action, stream } = received.body as { action: string; stream: string };
  if (action !== 'on_play') return replyWith(200, '0')(response, received);
  const responses: Readonly<Record<string, string>> = { nobody: '{"code":7}', asked: '{"code":0,"cache":300}' };
  return replyWith(200, responses[stream] ?? '0')(response, received);
};

async function makeRules(): Promise<void> {
  const revoked = await admin.call(endpoints.createWatchKey, {});
  key = await admin.call(endpoints.createWatchKey, {});
  await admin.call(endpoints.revokeWatchKey, { id: revoked.id });
  await admin.call(endpoints.updateWatchRules, {
    rules: [
      { pattern: 'live/signed', mode: 'signed' },
      { pattern: 'live/locked', mode: 'password', password },
      ...['asked', 'fresh', 'nobody'].map((way) => ({ pattern: `live/${way}`, mode: 'verdict' as const })),
    ],
  });
  const { query: unlocked } = await call(product, endpoints.unlockStream, { app: 'live', stream: 'locked', password });
  for (const stream of ways) {
    const { query: console } = await admin.call(endpoints.createConsoleLink, { app: 'live', stream });
    rights.set(stream, rightsOf({ stream, key, revoked, console, unlocked }));
  }
}

async function keepRecording(stream: Way): Promise<void> {
  const { uuid } = await recording(admin, stream, 2);
  await admin.call(endpoints.updateStreamRecording, { app: 'live', stream, record: false });
  await finished(admin, uuid);
  uuids.set(stream, uuid);
}

const baseOf = (gateway: number) => `http://127.0.0.1:${product.portsOf(gateway).http}`;
const opening = (stream: Way) => link(key, { stream, expires: inSeconds(600) });
const filesOf = (stream: Way, gateway: number): Promise<Files> =>
  findFiles({ url: baseOf(gateway), stream, query: opening(stream), uuid: uuids.get(stream)! });

describe.each(gateways)('gateway %i', (gateway) => {
  test.each(Object.entries(outputs))('%s', async (name, { ask, isFile = false }) => {
    const rows = await Promise.all(
      ways.map(async (stream) => {
        const files = await filesOf(stream, gateway);
        const cellOf = async ({ name: right, query, proof }: Right) => {
          const response = await ask({ product, gateway, stream, query, files });
          return [`${stream}: ${right}`, response, inWordsOf(name, promised(stream, proof, isFile))] as const;
        };
        const all = rights.get(stream)!;
        // All requests belong to one HLS session (`files`), in which at most 16 requests may wait for a part.
        const first = await Promise.all(all.slice(0, halfSession).map(cellOf));
        return [...first, ...(await Promise.all(all.slice(halfSession).map(cellOf)))];
      }),
    );
    const cells = rows.flat();
    const toTable = (column: 1 | 2) => Object.fromEntries(cells.map((cell) => [cell[0], cell[column]]));
    expect(toTable(1)).toEqual(toTable(2));
  });

  test('the watch page reveals nothing about a stream to unauthorized viewers', async () => {
    for (const stream of ways) {
      for (const { name, query, proof } of rights.get(stream)!) {
        const promise = promised(stream, proof, false);
        // The page does not query the operator's service, so credentials that the service must judge are skipped.
        if (promise === 'plays' && stream !== 'open' && proof !== 'valid') continue;
        const response = await fetch(withQuery(`${baseOf(gateway)}/watch/live/${stream}/info.json`, query));
        const info = (await response.json()) as { allowed: boolean; live: boolean | null; ways: string[] };
        const isPlayable = promise === 'plays';
        expect([info.allowed, info.live, info.ways.length > 0], `${stream}: ${name}`).toEqual(
          isPlayable ? [true, true, true] : [false, null, false],
        );
      }
    }
  });

  test('a WebSocket for another container does not exist', async () => {
    for (const stream of ['signed', 'locked'] as const) {
      const files = await filesOf(stream, gateway);
      expect(await webSocketTs({ product, gateway, stream, query: '', files })).toBe('nothing');
    }
  });
});

test('responses that need a credential are private to the viewer, others are public', async () => {
  const cachingOf = async (stream: Way) => {
    const { segment } = await filesOf(stream, 0);
    const response = await fetch(withQuery(baseOf(0) + segment, opening(stream)));
    await response.body?.cancel();
    return response.headers.get('cache-control')?.split(',')[0];
  };
  expect([await cachingOf('open'), await cachingOf('signed')]).toEqual(['public', 'private']);
});

/** Number of players of a stream in both gateways, without HLS. */
async function playersOf(stream: Way): Promise<number> {
  const clients = await Promise.all(gateways.map((gateway) => mediaServerClients(product, gateway)));
  return clients.flat().filter(({ name, type }) => name === stream && /-play$/.test(type) && type !== 'hls-play')
    .length;
}

/** Starts one player of each output of `players.ts` in each gateway, each with its own query. */
function playAll(stream: Way, toQuery: (attempt: number) => string): Promise<Playing[]> {
  const start = async (output: string, gateway: number): Promise<Playing> => {
    for (let attempt = 0; ; attempt++) {
      const playing = await begin(output, { product, gateway, stream, query: toQuery(attempt) });
      if (playing) return playing;
    }
  };
  return Promise.all(gateways.flatMap((gateway) => Object.keys(players).map((output) => start(output, gateway))));
}

/** Lifetime of a link that expires during playback, seconds. The lifetime doubles if the player starts too late on a busy machine. */
const briefSeconds = 5;

describe('a playing viewer is disconnected, over every output and in both gateways,', () => {
  test('when the link expires; the key is revoked; the password changes; the service refuses', async () => {
    const brief = (attempt: number) =>
      link(key, { stream: 'signed', expires: inSeconds(briefSeconds * 2 ** Math.min(attempt, 3)) });
    const expired = link(key, { stream: 'signed', expires: inSeconds(-1) });
    const { query: unlocked } = await call(product, endpoints.unlockStream, {
      app: 'live',
      stream: 'locked',
      password,
    });
    target.reply = (response, received) =>
      received.body.action === 'on_play' && received.body.stream === 'fresh'
        ? replyWith(200, '{"code":0,"cache":5}')(response, received)
        : judgeViewers(response, received);
    const files = await filesOf('signed', 1);
    // The internal readers that create the renditions stay connected.
    const own = new Map(await Promise.all(ways.map(async (way) => [way, await playersOf(way)] as const)));
    const onlyOwn = (way: Way) =>
      until(`nobody else is counted on ${way}`, async () => (await playersOf(way)) === own.get(way));
    const playing = await Promise.all([
      playAll('signed', brief),
      playAll('locked', () => unlocked),
      playAll('fresh', () => 'guest=who-is-sent-away'),
    ]);
    target.reply = (response, received) =>
      received.body.stream === 'fresh'
        ? replyWith(200, '{"code":7}')(response, received)
        : judgeViewers(response, received);
    await admin.call(endpoints.updateWatchRules, {
      rules: [
        { pattern: 'live/signed', mode: 'signed' },
        { pattern: 'live/locked', mode: 'password', password: 'another password' },
        ...['asked', 'fresh', 'nobody'].map((way) => ({ pattern: `live/${way}`, mode: 'verdict' as const })),
      ],
    });
    await until('all of them are ended', () => playing.flat().every(({ isOver }) => isOver()));
    for (const stream of ['signed', 'locked', 'fresh'] as const) await onlyOwn(stream);
    for (const path of [files.playlist, files.segment, files.lowLatency.next(), files.lowLatency.part]) {
      const response = await fetch(withQuery(baseOf(1) + path, expired));
      expect([response.status, nameIn(await response.text())], path).toEqual([401, 'link-expired']);
    }
    const lasting = await playAll('signed', () => opening('signed'));
    await admin.call(endpoints.revokeWatchKey, { id: key.id });
    await until('the publisher with the revoked key is disconnected', () => lasting.every(({ isOver }) => isOver()));
    await onlyOwn('signed');
  });
});
