// Two real publishers and a viewer, on the page of all streams and in the media server console.
// The media server console uses only the HTTP API of SRS.
import { supportedLocales } from '@srs-stack/contract';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { launchChromium, movingTestVideo, openPage } from './support/chromium.ts';
import { type ConsolePage, openConsole, textsOf } from './support/console.ts';
import { type FfmpegRun, publishTestSource, runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { mediaServerClients, type Product, startProduct } from './support/product.ts';
import { until } from './support/until.ts';

let product: Product;
let admin: Admin;
let browser: Browser;

const sound = { sampleRate: 44_100 };

beforeAll(async () => {
  product = await startProduct();
  admin = await setUp(product, 'streams e2e password');
  browser = await launchChromium();
  const longGop = { video: { size: '320x180', gopSeconds: 8 }, audio: sound };
  const fine = { video: { size: '480x270', gopSeconds: 1 }, audio: sound };
  const srt = `srt://127.0.0.1:${product.ports.srt}?mode=caller&streamid=#!::r=live/camera,${admin.publishQuery},m=publish`;
  await Promise.all([
    publishTestSource(product.rtmpUrl(`lobby?${admin.publishQuery}`), longGop).sending(),
    publishTestSource(srt, fine).sending(),
  ]);
  await until('both streams are there', async () => (await mediaServerClients(product)).length === 2);
});

afterAll(async () => {
  await browser?.close();
  await stopAllFfmpeg();
  await product?.remove();
});

async function watch(stream: string): Promise<FfmpegRun> {
  const viewer = runFfmpeg(['-i', `${product.url}/live/${stream}.flv`, '-c', 'copy', '-f', 'null', '-']);
  await until(`somebody watches ${stream}`, async () =>
    (await mediaServerClients(product)).some(({ type, name }) => type === 'flv-play' && name === stream),
  );
  return viewer;
}

const rowOf = (page: Page, stream: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('button', { name: `live/${stream}`, exact: true }) });

async function openDetails(page: Page, stream: string): Promise<Locator> {
  await page.getByRole('button', { name: `live/${stream}`, exact: true }).click();
  return page.getByRole('dialog', { name: `live/${stream}` });
}

async function kickViewer(page: Page, details: Locator, words: Words): Promise<void> {
  await details.getByRole('button', { name: words.kick('kick.viewerLabel', { name: '127.0.0.1' }) }).click();
  await page.getByRole('button', { name: words.common('confirm.continue'), exact: true }).click();
  await details
    .getByRole('button', { name: words.kick('kick.viewerLabel', { name: '127.0.0.1' }) })
    .waitFor({ state: 'detached' });
}

interface Words {
  readonly kick: ReturnType<typeof textsOf>;
  readonly common: ReturnType<typeof textsOf>;
}

describe.each(supportedLocales)('the page of all streams in %s', (language) => {
  const words = { kick: textsOf(language, 'shared/streams'), common: textsOf(language, 'shared/common') };
  const health = textsOf(language, 'shared/stream-health');
  let console: ConsolePage;

  beforeAll(async () => {
    console = await openConsole(browser, product, admin, language);
    await console.page.goto(`${product.url}/mgmt/${language}/routers-streams`);
  });
  afterAll(async () => {
    expect(console?.errors).toEqual([]);
    await console?.close();
  });

  test('shows the tracks of each stream, with a preview image', async () => {
    const { page } = console;
    for (const [stream, facts] of [
      ['lobby', [/RTMP/, /H\.264/, /320×180/, /44\.1 kHz/, /[kM]bps/]],
      ['camera', [/SRT/, /H\.264/, /480×270/, /AAC/, /[kM]bps/]],
    ] as const) {
      await rowOf(page, stream).waitFor();
      for (const fact of facts) await rowOf(page, stream).filter({ hasText: fact }).waitFor();
      const picture = rowOf(page, stream).locator('img');
      await picture.waitFor();
      expect(await picture.getAttribute('src')).toMatch(/^data:image\/jpeg;base64,/);
      await until('the frame is decoded', () =>
        picture.evaluate((image) => (image as HTMLImageElement).naturalWidth > 0),
      );
    }
  });

  test('reports that keyframes are too far apart, with the remedy', async () => {
    const details = await openDetails(console.page, 'lobby');
    const note = details.locator('[data-finding="keyframe-interval"]');
    await note.waitFor();
    expect(await note.textContent()).toContain(health('keyframe-interval.what', { seconds: '8.0' }));
    expect(await note.textContent()).toContain(health('keyframe-interval.advice'));
    await console.page.keyboard.press('Escape');
    const other = await openDetails(console.page, 'camera');
    await other.waitFor();
    expect(await other.locator('[data-finding="keyframe-interval"]').count()).toBe(0);
    await console.page.keyboard.press('Escape');
  });

  test('plays the stream, lists the viewer and disconnects it', async () => {
    const viewer = await watch('lobby');
    const details = await openDetails(console.page, 'lobby');
    // Makes the test fail immediately, not after the timeout, if the viewer ends before it is kicked.
    const ended = viewer.exited.then((code) => Promise.reject(new Error(`the viewer ended by itself, ${code}`)));
    await Promise.race([details.getByText(/Lavf/).last().waitFor(), ended]);
    await kickViewer(console.page, details, words);
    expect(await viewer.exited).toBe(0);
    expect((await mediaServerClients(product)).map(({ type }) => type)).not.toContain('flv-play');
    await details.getByRole('button', { name: words.kick('watch'), exact: true }).click();
    expect((await movingTestVideo(console.page)).frames).toBeGreaterThan(0);
    await console.page.keyboard.press('Escape');
  });
});

const mediaConsoles = { zh: 'ng_index.html', en: 'en_index.html' } as const;

describe.each(supportedLocales)('the media server console in %s', (language) => {
  const words = { kick: textsOf(language, 'shared/streams'), common: textsOf(language, 'shared/common') };
  const texts = textsOf(language, 'media-console');
  const port = () => product.ports.http;
  const address = (page: string) =>
    `${product.url}/console/${mediaConsoles[language]}#/${page}?port=${port()}&http=${port()}`;

  test('redirects to the login without a session, and shows nothing', async () => {
    const { page } = await openPage(browser, 'en-US');
    await page.goto(address('streams'));
    const login = page.getByRole('link', { name: texts('problem.login.action'), exact: true });
    await login.waitFor();
    expect(await login.getAttribute('href')).toBe(`/mgmt/${language}/routers-login`);
    expect(await page.getByText('live/lobby').count()).toBe(0);
    await page.context().close();
  });

  test('shows both streams and disconnects a viewer by the API of SRS alone', async () => {
    const console = await openConsole(browser, product, admin, language);
    const { page } = console;
    const paths = new Set<string>();
    page.on('request', (request) => paths.add(new URL(request.url()).pathname));
    await page.goto(address('streams'));
    await rowOf(page, 'lobby').filter({ hasText: '320×180' }).waitFor();
    await rowOf(page, 'camera').filter({ hasText: 'SRT' }).waitFor();
    const viewer = await watch('camera');
    const details = await openDetails(page, 'camera');
    await kickViewer(page, details, words);
    expect(await viewer.exited).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: texts('page.summaries'), exact: true }).click();
    await page.getByText(/SRS API 5\./).waitFor();
    await page.getByRole('link', { name: texts('page.vhosts'), exact: true }).click();
    await page.getByText('__defaultVhost__').waitFor();
    expect([...paths].filter((path) => path.startsWith('/terraform/'))).toEqual([]);
    expect(console.errors).toEqual([]);
    await console.close();
  });
});

test('the media server API of the public port needs the credential', async () => {
  for (const path of ['summaries', 'vhosts/', 'streams/', 'clients/', 'keyframes/vid-x']) {
    const response = await fetch(`${product.url}/api/v1/${path}`);
    expect([path, response.status]).toEqual([path, 401]);
  }
});

test('the encoder is disconnected from the page, and its row disappears', async () => {
  const words = textsOf('en', 'shared/streams');
  const console = await openConsole(browser, product, admin, 'en');
  await console.page.goto(`${product.url}/mgmt/en/routers-streams?stream=live/lobby`);
  const details = console.page.getByRole('dialog', { name: 'live/lobby' });
  await details.getByRole('button', { name: words('kick.publisher'), exact: true }).click();
  await console.page
    .getByRole('button', { name: textsOf('en', 'shared/common')('confirm.continue'), exact: true })
    .click();
  await rowOf(console.page, 'lobby').waitFor({ state: 'detached' });
  await details.getByText(words('gone')).waitFor();
  await rowOf(console.page, 'camera').waitFor();
  await console.close();
});
