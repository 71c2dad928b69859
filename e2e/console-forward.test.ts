// The Forward page in a real browser, in both languages. A target is filled in, started, waits for its source, and forwards.
// The stream is watched at its target. Then the forward is stopped.
import { endpoints } from '@srs-stack/contract';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { launchChromium, movingTestVideo } from './support/chromium.ts';
import { type ConsolePage, field, openConsole, platforms, textsOf } from './support/console.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type Product, startProduct } from './support/product.ts';
import { ffmpegsWith } from './support/scenario-rows.ts';
import { until } from './support/until.ts';

let browser: Browser;
let product: Product;
let admin: Admin;
const walks = [
  { language: 'zh', way: 'engine' },
  { language: 'en', way: 'ffmpeg' },
] as const;

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

const columns = { zh: undefined, en: ['#', 'Platform', 'Status', 'Update', 'Source Stream', 'Logging'] } as const;

describe.each(walks)('the Forward page in $language with $way', ({ language, way }) => {
  const forward = textsOf(language, 'features/forwards');
  const target = textsOf(language, 'shared/push-target');
  const worker = textsOf(language, 'shared/worker');
  const [first, second] = platforms[language];
  let console: ConsolePage;

  beforeAll(async () => {
    product = await startProduct({ FORWARD_WITH: way });
    admin = await setUp(product, 'console forward password');
  });
  afterAll(() => product?.remove());

  beforeEach(async () => {
    console = await openConsole(browser, product, admin, language);
  });
  afterEach(async () => {
    const errors = [...console.errors];
    await console.close();
    for (const platform of Object.keys((await admin.call(endpoints.forwardSecret, {})) ?? {}))
      await admin.call(endpoints.removeForward, { platform });
    await stopAllFfmpeg();
    expect(errors).toEqual([]);
  });

  test('a delay is saved, or refused with the reason where FFmpeg forwards', async () => {
    const { page } = console;
    await console.open('forward');
    const form = await console.section(first);
    await field(form, target('server')).fill('rtmp://127.0.0.1:1/remote/');
    await field(form, target('key')).fill('key');
    await field(form, forward('delay.label')).fill('61');
    await form.getByRole('button', { name: forward('start') }).click();
    await form.getByText(forward('problem.delay')).waitFor();
    await field(form, forward('delay.label')).fill('20');
    await form.getByRole('button', { name: forward('start') }).click();
    if (way === 'ffmpeg')
      await page
        .getByText(/FFmpeg forwards this target, and FFmpeg cannot delay/i)
        .first()
        .waitFor();
    else {
      await page.getByText(forward('saved.started')).waitFor();
      expect(Object.values((await admin.call(endpoints.forwardSecret, {})) ?? {})).toMatchObject([
        { delaySeconds: 20 },
      ]);
    }
  });

  test('a target is filled in, waits, forwards the stream and is stopped', async () => {
    const { page } = console;
    const source = `source-${language}`;
    const copy = `copy-${language}`;
    await console.open('forward');
    for (const title of [forward('introduction.title'), ...platforms[language], forward('status.title')])
      await page.getByRole('button', { name: new RegExp(`^${title}`) }).waitFor();
    expect(await console.isOpen(first)).toBe(true);

    const form = await console.section(first);
    await form.getByRole('button', { name: forward('start') }).click();
    await form.getByText(forward('problem.server')).waitFor();
    await form.getByLabel(target('custom.name')).check();
    await field(form, target('server')).fill(`rtmp://127.0.0.1:${product.ports.rtmp}/remote/`);
    await form.getByRole('button', { name: forward('start') }).click();
    await form.getByText(forward('problem.label')).waitFor();
    await field(form, target('label.required')).fill(`Second ${language}`);
    await field(form, target('key')).fill(`${copy}?${admin.publishQuery}`);
    await field(form, target('source.label')).fill(source);
    expect(await admin.call(endpoints.forwardStreams, {})).toEqual([]);
    await form.getByRole('button', { name: forward('start') }).click();
    await page.getByText(forward('saved.started')).waitFor();
    await form.getByRole('button', { name: forward('stop') }).waitFor();

    const status = await console.section(forward('status.title'));
    const table = status.getByRole('table', { name: forward('status.title') });
    const headers = await table.getByRole('columnheader').allTextContents();
    const names = ['number', 'platform', 'status', 'update', 'source', 'logging'].map((name) =>
      worker(`column.${name}`),
    );
    expect(headers).toEqual(names);
    expect(headers).toEqual(columns[language] ?? headers);
    const row = table.locator('tbody').first();
    await row.getByRole('status').getByText(worker('phase.waiting'), { exact: true }).waitFor();
    await row.getByText(worker('reason.source-not-live.what')).waitFor();

    publishTestSource(product.rtmpUrl(`${source}?${admin.publishQuery}`), { video: {}, audio: {} });
    // The page must update without a click, by polling.
    await row.getByRole('status').getByText(forward('forwarding'), { exact: true }).waitFor();
    const cell = (name: string) => row.locator(`td[data-column="${name}"]`);
    expect(await cell('number').textContent()).toBe('1');
    expect(await cell('platform').textContent()).toContain(`Second ${language}`);
    expect(await cell('update').textContent()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(await cell('source').textContent()).toBe(`live/${source}`);
    expect(await cell('logging').textContent()).toMatch(/frame=.*time=.*speed=/);

    const viewer = await page.context().newPage();
    await viewer.goto(`${product.url}/tools/player.html?url=${product.url}/remote/${copy}.flv`);
    await movingTestVideo(viewer);
    await viewer.close();

    await row.getByRole('button', { name: worker('toTarget', { name: `Second ${language}` }) }).click();
    await form.getByRole('button', { name: forward('stop') }).click();
    await page.getByText(forward('saved.stopped')).waitFor();
    await form.getByRole('button', { name: forward('start') }).waitFor();
    await console.section(forward('status.title'));
    await row.getByRole('status').getByText(worker('phase.inactive'), { exact: true }).waitFor();
    expect(ffmpegsWith(`${product.ports.rtmp}/remote/${copy}`)).toEqual([]);
    await until('the target no longer gets the stream', async () => {
      const { streams } = await admin.call(endpoints.queryStreams, {});
      return streams.every(({ stream }) => stream !== copy);
    });

    // No platform is enabled, so the page opens the first platform that is not configured.
    await page.reload();
    await page.getByRole('button', { name: new RegExp(`^${second}`) }).waitFor();
    expect(await console.isOpen(second)).toBe(true);
  });
});
