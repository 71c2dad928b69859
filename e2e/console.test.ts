// The first use by an operator in a real browser: set the password, log in, copy the publish address, watch the video.
import { mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium, movingTestVideo, openPage } from './support/chromium.ts';
import { publishClip, stopAllFfmpeg } from './support/ffmpeg.ts';
import { walkedIn } from './support/length.ts';
import { answersAgain, type Product, startProduct } from './support/product.ts';
import { smallClip } from './support/test-source.ts';

interface Words {
  readonly language: 'zh' | 'en';
  readonly browserLocale: 'zh-CN' | 'en-US';
  readonly password: string;
  readonly setPassword: string;
  readonly logIn: string;
  readonly copyServer: string;
  readonly copyStreamKey: string;
  readonly hls: string;
  readonly simplePlayer: string;
}

function textsOf(language: 'zh' | 'en'): Words {
  const source = new URL('../packages/console/src/', import.meta.url);
  const read = (folder: string) =>
    JSON.parse(readFileSync(new URL(`${folder}/locales/${language}.json`, source), 'utf8'));
  const [setup, login, live, common] = ['features/setup', 'features/login', 'features/live', 'shared/common'].map(read);
  const copy = (name: string) => common.copy.label.replace('{{name}}', name);
  return {
    language,
    browserLocale: language === 'zh' ? 'zh-CN' : 'en-US',
    password: login.password,
    setPassword: setup.submit,
    logIn: login.submit.idle,
    copyServer: copy(live.guide.server),
    copyStreamKey: copy(live.guide.streamKey),
    hls: live.card.hls,
    simplePlayer: live.guide.simplePlayer,
  };
}

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

describe.each(walkedIn('en'))('the console in %s', (language) => {
  const password = 'a long first password';
  let product: Product;
  let words: Words;
  let page: Page;
  let errors: string[];

  beforeAll(async () => {
    words = textsOf(language);
    product = await startProduct();
    ({ page, errors } = await openPage(browser, words.browserLocale));
  });
  afterEach(() => expect(errors).toEqual([]));
  afterAll(async () => {
    await stopAllFfmpeg();
    await page?.context().close();
    await product?.remove();
  });

  const url = (path: string) => `${product.url}/mgmt/${language}/${path}`;
  const isAt = (path: string) => page.waitForURL((at) => at.pathname === `/mgmt/${language}/${path}`);
  const button = (name: string) => page.getByRole('button', { name, exact: true }).first();

  test('a new server requests a password and then opens the scenarios', async () => {
    await page.goto(url('routers-login'));
    await page.getByLabel(words.password, { exact: true }).fill(password);
    await button(words.setPassword).click();
    await isAt('routers-scenario');
  });

  test('the copied publish address works for an encoder; the video appears in the page and moves', async () => {
    await page.goto(`${url('routers-scenario')}?tab=live`);
    const server = await copied(button(words.copyServer));
    const streamKey = await copied(button(words.copyStreamKey));
    expect(server).toBe(`rtmp://127.0.0.1:${product.ports.rtmp}/live/`.replace(/\/$/, server.endsWith('/') ? '/' : ''));
    expect(streamKey).toMatch(/^livestream\?secret=\w+/);
    publishClip(`${server.replace(/\/$/, '')}/${streamKey}`, { clip: smallClip() });
    await movingTestVideo(page);
    const segment = page.waitForResponse((response) => /\/live\/livestream.*\.ts(?:\?|$)/.test(response.url()));
    await page.locator('label', { hasText: words.hls }).click();
    expect((await segment).ok()).toBe(true);
    await movingTestVideo(page);
  });

  test('the player pages show the moving video without a login', async () => {
    const links = await page
      .getByRole('link', { name: words.simplePlayer })
      .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
    expect(links.some((link) => link.includes('.flv'))).toBe(true);
    expect(links.some((link) => link.includes('.m3u8'))).toBe(true);
    await page.goto('about:blank'); // the console must not play while the player pages are tested
    const stranger = await openPage(browser, words.browserLocale);
    try {
      for (const link of links) {
        await stranger.page.goto(link);
        await movingTestVideo(stranger.page);
      }
      expect(stranger.errors).toEqual([]);
    } finally {
      await stranger.page.context().close();
    }
  });

  test('takes the screenshot of the Live page for the README', async () => {
    await page.goto(`${url('routers-scenario')}?tab=live`);
    await movingTestVideo(page);
    const folder = fileURLToPath(new URL('../artifacts', import.meta.url));
    mkdirSync(folder, { recursive: true });
    const picture = await page.screenshot({ path: `${folder}/live-${language}.png` });
    expect(picture.length).toBeGreaterThan(10_000);
  });

  test('the console recovers by itself when the control plane was killed', async () => {
    await product.kill('platform');
    await answersAgain(product);
    await movingTestVideo(page);
    await page.reload();
    await movingTestVideo(page);
  });

  test('a reload keeps the login; the start page redirects to the scenarios', async () => {
    await page.reload();
    await isAt('routers-scenario');
    await page.goto(`${product.url}/`);
    await isAt('routers-scenario');
  });

  test('after a logout the password logs in again', async () => {
    await page.goto(url('routers-logout'));
    await isAt('routers-login');
    await page.goto(url('routers-scenario'));
    await page.getByLabel(words.password, { exact: true }).fill(password);
    await button(words.logIn).click();
    await page.getByRole('navigation').first().waitFor();
    await isAt('routers-scenario');
  });

  async function copied(copyButton: Locator): Promise<string> {
    await copyButton.click();
    return page.evaluate(() => navigator.clipboard.readText());
  }
});
