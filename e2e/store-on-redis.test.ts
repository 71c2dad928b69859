// The store is a Redis that is killed, returns, is killed again, and returns empty. Meanwhile a stream is sent,
// watched, recorded and forwarded. Viewers are not affected, encoders are accepted, failed saves report the reason, and
// no server restarts.
import { endpoints } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  hasRedis,
  startRedis,
  type TestRedis,
  testClusterSecret,
} from '../packages/platform/src/testing/redis-server.ts';
import { type Admin, call, setUp } from './support/api.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type FlvWatch, watchFlv } from './support/flv-watch.ts';
import { type Product, startProduct, startRefused } from './support/product.ts';
import { forwardRow, untilState } from './support/scenario-rows.ts';
import { until } from './support/until.ts';

const password = 'a password for Redis';
const source = { video: {}, audio: {} };

describe.skipIf(!hasRedis)('the product with its store on Redis', () => {
  let redis: TestRedis;
  let product: Product;
  let admin: Admin;
  let viewer: FlvWatch;
  const cluster = () => ({ CLUSTER_URL: redis.url, CLUSTER_SECRET: testClusterSecret });
  beforeAll(async () => {
    redis = await startRedis();
    product = await startProduct(cluster());
    admin = await setUp(product, password);
  });
  afterAll(async () => {
    await product?.remove();
    await redis?.dispose();
  });
  afterEach(() => stopAllFfmpeg());

  const publish = (stream: string) => publishTestSource(product.rtmpUrl(`${stream}?${admin.publishQuery}`), source);
  const flvUrl = (stream: string) => `${product.url}/live/${stream}.flv`;
  const save = (text: string) => admin.call(endpoints.updateBeian, { beian: 'title', text });
  const forward = () => forwardRow(admin, 'forwarding-own');
  const untilRefused = () =>
    until('a write is refused', () =>
      save('not kept').then(
        () => false,
        ({ status, errorName }) => status === 503 && errorName === 'storeNotReady',
      ),
    );
  const untilSaved = (text: string) =>
    until('a write succeeds again', () =>
      save(text).then(
        () => true,
        () => false,
      ),
    );
  /** Maximum pause of a viewer on a busy machine, milliseconds. A broken stream would pause until it is published again. */
  const longestPauseMs = 2_000;

  it('continues without it, and without a restart when it is back', async () => {
    await save('kept');
    await admin.call(endpoints.applyRecord, { all: true });
    await publish('lobby').sending(25);
    viewer = await watchFlv(flvUrl('lobby'));
    const server = `rtmp://127.0.0.1:${product.ports.rtmp}/remote/`;
    const target = { action: 'update', platform: 'forwarding-own', server, secret: `arrived?${admin.publishQuery}` };
    await admin.call(endpoints.forwardSecret, { ...target, enabled: true, custom: true, label: 'own' });
    await untilState('running', forward);

    await redis.kill();
    await untilRefused();
    viewer.forget();
    await publish('newcomer').sending(50);
    await call(product, endpoints.login, { password });
    await expect(publishTestSource(product.rtmpUrl('stranger?secret=wrong'), source).sending(25)).rejects.toThrow();

    await redis.restart();
    await untilSaved('kept too');
    expect(await call(product, endpoints.queryBeian, {})).toMatchObject({ title: 'kept too' });
    await until('both streams are listed', async () => {
      const { streams } = await admin.call(endpoints.queryLive, {});
      return ['lobby', 'newcomer'].every((name) => streams.some(({ stream }) => stream === name));
    });
    expect(viewer.ended()).toBeUndefined();
    expect(viewer.longestPauseMs()).toBeLessThan(longestPauseMs);
    // Without the store, the node cannot prove that it holds the lease of the task, so the task ends and restarts.
    await untilState('running', forward);
    const ofLobby = async () => {
      const rows = await admin.call(endpoints.queryRecordFiles, {});
      return rows.filter(({ stream, nn }) => stream === 'lobby' && nn > 0);
    };
    await until('the stream is recorded', async () => (await ofLobby()).length > 0);
    expect(await ofLobby()).toHaveLength(1);
    expect(product.serversRunning()).toBe(2);
    expect(product.output()).not.toMatch(/server ended|metrics sample could not be taken/);

    viewer.forget();
    await redis.restart({ empty: true });
    await untilRefused();
    await publish('latecomer').sending(50);
    expect(await redis.client.dbsize()).toBe(0);
    expect(product.output()).toContain(
      'the store is empty or was replaced: nothing is saved until the previous store is restored',
    );
    expect(viewer.ended()).toBeUndefined();
    expect(viewer.longestPauseMs()).toBeLessThan(longestPauseMs);
    expect(product.serversRunning()).toBe(2);
    viewer.close();
  });

  it('does not use an empty store after the old one was lost', async () => {
    await product.stop();
    const { exitCode, output } = await startRefused({ ...cluster(), DATA_DIR: product.dataDir });
    expect(exitCode).not.toBe(0);
    expect(output).toMatch(
      /The store at redis:\/\/127\.0\.0\.1:\d+ is empty, but this server used a store there before/,
    );
    expect(await redis.client.dbsize()).toBe(0);
  });
});
