// An operator enables the slate with an image. The console shows the slate when the source stops, and the source when it returns.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints, metricsPath } from '@srs-stack/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { launchChromium } from './support/chromium.ts';
import { type ConsolePage, field, openConsole, textsOf } from './support/console.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type Product, startProduct } from './support/product.ts';
import { until } from './support/until.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAJCAAAAAAeQfPuAAAAD0lEQVR4nGP4jwYYBokAAOAHj3GkYCoYAAAAAElFTkSuQmCC',
  'base64',
);
const metricsToken = 'only-for-prometheus';

let browser: Browser;
let product: Product;
let admin: Admin;
let view: ConsolePage;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-console-slate-'));
  writeFileSync(join(folder, 'slate.png'), png);
  writeFileSync(join(folder, 'notes.png'), 'no image, despite its name');
  browser = await launchChromium();
  product = await startProduct({ METRICS_TOKEN: metricsToken });
  admin = await setUp(product, 'a long first password');
  view = await openConsole(browser, product, admin, 'en');
});
afterAll(async () => {
  await stopAllFfmpeg();
  await view?.close();
  await browser?.close();
  await product?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const t = textsOf('en', 'features/settings/slates');
const streamTexts = (language: 'zh' | 'en') => textsOf(language, 'shared/streams');
const sinceText = (language: 'zh' | 'en') => {
  const [before, after] = streamTexts(language)('slateSince', { time: '|' }).split('|') as [string, string];
  return new RegExp(`^${before}.*\\d\\d.*${after}$`);
};
const go = (path: string, language: 'zh' | 'en' = 'en') => view.page.goto(`${product.url}/mgmt/${language}/${path}`);
const publish = async () => {
  const encoder = publishTestSource(product.rtmpUrl(`livestream?${admin.publishQuery}`), {
    video: { size: '320x180' },
    audio: {},
  });
  await encoder.sending(20);
  return encoder;
};
const metrics = async () => {
  const headers = { authorization: `Bearer ${metricsToken}` };
  return (await fetch(`${product.url}${metricsPath}`, { headers })).text();
};

test('the slate is switched on in its form, shown when the source stops, and gone when it returns', async () => {
  const { page } = view;
  let encoder = await publish();
  await go('routers-settings?tab=slate');
  await page.getByRole('switch', { name: t('enabled') }).click();
  await page.locator('input[type=file]').setInputFiles(join(folder, 'slate.png'));
  await page.getByRole('img', { name: t('picture.shown') }).waitFor();
  await field(page, t('after')).fill('1');
  await page.getByRole('button', { name: textsOf('en', 'shared/common')('save'), exact: true }).click();
  await page.getByText(t('saved')).waitFor();
  const stored = await admin.call(endpoints.querySlates, {});
  expect(stored).toMatchObject({ enabled: true, patterns: [], afterSeconds: 1, longestMinutes: 10 });
  expect(stored.image).not.toBe('');
  const row = page.getByRole('list', { name: t('streams.title') }).getByRole('listitem');
  await row.getByText(t('state.ready.name'), { exact: true }).waitFor();

  await encoder.stop('abruptly');
  await row.getByText(sinceText('en')).waitFor();
  await go('routers-scenario?tab=live', 'zh');
  await page.getByText(sinceText('zh')).waitFor();
  await go('routers-scenario?tab=live');
  await page.getByText(sinceText('en')).waitFor();
  await go('routers-streams');
  await page.getByText(sinceText('en')).waitFor();
  await go('routers-dashboard');
  await page.getByText(/^live\/livestream: slate on the air since/).waitFor();
  const shown = await metrics();
  expect(shown).toContain('srs_stack_slates_on_air 1\n');
  expect(shown).toContain('srs_stack_slates_shown_total 1\n');

  await go('routers-scenario?tab=live');
  await page.getByText(sinceText('en')).waitFor();
  encoder = await publish();
  await page.getByText(sinceText('en')).waitFor({ state: 'detached' });
  await until('no slate is counted as on the air', async () =>
    (await metrics()).includes('srs_stack_slates_on_air 0\n'),
  );
  await encoder.stop('gracefully');
  expect(view.errors).toEqual([]);
});

test('a title in Chinese is previewed as it is encoded, saved, and a stream begins with it', async () => {
  const { page } = view;
  const zh = textsOf('zh', 'features/settings/slates');
  await admin.call(endpoints.updateSlates, { enabled: false, image: '' });
  await go('routers-settings?tab=slate', 'zh');
  await field(page, zh('texts.title')).fill('直播马上开始');
  await field(page, zh('texts.text')).fill('请稍候');
  const preview = page.getByRole('img', { name: zh('picture.shown') });
  await preview.waitFor();
  const size = await preview.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth));
  expect(size).toBe(1280);
  await page.getByRole('button', { name: textsOf('zh', 'shared/common')('save'), exact: true }).click();
  await page.getByText(zh('saved')).waitFor();
  expect(await admin.call(endpoints.querySlates, {})).toMatchObject({ title: '直播马上开始', text: '请稍候' });

  await field(page, zh('start.stream')).fill('soon');
  await page.getByRole('button', { name: zh('start.button'), exact: true }).click();
  const row = page.getByRole('list', { name: zh('start.list') }).getByRole('listitem');
  await row.getByText(sinceText('zh')).waitFor();
  const { streams } = await admin.call(endpoints.queryLive, {});
  expect(streams).toMatchObject([{ stream: 'soon', video: { width: 1920, height: 1080 } }]);
  await row.getByRole('button', { name: zh('start.stop'), exact: true }).click();
  await row.waitFor({ state: 'detached' });
  await until('the stream has ended', async () => (await admin.call(endpoints.queryStreams, {})).streams.length === 0);
  expect(view.errors).toEqual([]);
});

test('a file that is no image is refused with its reason, and the stored image stays', async () => {
  const { page } = view;
  const image = png.toString('base64');
  await admin.call(endpoints.updateSlates, { enabled: true, image });
  const before = await admin.call(endpoints.querySlates, {});
  expect(before.image).not.toBe('');
  await go('routers-settings?tab=slate');
  await page.getByRole('img', { name: t('picture.shown') }).waitFor();
  await page.locator('input[type=file]').setInputFiles(join(folder, 'notes.png'));
  await page.getByRole('button', { name: textsOf('en', 'shared/common')('save'), exact: true }).click();
  await page.getByText(textsOf('en', 'shared/errors')('explained.watermarkUnusable.what')).first().waitFor();
  expect((await admin.call(endpoints.querySlates, {})).image).toBe(before.image);
  expect(view.errors).toEqual([]);
});
