// The first ten minutes of a new operator in a real browser: password, first card, a demo stream, list of first steps, command palette.
// The demo stream continues after the control plane was killed.
import { setTimeout as delay } from 'node:timers/promises';
import { endpoints, storageKeys, supportedLocales } from '@srs-stack/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { patience } from '../scripts/test-run/patience.ts';
import { call } from './support/api.ts';
import { launchChromium, movingTestVideo, openPage } from './support/chromium.ts';
import { textsOf } from './support/console.ts';
import { answersAgain, mediaServerClients, type Product, startProduct } from './support/product.ts';
import { until } from './support/until.ts';

/** Timeout for a page on a slow machine that runs other tests too, milliseconds. */
const pageTimeoutMs = 60_000 * patience;
/** Timeout of one check of the video, milliseconds. A check hangs when the page replaces the player meanwhile, and is then repeated. */
const patienceMs = 15_000;

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

describe.each(supportedLocales)('the first ten minutes in %s', (language) => {
  const password = 'a long first password';
  const setup = textsOf(language, 'features/setup');
  const tutorials = textsOf(language, 'features/tutorials');
  const palette = textsOf(language, 'app/palette');
  let product: Product;
  let page: Page;
  let errors: string[];

  beforeAll(async () => {
    product = await startProduct();
    ({ page, errors } = await openPage(browser, language === 'zh' ? 'zh-CN' : 'en-US'));
    page.setDefaultTimeout(pageTimeoutMs);
  });
  afterEach(() => expect(errors).toEqual([]));
  afterAll(async () => {
    await page?.context().close();
    await product?.remove();
  });

  const isAt = (path: string, search = '') =>
    page.waitForURL((at) => at.pathname === `/mgmt/${language}/${path}` && at.search === search);
  const heading = (key: string) => page.getByRole('heading', { name: tutorials(key), exact: true });
  const button = (key: string) => page.getByRole('button', { name: tutorials(key), exact: true });
  const doneStep = (key: string) => page.locator('a[data-done]', { hasText: tutorials(`steps.${key}.name`) });
  /** Whether the video plays; false also if the page replaces the player during the check. */
  const movesNow = () =>
    Promise.race([
      movingTestVideo(page).then(
        () => true,
        () => false,
      ),
      delay(patienceMs, false),
    ]);
  const token = () =>
    page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? '{}').token as string, storageKeys.token);
  const demo = async () => call(product, endpoints.queryDemoStream, { token: await token() });

  test('after the password is set, the first page shows the ways to start', async () => {
    await page.goto(`${product.url}/mgmt/${language}/`);
    await page.getByLabel(textsOf(language, 'features/login')('password'), { exact: true }).fill(password);
    await page.getByRole('button', { name: setup('submit'), exact: true }).click();
    await isAt('routers-scenario');
    await heading('next.quiet.title').waitFor();
    await doneStep('password').waitFor();
    expect(await page.locator('a[data-done]').count()).toBe(1);
    expect(await page.title()).toBe('SRS Stack');
  });

  test('the demo stream starts, its video moves, and the steps for publishing and watching are checked automatically', async () => {
    await button('ways.demo.button').click();
    await heading('next.demoOnAir.title').waitFor();
    await movingTestVideo(page);
    await doneStep('publish').waitFor();
    await doneStep('play').waitFor();
    await page.waitForFunction(() => document.title.startsWith('● '));
    const { enabled, stopsAt, command } = await demo();
    expect(enabled).toBe(true);
    expect(Date.parse(stopsAt)).toBeGreaterThan(Date.now());
    expect(command).toContain('rtmp://127.0.0.1:');
    expect(command).not.toMatch(/secret=(?!\*)/);
  });

  test('the palette opens a setting, a keyboard shortcut returns', async () => {
    await page.keyboard.press('Control+k');
    const search = page.getByRole('combobox', { name: palette('title') });
    await search.fill('https');
    await page.getByRole('option', { selected: true }).filter({ hasText: 'HTTPS' }).waitFor();
    await page.keyboard.press('Enter');
    await isAt('routers-settings', '?tab=https');
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await isAt('routers-scenario', '?tab=tutorials');
    await movingTestVideo(page);
  });

  test('the demo continues once after the control plane was killed, and ends as configured', async () => {
    const { stopsAt } = await demo();
    await product.kill('platform');
    await answersAgain(product);
    const runs = await until('the demo runs again', async () => {
      const now = await demo();
      return now.state === 'running' ? now : undefined;
    });
    expect(runs.stopsAt).toBe(stopsAt);
    const publishers = (await mediaServerClients(product)).filter(({ type }) => type.endsWith('publish'));
    expect(publishers).toHaveLength(1);
    await until('the video moves again', movesNow);
  });

  test('stopping the demo shows the ways to start again, and its publisher has ended', async () => {
    await button('demo.stop').click();
    await heading('next.quiet.title').waitFor();
    expect(await demo()).toMatchObject({ enabled: false, stopsAt: '', pid: 0 });
    await until('nobody publishes', async () => (await mediaServerClients(product)).length === 0);
    await page.waitForFunction(() => document.title === 'SRS Stack');
  });
});
