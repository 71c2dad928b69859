// A recording is uploaded to a bucket that was configured in the console. The platform is killed during the upload.
// The recording plays from the bucket after the server has deleted its local copy.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { endpoints, recordLinkPrefix } from '@srs-stack/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type BucketServer,
  serverBucket,
  serverKeys,
  startBucketServer,
} from '../packages/platform/src/testing/bucket-server.ts';
import { type Admin, setUp } from './support/api.ts';
import { launchChromium, movingTestVideo } from './support/chromium.ts';
import { openConsole, textsOf } from './support/console.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { decodeErrors } from './support/ffprobe.ts';
import { type Product, startProduct } from './support/product.ts';
import { lastSegmentOf, recording } from './support/record-rows.ts';
import { until } from './support/until.ts';

let bucket: BucketServer;
let product: Product;
let admin: Admin;
let browser: Browser;

beforeAll(async () => {
  bucket = await startBucketServer();
  product = await startProduct();
  admin = await setUp(product, 'a long first password');
  browser = await launchChromium();
});
afterAll(async () => {
  await stopAllFfmpeg();
  await browser?.close();
  await product?.remove();
  await bucket?.close();
});

const texts = textsOf('en', 'features/settings/object-storage');
const common = textsOf('en', 'shared/common');
const records = textsOf('en', 'features/records');

/** Undefined while the platform restarts. */
const rowOf = async (uuid: string) =>
  (await admin.call(endpoints.queryRecordFiles, { search: uuid }).catch(() => []))[0];

test('the bucket is entered, tested and saved in the console', async () => {
  const { page, errors, close } = await openConsole(browser, product, admin, 'en');
  await page.goto(`${product.url}/mgmt/en/routers-settings?tab=storage`);
  await page.getByLabel(texts('on.label')).check();
  await page.getByLabel(texts('endpoint.label')).fill(bucket.endpoint);
  await page.getByText(texts('endpoint.plain')).waitFor();
  await page.getByLabel(texts('bucket.label'), { exact: true }).fill(serverBucket);
  await page.getByLabel(texts('accessKey.label')).fill('NOBODY');
  await page.getByLabel(texts('secretKey.label'), { exact: true }).fill(serverKeys.secretKey);
  await page.getByRole('button', { name: texts('test.send'), exact: true }).click();
  await page.getByText(texts('test.failed.write')).waitFor();
  await page.getByLabel(texts('accessKey.label')).fill(serverKeys.accessKey);
  await page.getByRole('button', { name: texts('test.send'), exact: true }).click();
  await page.getByText(texts('test.ok')).waitFor();
  await page.getByLabel(texts('local.remove.name')).check();
  await page.getByRole('button', { name: common('save'), exact: true }).click();
  await page.getByText(texts('question.playlists')).waitFor();
  await page.getByRole('button', { name: common('confirm.continue') }).click();
  await page.getByText(texts('saved')).waitFor();
  const kept = await admin.call(endpoints.queryObjectStorage, {});
  expect(kept).toMatchObject({ on: true, local: 'remove', delivers: 'server', hasSecretKey: true });
  expect(errors).toEqual([]);
  await close();
});

test('a recording arrives byte for byte and is played from the bucket when the server has no copy', async () => {
  await admin.call(endpoints.applyRecord, { all: true });
  bucket.requests.length = 0;
  bucket.behave = ({ what }) => (what === 'put' ? 'hang' : 'pass');
  const publisher = publishTestSource(product.rtmpUrl(`film?${admin.publishQuery}`), { video: {}, audio: {} });
  const { uuid } = await recording(admin, 'film', 2);
  await publisher.stop();
  // A segment that arrives after the end of a recording would start a new recording.
  await lastSegmentOf(product, admin, 'film');
  await admin.call(endpoints.endRecord, { uuid });

  const isAsked = () => bucket.requests.some(({ what }) => what === 'put');
  await until('the recording is being uploaded', isAsked);
  const file = join(product.dataDir, 'record', uuid, 'index.mp4');
  const mp4 = await readFile(file);
  const [transfer] = await admin.call(endpoints.queryObjectTransfers, {});
  expect(transfer).toMatchObject({ uuid, state: 'sending', sizeBytes: mp4.length });
  await product.kill('platform');
  expect(await readFile(file)).toEqual(mp4);
  bucket.behave = () => 'pass';
  const row = await until('only the bucket has it', async () => {
    const found = await rowOf(uuid);
    return found?.place === 'bucket' ? found : undefined;
  });
  const object = await fetch(`${bucket.endpoint}/${row.object.slice('s3://'.length)}`);
  expect(Buffer.from(await object.arrayBuffer()).equals(mp4)).toBe(true);
  await until('the local copy is gone', () =>
    stat(file).then(
      () => false,
      () => true,
    ),
  );

  const link = `${product.url}${recordLinkPrefix}${uuid}/index.mp4`;
  const whole = await fetch(`${link}?download=1`);
  expect(whole.headers.get('content-disposition')).toContain('attachment');
  expect(Buffer.from(await whole.arrayBuffer()).equals(mp4)).toBe(true);
  const part = await fetch(link, { headers: { range: 'bytes=1000-1999' } });
  expect([part.status, Buffer.from(await part.arrayBuffer()).equals(mp4.subarray(1000, 2000))]).toEqual([206, true]);
  expect(await decodeErrors(link, { seconds: 3 })).toBe('');

  const { page, errors, open, close } = await openConsole(browser, product, admin, 'en');
  await open('record');
  const item = page.locator('li', { hasText: 'live/film' });
  await item.getByText(records('place.bucket'), { exact: true }).waitFor();
  await item.getByRole('button', { name: records('row.play', { name: 'live/film' }) }).click();
  await movingTestVideo(page);
  await item.getByText(records('details.object')).waitFor();
  const playlist = encodeURIComponent(`${recordLinkPrefix}${uuid}.m3u8`);
  await page.goto(`${product.url}/tools/player.html?url=${playlist}`);
  await movingTestVideo(page);
  expect(errors).toEqual([]);

  await admin.call(endpoints.removeRecord, { uuid, forever: true });
  await until('the object is deleted, too', async () => {
    const { status } = await fetch(`${bucket.endpoint}/${row.object.slice('s3://'.length)}`);
    return status === 404;
  });
  await close();
});
