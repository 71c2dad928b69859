// The Transcode page in a real browser, in both languages. Settings are validated and saved.
// The transcode waits for its source, runs, plays in the page, and is stopped.
import { endpoints, supportedLocales } from '@srs-stack/contract';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { launchChromium, movingTestVideo } from './support/chromium.ts';
import { type ConsolePage, field, openConsole, textsOf } from './support/console.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type Product, startProduct } from './support/product.ts';
import { ffmpegsWith, transcodeTask } from './support/scenario-rows.ts';

let browser: Browser;
let product: Product;
let admin: Admin;
beforeAll(async () => {
  [browser, product] = await Promise.all([launchChromium(), startProduct()]);
  admin = await setUp(product, 'console transcode password');
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});

describe.each(supportedLocales)('the Transcode page in %s', (language) => {
  const transcode = textsOf(language, 'features/transcode');
  const worker = textsOf(language, 'shared/worker');
  const errors = textsOf(language, 'shared/errors');
  let console: ConsolePage;

  beforeEach(async () => {
    console = await openConsole(browser, product, admin, language);
  });
  afterEach(async () => {
    const problems = [...console.errors];
    await console.close();
    await admin.call(endpoints.applyTranscode, { all: false });
    await stopAllFfmpeg();
    expect(problems).toEqual([]);
  });

  test('settings are validated, the result is shown, and it is stopped', async () => {
    const { page } = console;
    await console.open('transcode');
    await page.getByText(transcode('introduction.what')).waitFor();
    const status = page.getByRole('region', { name: transcode('status.title') });
    await status.getByText(worker('phase.inactive'), { exact: true }).waitFor();
    const value = (name: string) => field(page, transcode(`field.${name}`)).inputValue();
    const names = ['vbitrate', 'abitrate', 'vcodec', 'vprofile', 'vpreset', 'acodec', 'server', 'secret'];
    expect(await Promise.all(names.map(value))).toEqual([
      ...['1200 Kbps', '64 Kbps', 'libx264', 'baseline', 'faster', 'aac'],
      `rtmp://127.0.0.1:${product.ports.rtmp}/live/`,
      `livestream-trans?${admin.publishQuery}`,
    ]);

    const start = page.getByRole('button', { name: transcode('start') });
    const vbitrate = field(page, transcode('field.vbitrate'));
    await vbitrate.fill('99');
    await start.click();
    const refusal = { field: transcode('field.vbitrate'), value: '99', rule: transcode('rule.vbitrate') };
    await page.getByRole('alert').getByText(transcode('invalid', refusal)).waitFor();
    expect((await transcodeTask(admin)).enabled).toBe(false);

    await vbitrate.fill('300');
    await page.getByText(transcode('channels.1'), { exact: true }).click();
    await field(page, transcode('field.vpreset')).click();
    await page.getByRole('option', { name: 'ultrafast' }).click();
    await page.getByRole('button', { name: transcode('advanced') }).click();
    await field(page, transcode('field.height')).click();
    await page.getByRole('option', { name: transcode('size.rows', { height: '360' }), exact: true }).click();
    await page
      .getByLabel(transcode('watermark.file'))
      .setInputFiles({ name: 'no-picture.png', mimeType: 'image/png', buffer: Buffer.from('GIF89a') });
    await page.getByRole('alert').getByText(errors('explained.watermarkUnusable.what')).waitFor();
    await page
      .getByLabel(transcode('watermark.file'))
      .setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: dot });
    const preview = { corner: transcode('corner.top-right'), percent: '15' };
    await page.getByAltText(transcode('watermark.previewAlt', preview)).waitFor();
    await start.click();
    await page.getByText(transcode('saved.started')).waitFor();
    await status.getByText(worker('phase.waiting'), { exact: true }).waitFor();
    await status.getByText(transcode('status.waitTitle')).waitFor();
    const stop = page.getByRole('button', { name: transcode('stop') });
    await stop.waitFor();

    const source = `transcoded-${language}`;
    const audio = { layout: 'stereo' };
    publishTestSource(product.rtmpUrl(`${source}?${admin.publishQuery}`), { video: {}, audio });
    await status.getByText(transcode('transcoding'), { exact: true }).waitFor();
    await movingTestVideo(page);
    expect((await transcodeTask(admin)).command).toMatch(/min\(360,ih\).*overlay=/);
    const fact = (name: string) =>
      status.locator('dt', { hasText: new RegExp(`^${transcode(`status.${name}`)}$`) }).locator('xpath=../dd');
    expect(await fact('input').textContent()).toBe(`live/${source}`);
    expect(await fact('output').textContent()).toBe(
      `rtmp://127.0.0.1:${product.ports.rtmp}/live/livestream-trans?secret=******`,
    );
    expect(await fact('update').textContent()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    await fact('log')
      .and(status.locator('dd', { hasText: /frame=.*time=.*speed=/ }))
      .waitFor();
    await status.getByRole('heading', { name: transcode('comparison.source') }).waitFor();
    await status.getByRole('heading', { name: transcode('comparison.result') }).waitFor();
    await status.getByText(/AAC-LC [\d.]+ kHz (mono|1 声道)/).waitFor();

    await stop.click();
    await page.getByText(transcode('saved.stopped')).waitFor();
    await status.getByText(worker('phase.inactive'), { exact: true }).waitFor();
    await start.waitFor();
    expect(ffmpegsWith(`${product.ports.rtmp}/live/livestream-trans`)).toEqual([]);

    await admin.call(endpoints.applyTranscode, neverSaved);
  });
});

const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
/** Defaults of a new installation, restored for the test in the second language. */
const neverSaved = { all: false, vcodec: '', acodec: '', vprofile: '', vpreset: '', server: '', secret: '' };
