// Recording to the cloud, by calls and in the console, with a fake Tencent Cloud that checks every signature.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cloudLinkPrefixes, type DvrRow, endpoints, storageKeys, type VodRow } from '@srs-stack/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { TencentDouble, testCloudSecret } from '../packages/platform/src/testing/tencent-double.ts';
import { type Admin, setUp } from './support/api.ts';
import { launchChromium, movingTestVideo, openPage } from './support/chromium.ts';
import { textsOf } from './support/console.ts';
import { publishHevc, publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { decodeErrors } from './support/ffprobe.ts';
import { type Product, startProduct } from './support/product.ts';
import { until } from './support/until.ts';

let cloud: TencentDouble;
let product: Product;
let admin: Admin;
let browser: Browser;

beforeAll(async () => {
  cloud = await new TencentDouble().start();
  product = await startProduct({ TENCENT_ENDPOINT: cloud.url });
  admin = await setUp(product, 'a long first password');
  browser = await launchChromium();
});
afterEach(async () => {
  cloud.trouble = 'none';
  await stopAllFfmpeg();
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
  await cloud?.close();
});

const publish = (stream: string) =>
  publishTestSource(product.rtmpUrl(`${stream}?${admin.publishQuery}`), { video: {}, audio: {} });
/** Polls for the newest task of the stream that meets the condition. Failed calls are ignored, because the platform restarts. */
const dvrTask = (stream: string, what: string, isMet: (row: DvrRow) => boolean) =>
  until(`${stream} ${what}`, async () =>
    (await admin.call(endpoints.queryDvrFiles, {}).catch(() => [])).find((row) => row.stream === stream && isMet(row)),
  );
const vodTask = (stream: string, what: string, isMet: (row: VodRow) => boolean) =>
  until(`${stream} ${what}`, async () =>
    (await admin.call(endpoints.queryVodFiles, {}).catch(() => [])).find((row) => row.stream === stream && isMet(row)),
  );
async function openDeprecated(language: 'zh' | 'en', tab: 'dvr' | 'vod'): Promise<{ page: Page; errors: string[] }> {
  const { page, errors } = await openPage(browser, language === 'zh' ? 'zh-CN' : 'en-US');
  await page.addInitScript(
    ([key, value]) => localStorage.setItem(key ?? '', value ?? ''),
    [storageKeys.token, JSON.stringify(admin.session)],
  );
  await page.goto(`${product.url}/mgmt/${language}/routers-scenario?tab=others&ctab=deprecated&dtab=${tab}`);
  return { page, errors };
}
const texts = textsOf('zh', 'features/cloud-recording');

test('the English page shows that it is not available', async () => {
  const { page, errors } = await openDeprecated('en', 'dvr');
  await page.getByText('On the way...', { exact: true }).waitFor();
  expect(await page.getByLabel('SecretId').count()).toBe(0);
  expect(errors).toEqual([]);
  await page.context().close();
});

test('configured in the console, a stream is uploaded to the bucket and plays from there', async () => {
  const { page, errors } = await openDeprecated('zh', 'dvr');
  await page.getByLabel('SecretId').fill(testCloudSecret.secretId);
  await page.getByLabel('SecretKey', { exact: true }).fill(testCloudSecret.secretKey);
  await page.getByRole('button', { name: texts('account.save') }).click();
  await page.getByText(texts('success.secretSaved')).waitFor();
  await page.getByText('AKID…hESA').waitFor();
  await page.getByRole('button', { name: texts('rules.title') }).click();
  await page.getByLabel(texts('rules.dvrAll')).check();
  await page.getByRole('button', { name: texts('rules.save') }).click();
  await page.getByText(texts('success.dvrSaved')).waitFor();
  expect(await admin.call(endpoints.queryDvr, {})).toEqual({ all: true, secret: true });
  await expect(admin.call(endpoints.applyVod, { all: true })).rejects.toMatchObject({
    errorName: 'cloudRecordingExclusive',
  });

  const publisher = publish('bucket');
  const row = await dvrTask('bucket', 'has three segments in the bucket', ({ uploaded }) => uploaded >= 3);
  expect(cloud.keys(row.uuid).every((key) => key.startsWith(`${row.bucket}/`))).toBe(true);
  const playlist = `${product.url}${cloudLinkPrefixes.dvr}${row.uuid}.m3u8`;
  expect(await (await fetch(playlist)).text()).toContain(`${cloud.url}/${row.bucket}/${row.uuid}/`);
  expect(await decodeErrors(playlist, { seconds: 3 })).toBe('');

  await page.reload();
  const item = page.locator('li', { hasText: 'live/bucket' });
  await item.getByText(texts('state.recording')).waitFor();
  const [player] = await Promise.all([
    page.context().waitForEvent('page'),
    item.getByRole('link', { name: texts('row.previewOf', { name: 'live/bucket' }) }).click(),
  ]);
  await movingTestVideo(player);
  await publisher.stop();
  expect(errors).toEqual([]);
  await page.context().close();
});

test('a bucket that denies access is shown in the list; a killed platform continues where it stopped', async () => {
  const publisher = publish('denied');
  const { uuid } = await dvrTask('denied', 'is in the bucket', ({ uploaded }) => uploaded >= 1);
  cloud.trouble = 'denied';
  const { page } = await openDeprecated('zh', 'dvr');
  const item = page.locator('li', { hasText: 'live/denied' });
  const waiting = await dvrTask('denied', 'reports the problem', ({ problemKind, nn, uploaded }) => {
    return problemKind === 'denied' && nn >= uploaded + 2;
  });
  expect(waiting.problem).toContain('AccessDenied');
  await page.reload();
  await item.getByText(texts('problem.denied')).waitFor();
  await product.kill('platform');
  await publisher.stop();
  await until('everything that is not in the bucket is here', async () => {
    const after = await dvrTask('denied', 'is known again', (row) => row.nn >= waiting.nn);
    const local = (await readdir(join(product.dataDir, 'dvr', uuid))).filter((name) => name.endsWith('.ts'));
    // Reports of the last segments may still arrive.
    return local.length === after.nn - after.uploaded;
  });
  cloud.trouble = 'none';
  const all = await dvrTask('denied', 'is in the bucket entirely', (row) => row.uploaded === row.nn);
  expect([all.uuid, all.nn >= waiting.nn]).toEqual([uuid, true]);
  expect(cloud.keys(uuid)).toHaveLength(all.nn);
  expect(await decodeErrors(`${product.url}${cloudLinkPrefixes.dvr}${uuid}.m3u8`, { seconds: 3 })).toBe('');
  await page.context().close();
});

test('VoD: a stream becomes a medium with an MP4, shown in the console', async () => {
  await admin.call(endpoints.applyDvr, { all: false });
  const { page, errors } = await openDeprecated('zh', 'vod');
  // At first, every setting is configured but no rule is switched on, so nothing is recorded.
  const box = page.getByLabel(texts('rules.vodAll'));
  await box.check();
  await page.getByRole('button', { name: texts('rules.save') }).click();
  await page.getByText(texts('success.vodSaved')).waitFor();
  const publisher = publish('medium');
  const { uuid } = await vodTask('medium', 'has two segments uploaded', ({ uploaded }) => uploaded >= 2);
  expect(await decodeErrors(`${product.url}${cloudLinkPrefixes.vod}${uuid}.m3u8`, { seconds: 1 })).toBe('');
  // A new codec ends the recording immediately. Without a new codec, the recording ends after 300 s of silence.
  await publisher.stop();
  const other = publishHevc(product.srtUrl('live/medium', admin.publishQuery));
  const done = await until('the first recording is a medium', async () =>
    (await admin.call(endpoints.queryVodFiles, {})).find((row) => row.uuid === uuid && row.state === 'done'),
  );
  await other.stop();
  expect(done.file).not.toBe('');
  expect(await decodeErrors(done.media)).toBe('');
  expect(
    await until('the MP4 is made', async () => (await vodTask('medium', 'is there', (row) => row.uuid === uuid)).task),
  ).toMatchObject({
    width: 640,
    height: 360,
  });
  await page.reload();
  const item = page.locator('li', { hasText: done.file });
  await item.getByText(texts('state.done')).waitFor();
  expect(await item.textContent()).toContain('640×360');
  expect(errors).toEqual([]);
  await page.context().close();
});
