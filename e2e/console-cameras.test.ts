// The Cameras page in a real browser, in both languages. A camera is added, tested, displayed, stopped and removed.
// A failing camera shows the reason.
import { type CameraRow, endpoints } from '@srs-stack/contract';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startOnvifResponder } from '../packages/platform/src/testing/onvif-responder.ts';
import { type Admin, setUp } from './support/api.ts';
import { launchChromium } from './support/chromium.ts';
import { type ConsolePage, field, openConsole, textsOf } from './support/console.ts';
import { runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type Product, startProduct } from './support/product.ts';
import { testSourceArguments } from './support/test-source.ts';
import { until } from './support/until.ts';

const walks = [
  { language: 'zh', transport: 'TCP' },
  { language: 'en', transport: 'UDP' },
] as const;

let browser: Browser;
let product: Product;
let camera: Product;
let admin: Admin;

beforeAll(async () => {
  browser = await launchChromium();
  [product, camera] = await Promise.all([
    startProduct(),
    startProduct({ RTSP_LISTEN: '0', RTSPS_LISTEN: '0', RTSP_UDP_LISTEN: '0' }),
  ]);
  admin = await setUp(product, 'console camera password');
  const { publishQuery } = await setUp(camera, 'console camera password');
  const source = testSourceArguments({ video: {}, audio: {} });
  const film = await runFfmpeg(
    source.then((args) => [...args, '-f', 'rtsp', '-rtsp_transport', 'tcp', `${cameraUrl('rtsp')}?${publishQuery}`]),
  );
  await film.sending(20);
});
afterAll(async () => {
  await stopAllFfmpeg();
  await Promise.all([browser?.close(), product?.remove(), camera?.remove()]);
});

const cameraUrl = (scheme: 'rtsp' | 'rtsps') => `${scheme}://127.0.0.1:${camera.ports[scheme]}/live/source`;
const rows = (): Promise<CameraRow[]> => admin.call(endpoints.cameraStreams, {});

describe.each(walks)('the Cameras page in $language over $transport', ({ language, transport }) => {
  const text = textsOf(language, 'features/cameras');
  const worker = textsOf(language, 'shared/worker');
  const common = textsOf(language, 'shared/common');
  let console: ConsolePage;

  beforeEach(async () => {
    console = await openConsole(browser, product, admin, language);
    await console.open('camera');
  });
  afterEach(async () => {
    const errors = [...console.errors];
    await console.close();
    for (const { platform } of await rows()) await admin.call(endpoints.removeCamera, { platform });
    expect(errors).toEqual([]);
  });

  const button = (name: string) => console.page.getByRole('button', { name, exact: true });
  const add = async (name: string, address: string, stream: string) => {
    const { page } = console;
    await button(text('add')).click();
    await field(page, text('form.label')).fill(name);
    await field(page, text('form.address')).fill(address);
    await field(page, text('form.stream')).fill(stream);
  };

  test('a camera is added, tested, seen, stopped and removed', async () => {
    const { page } = console;
    await page.getByText(text('none.title')).waitFor();
    await button(text('add')).click();
    await button(text('form.save')).click();
    expect(await page.getByText(text('form.missing'), { exact: true }).count()).toBe(2);
    await button(text('form.cancel')).click();
    await add('Door', cameraUrl('rtsp'), `door-${language}`);
    await button(text('test.button')).click();
    await page.getByText(/h264 \d+ × \d+, aac/).waitFor();
    await page.getByLabel(transport, { exact: true }).check();
    await button(text('form.save')).click();

    const card = page.getByRole('region', { name: 'Door' });
    await card.getByText(text('live'), { exact: true }).waitFor();
    await card.getByText('H.264').waitFor();
    const image = card.getByRole('img', { name: text('picture', { title: 'Door' }) });
    await until('the image is drawn', () => image.evaluate((each: HTMLImageElement) => each.naturalWidth > 0));
    const href = await card.getByRole('link', { name: text('watch') }).getAttribute('href');
    expect(href).toBe(`${product.url}/watch/live/door-${language}`);
    expect((await rows())[0]).toMatchObject({ state: 'running', pid: 0 });

    await card.getByRole('button', { name: text('stop') }).click();
    await card.getByText(worker('phase.inactive'), { exact: true }).waitFor();
    await card.getByRole('button', { name: text('remove.button') }).click();
    await button(common('confirm.continue')).click();
    await page.getByText(text('none.title')).waitFor();
    expect(await rows()).toEqual([]);
  });

  test('a camera on demand plays on its watch page and waits again afterwards', async () => {
    const { page } = console;
    await add('Hall', cameraUrl('rtsp'), `hall-${language}`);
    await page.getByLabel(text('form.onDemand'), { exact: true }).check();
    await button(text('form.save')).click();
    const card = page.getByRole('region', { name: 'Hall' });
    await card.getByText(text('waits')).waitFor();
    const opened = page.waitForEvent('popup');
    await card.getByRole('link', { name: text('watch') }).click();
    const watch = await opened;
    await watch.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 1);
    await card.getByText(text('live'), { exact: true }).waitFor();
    await watch.close();
    await card.getByText(text('waits')).waitFor();
  });

  test('a camera is found over ONVIF, pulled with its sub stream, and moved', async () => {
    const { page } = console;
    const uri = cameraUrl('rtsp');
    const lens = await startOnvifResponder({
      isDiscoverable: true,
      clockAheadMs: -86_400_000,
      streams: { main: uri, sub: uri },
    });
    try {
      await button(text('add')).click();
      await button(text('onvif.search')).click();
      await page.getByRole('button', { name: 'Front door · Dome7' }).first().click();
      await field(page, text('onvif.address')).fill(lens.url);
      await field(page, text('onvif.user')).fill('admin');
      await field(page, text('onvif.password')).fill('wrong');
      await button(text('onvif.read')).click();
      const refused = { zh: '摄像头拒绝了该用户名或密码', en: 'the camera refuses the user name or password' };
      await page.getByText(refused[language]).first().waitFor();
      await field(page, text('onvif.password')).fill('p@ss');
      await button(text('onvif.read')).click();
      await page.getByRole('img', { name: text('onvif.image', { model: 'Acme & Co Dome 7' }) }).waitFor();
      await button(text('onvif.use')).click();
      await field(page, text('form.label')).fill('Gate');
      await field(page, text('form.stream')).fill(`gate-${language}`);
      await button(text('form.save')).click();
      const card = page.getByRole('region', { name: 'Gate' });
      await card.getByText(text('live'), { exact: true }).waitFor();
      await card.getByText(text('subStream', { stream: `live/gate-${language}_sub` })).waitFor();
      await until('the sub stream runs', async () => (await rows())[0]?.sub?.state === 'running');
      const left = card.getByRole('button', { name: text('ptz.left') });
      await left.hover();
      await page.mouse.down();
      await until('it moves', () =>
        lens.requests.some((name) => name.startsWith('ContinuousMove') && name.includes('x="-0.5"')),
      );
      await page.mouse.up();
      await until('it stops', () => lens.requests.includes('Stop'));
      expect(JSON.stringify(await rows())).not.toMatch(/p@ss|p%40ss/);
    } finally {
      await lens.close();
    }
  });

  test('a camera that fails shows the reason in the language of the page', async () => {
    await add('Vault', cameraUrl('rtsps'), `vault-${language}`);
    await button(text('form.save')).click();
    const card = console.page.getByRole('region', { name: 'Vault' });
    await card.getByText(text('reason.tls-failed.what')).waitFor();
    const details = {
      zh: '摄像头的证书不是由受信任的机构签发。',
      en: 'the certificate of the camera is not signed by a known authority',
    };
    await card.getByText(details[language]).waitFor();
  });
});
