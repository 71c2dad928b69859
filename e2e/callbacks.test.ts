// The operator's own service authorizes real publishers. The service accepts FFmpeg, refuses FFmpeg, hangs, and returns garbage.
import { endpoints } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type CallbackTarget,
  replyNever,
  replyWith,
  startCallbackTarget,
} from '../packages/platform/src/testing/callback-target.ts';
import { type Admin, setUp } from './support/api.ts';
import { type FfmpegRun, publishTestSource, runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type Product, startProduct } from './support/product.ts';
import { until } from './support/until.ts';

let product: Product;
let admin: Admin;
let target: CallbackTarget;
beforeAll(async () => {
  product = await startProduct();
  admin = await setUp(product, 'a long first password');
});
afterAll(() => product?.remove());
beforeEach(async () => {
  target = await startCallbackTarget();
  await admin.call(endpoints.applyHooks, { all: true, target: target.url, opaque: 'e2e' });
});
afterEach(async () => {
  await stopAllFfmpeg();
  await target.close();
});

const source = { video: {}, audio: {} };
const publish = (stream: string): FfmpegRun =>
  publishTestSource(product.rtmpUrl(`${stream}?${admin.publishQuery}`), source);
const liveNames = async () => (await admin.call(endpoints.queryStreams, {})).streams.map(({ stream }) => stream);
const isLive = (stream: string) => until(`${stream} is live`, async () => (await liveNames()).includes(stream));
const refusals = async () => (await admin.call(endpoints.queryLive, {})).refusals;
const newest = async () => (await admin.call(endpoints.queryHookDeliveries, { limit: 1 })).deliveries[0];

test('a publisher that the target accepts is admitted, and its end is reported', async () => {
  const ended = target.next('on_unpublish');
  const publisher = publish('allowed');
  await isLive('allowed');
  const [request] = target.received;
  expect(request?.body).toMatchObject({ action: 'on_publish', app: 'live', stream: 'allowed', opaque: 'e2e' });
  await publisher.stop();
  expect((await ended).body).toMatchObject({ action: 'on_unpublish', stream: 'allowed' });
  const { req, res } = await admin.call(endpoints.queryHooks, {});
  await until('the last exchange is kept', async () => {
    return JSON.parse((await admin.call(endpoints.queryHooks, {})).req).action === 'on_unpublish';
  });
  expect(res).toBe('0');
  expect(req).not.toContain(admin.publishQuery.split('=')[1]);
});

test.each([
  ['a code', replyWith(200, '{"code":1}'), 'code'],
  ['garbage', replyWith(200, '<html>who are you</html>'), 'not-understood'],
  ['nothing', replyWith(200, ''), 'empty'],
  ['a redirect', replyWith(302, '', { location: 'http://127.0.0.1:9/' }), 'status'],
  ['an error', replyWith(500, 'boom'), 'status'],
] as const)('a publisher is refused by %s', async (title, reply, problem) => {
  target.reply = reply;
  const stream = `denied-${title.replaceAll(' ', '-')}`;
  const publisher = publish(stream);
  expect(await publisher.exited).not.toBe(0);
  expect(await liveNames()).not.toContain(stream);
  expect(await newest()).toMatchObject({ outcome: 'refused', problem, action: 'on_publish' });
  const refusal = await until('the live view shows it', async () =>
    (await refusals()).find((each) => each.stream === stream),
  );
  expect(refusal).toMatchObject({ reason: 'callback-refused', action: 'publish' });
});

test('a target that hangs delays only its own publisher, which is finally refused', async () => {
  target.reply = (response, received) => {
    if (received.body.stream === 'hanging') replyNever(response, received);
    else replyWith(200, '0')(response, received);
  };
  const request = target.next('on_publish');
  const hanging = publish('hanging');
  await request;
  const other = publish('quick');
  await isLive('quick');
  const viewer = runFfmpeg(['-i', `${product.url}/live/quick.flv`, '-c', 'copy', '-f', 'null', '-']);
  await viewer.sending(25);
  expect(await liveNames()).toEqual(['quick']);
  expect(await hanging.exited).not.toBe(0);
  const timeout = await until('the timeout is in the log', async () => {
    const { deliveries } = await admin.call(endpoints.queryHookDeliveries, { limit: 10 });
    return deliveries.find(({ problem }) => problem === 'timeout');
  });
  expect(timeout).toMatchObject({
    outcome: 'failed',
    action: 'on_publish',
  });
  await viewer.sending(75);
  await other.stop();
});

test('the built-in example target accepts and refuses, also over HTTPS with its self-signed certificate', async () => {
  const example = (fail: boolean) => `${endpoints.hooksExample.path}?fail=${fail}`;
  const secure = `https://127.0.0.1:${product.ports.https}`;
  await until(
    'the first certificate is there',
    async () => (await admin.call(endpoints.queryCertificateStatus, {})).certificate,
  );
  await admin.call(endpoints.applyHooks, { all: true, target: product.url + example(true), opaque: '' });
  expect(await publish('example').exited).not.toBe(0);
  await until('HTTPS responds', async () => {
    return (await admin.call(endpoints.testHooks, { target: secure + example(false) })).outcome === 'accepted';
  });
  await admin.call(endpoints.applyHooks, { all: true, target: secure + example(false), opaque: '' });
  publish('example');
  await isLive('example');
});

test('a call that imitates the media server is refused, also from loopback', async () => {
  const response = await fetch(`${product.url}${endpoints.verifyStream.path}`, {
    method: 'POST',
    body: JSON.stringify({ action: 'on_play', app: 'live', stream: 'x' }),
  });
  expect(response.status).toBe(403);
  expect((await response.json()).data.name).toBe('callbackSourceRefused');
});
