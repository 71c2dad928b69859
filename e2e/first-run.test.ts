// A new installation through its API: set the password, log in, publish with the secret.
import { endpoints } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Admin, call, setUp } from './support/api.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type Product, startProduct } from './support/product.ts';
import { until } from './support/until.ts';

const password = 'a long first password';

describe('first run', () => {
  let product: Product;
  let admin: Admin;
  beforeAll(async () => {
    product = await startProduct();
  });
  afterEach(stopAllFfmpeg);
  afterAll(() => product?.remove());

  test('a new product reports that no password is set, and warns about it at start', async () => {
    expect(await call(product, endpoints.init, {})).toMatchObject({ init: false });
    expect(product.output()).toContain('No password is set yet');
  });

  test('the first password can be set once, and then logs in', async () => {
    admin = await setUp(product, password);
    expect(await call(product, endpoints.init, {})).toMatchObject({ init: true });
    await expect(call(product, endpoints.init, { password: 'another' })).rejects.toMatchObject({
      errorName: 'alreadyInitialised',
    });
    const session = await call(product, endpoints.login, { password });
    expect(await call(product, endpoints.renewToken, { token: session.token })).toHaveProperty('token');
  });

  test('a wrong password and a missing credential are refused', async () => {
    await expect(call(product, endpoints.login, { password: 'wrong' })).rejects.toMatchObject({
      errorName: 'passwordWrong',
    });
    await expect(call(product, endpoints.queryPublishSecret, {})).rejects.toMatchObject({ status: 401 });
  });

  test('a publisher with a wrong secret is refused and shown to the operator', async () => {
    const publisher = publishTestSource(product.rtmpUrl('refused?secret=wrong'), { video: {} });
    expect(await publisher.exited).not.toBe(0);
    const refusal = await until('the refusal is listed', async () => {
      const live = await admin.call(endpoints.queryLive, {});
      return live.refusals[0];
    });
    expect(refusal).toMatchObject({ stream: 'refused', reason: 'publish-secret-wrong', protocol: 'rtmp' });
  });

  test('a publisher with the right secret is live, with its properties, until it disconnects', async () => {
    const publisher = publishTestSource(product.rtmpUrl(`lobby?${admin.publishQuery}`), { video: {}, audio: {} });
    const stream = await until('the stream has video and audio', async () => {
      const { streams } = await admin.call(endpoints.queryLive, { app: 'live', stream: 'lobby' });
      return streams.find(({ video, audio }) => video && audio);
    });
    expect(stream).toMatchObject({
      publisherProtocol: 'rtmp',
      video: { width: 640, height: 360 },
      audio: { sampleRate: 48_000, channels: 2 },
    });
    await publisher.stop();
    await until('the stream is gone', async () => (await admin.call(endpoints.queryLive, {})).streams.length === 0);
  });

  test('a new publish secret is valid immediately', async () => {
    await admin.call(endpoints.updatePublishSecret, { secret: 'renewed' });
    const refused = publishTestSource(product.rtmpUrl(`lobby?${admin.publishQuery}`), { video: {} });
    expect(await refused.exited).not.toBe(0);
    const publisher = publishTestSource(product.rtmpUrl('lobby?secret=renewed'), { video: {} });
    await until('the stream is live', async () => (await admin.call(endpoints.queryLive, {})).streams.length === 1);
    await publisher.stop();
  });

  test('the password survives a restart, and the product stops gracefully', async () => {
    expect(await product.stop()).toBe(0);
    const again = await startProduct({ DATA_DIR: product.dataDir });
    try {
      expect(again.output()).not.toContain('No password is set yet');
      await expect(call(again, endpoints.login, { password })).resolves.toHaveProperty('token');
    } finally {
      await again.stop();
    }
  });
});
