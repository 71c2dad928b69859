// Settings tabs and the components page in a real browser, in both languages.
// The test reads saved values through the API and checks their effects on the server.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { endpoints, supportedLocales } from '@srs-stack/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallbackTarget, startCallbackTarget } from '../packages/platform/src/testing/callback-target.ts';
import { issueCertificate } from '../packages/platform/src/testing/certificates.ts';
import { type Admin, setUp } from './support/api.ts';
import { launchChromium } from './support/chromium.ts';
import { type ConsolePage, field, openConsole, textsOf } from './support/console.ts';
import { type Product, startProduct } from './support/product.ts';
import { until } from './support/until.ts';

const sshKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEf1wIIP7i/i9oVCkGs/Tk3tPvTZQv7DQQTCOY24wNU8 admin';
const otherKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBSWh9c5t0n8bYHZ5p7mRM0jAWc3hL3gX8LkJ0pQ9sZr me';
let browser: Browser;
let product: Product;
let admin: Admin;
let target: CallbackTarget;
let backend: Server;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-settings-'));
  writeFileSync(join(folder, 'authorized_keys'), `${otherKey}\n`);
  browser = await launchChromium();
  product = await startProduct({ AUTHORIZED_KEYS_FILE: join(folder, 'authorized_keys') });
  admin = await setUp(product, 'a long first password');
  target = await startCallbackTarget();
  backend = createServer((request, response) => response.end(`backend ${request.url}`)).listen(0, '127.0.0.1');
  await once(backend, 'listening');
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
  await target?.close();
  backend?.closeAllConnections();
  backend?.close();
  rmSync(folder, { recursive: true, force: true });
});

function shownFingerprint(): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: product.ports.https ?? 0, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

describe.each(supportedLocales)('settings in %s', (language) => {
  const texts = (name: string) => textsOf(language, name);
  const common = texts('shared/common');
  let view: ConsolePage;
  beforeAll(async () => {
    view = await openConsole(browser, product, admin, language);
  });
  afterAll(async () => {
    expect(view.errors).toEqual([]);
    await view.close();
  });
  const open = (tab: string, more = '') =>
    view.page.goto(`${product.url}/mgmt/${language}/routers-settings?tab=${tab}${more}`);
  const panel = (title: string) => view.page.getByRole('region', { name: title, exact: true });
  const button = (name: string, place: { getByRole: ConsolePage['page']['getByRole'] } = view.page) =>
    place.getByRole('button', { name, exact: true });
  const shown = (text: string) => view.page.getByText(text, { exact: true }).first().waitFor();

  test('authentication: the secret is generated, saved and required of encoders', async () => {
    const t = texts('features/settings/publish-secret');
    await open('auth');
    await button(t('secret.generate')).click();
    const secret = await field(view.page, t('secret.next')).inputValue();
    await button(t('secret.save')).click();
    await shown(t('secret.saved'));
    expect((await admin.call(endpoints.queryPublishSecret, {})).publish).toBe(secret);
    await open('auth', '&allow-noauth=true');
    await button(t('noAuth.disable')).click();
    await button(common('confirm.continue')).click();
    await button(t('noAuth.enable')).click();
    await button(t('noAuth.disable')).waitFor();
    expect((await admin.call(endpoints.queryPublishSecret, {})).pubNoAuth).toBe(false);
  });

  test('HTTPS: an uploaded certificate is used for the next connection', async () => {
    const t = texts('features/settings/certificates');
    const pair = issueCertificate(new Date(), { name: `${language}.example.com` });
    await open('https');
    await view.page.getByText(t('way.ssl'), { exact: true }).click();
    await field(view.page, t('upload.key.label')).fill(pair.key);
    await button(t('upload.save')).click();
    await shown(t('upload.incomplete'));
    await field(view.page, t('upload.crt.label')).fill(pair.crt);
    await button(t('upload.save')).click();
    await shown(t('upload.saved'));
    const stored = (await admin.call(endpoints.queryCertificateStatus, {})).certificate;
    expect(stored?.names).toContain(`${language}.example.com`);
    await until('it is shown', async () => (await shownFingerprint()) === stored?.fingerprint);
  });

  test('HLS: both switches are saved when changed', async () => {
    const t = texts('features/settings/hls-settings');
    const before = await admin.call(endpoints.queryHighPerformanceHls, {});
    await open('hls');
    await view.page
      .getByRole('radio', { name: t(before.noHlsCtx ? 'contexts.counted.name' : 'contexts.cached.name') })
      .click();
    await shown(t('contexts.saved'));
    expect((await admin.call(endpoints.queryHighPerformanceHls, {})).noHlsCtx).toBe(!before.noHlsCtx);
  });

  test('footer and title: markup is shown as text', async () => {
    const t = texts('features/settings/beian');
    const markup = `<b onclick="x">${language}</b>`;
    await open('beian');
    await field(view.page, t('icp.label')).fill(markup);
    await button(common('save'), panel(t('icp.title'))).click();
    await shown(t('icp.saved'));
    await view.page.locator('footer').getByText(markup, { exact: true }).waitFor();
    expect(await view.page.locator('footer b').count()).toBe(0);
  });

  test('callback: a real target is tested, saved, and the log shows the delivery', async () => {
    const t = texts('features/settings/hooks');
    await open('callback');
    await field(view.page, t('target.label')).fill(target.url);
    await button(t('test.send')).click();
    await shown(t('outcomeText.accepted'));
    expect(target.received.at(-1)?.body).toMatchObject({ action: 'test' });
    await field(view.page, t('opaque.label')).fill(`from ${language}`);
    await button(common('save')).click();
    await shown(t('saved'));
    expect(await admin.call(endpoints.queryHooks, {})).toMatchObject({
      target: target.url,
      opaque: `from ${language}`,
    });
    await view.page
      .getByRole('list', { name: t('log.title') })
      .getByText('test', { exact: true })
      .first()
      .waitFor();
    await expect(admin.call(endpoints.applyHooks, { opaque: 'x'.repeat(1_000_000) })).rejects.toMatchObject({
      status: 400,
    });
  });

  test('OpenAPI: a call is executed and its response is shown', async () => {
    const t = texts('features/settings/openapi');
    await open('api');
    // A separate call loads the API secret into the page. A request without the secret would be refused.
    await until('the bearer is there', () => field(view.page, t('try.bearer')).inputValue());
    await button(t('try.send')).click();
    await view.page.getByText(/^HTTP 200/).waitFor();
  });

  test('limits: hours per month are saved, zero is refused', async () => {
    const t = texts('features/settings/limits');
    await open('limit');
    const usage = panel(t('usage.title'));
    await view.page.getByRole('radio', { name: t('usage.limited') }).check();
    await field(view.page, t('usage.total')).fill('0');
    await button(common('save'), usage).click();
    await shown(t('usage.invalid', { max: '744000' }));
    const hours = language === 'zh' ? 40 : 50;
    await field(view.page, t('usage.total')).fill(String(hours));
    await button(common('save'), usage).click();
    await shown(t('usage.saved'));
    expect((await admin.call(endpoints.queryUsageLimit, {})).totalHours).toBe(hours);
  });

  test('a confirmation protects entered values; the second of two operators who save gets a conflict', async () => {
    const t = texts('features/settings/limits');
    await open('limit');
    const bitrate = panel(t('bitrate.title'));
    await field(view.page, t('bitrate.vlive')).fill('1234');
    const question = new Promise<string>((resolve) => {
      view.page.once('dialog', (dialog) => {
        resolve(dialog.message());
        void dialog.dismiss();
      });
    });
    await view.page.getByRole('tab', { name: 'HLS', exact: true }).click();
    expect(await question).toBe(common('unsaved'));
    await admin.call(endpoints.updateLimits, { vlive: language === 'zh' ? 4_000 : 4_100, camera: 5_000 });
    await button(common('save'), bitrate).click();
    const form = texts('shared/settings-form');
    await shown(form('changed.title'));
    await button(form('changed.reload')).click();
    await until('the new value', async () =>
      (await field(view.page, t('bitrate.vlive')).inputValue()).includes(language === 'zh' ? '4000' : '4100'),
    );
  });

  test('web and proxy: a path reaches another server immediately, / redirects as configured, configurations are shown', async () => {
    const t = texts('features/settings/web-front');
    const { port } = backend.address() as AddressInfo;
    await admin.call(endpoints.updateProxyLocations, { locations: [] });
    await open('proxy');
    await button(t('locations.add')).click();
    await field(view.page, t('locations.location')).fill(`/shop-${language}`);
    await field(view.page, t('locations.backend')).fill(`http://127.0.0.1:${port}`);
    await button(common('save'), panel(t('locations.title'))).click();
    await shown(t('locations.saved'));
    const page = `/shop-${language}/cart`;
    await until('the path reaches the backend', async () => {
      return (await (await fetch(product.url + page, { redirect: 'manual' })).text()) === `backend ${page}`;
    });
    await field(view.page, t('home.path')).fill(`/shop-${language}`);
    await button(common('save'), panel(t('home.title'))).click();
    await shown(t('home.saved'));
    await until('/ redirects there', async () => {
      const { headers } = await fetch(product.url, { redirect: 'manual' });
      return headers.get('location') === `/shop-${language}`;
    });
    await view.page.getByText(/proxy_cache_lock on/).waitFor();
    await admin.call(endpoints.updateHomepage, { homepage: '/mgmt' });
  });

  test('platform: the window is saved, the key is added and removed while other keys stay', async () => {
    const t = texts('features/settings/platform');
    const keys = () => readFileSync(join(folder, 'authorized_keys'), 'utf8');
    await open('platform');
    await field(view.page, t('window.start')).fill('01:00');
    await field(view.page, t('window.end')).fill(language === 'zh' ? '04:00' : '05:00');
    await button(common('save'), panel(t('window.title'))).click();
    await shown(t('window.saved'));
    await field(view.page, t('key.label')).fill(sshKey);
    await button(t('key.grant')).click();
    await shown(t('key.savedGranted'));
    expect(keys()).toBe(`${otherKey}\n${sshKey}\n`);
    await button(t('key.deny')).click();
    await button(common('confirm.continue')).click();
    await shown(t('key.savedDenied'));
    expect(keys()).toBe(`${otherKey}\n`);
  });

  test('components: SRT is switched off and on; the media server is shown', async () => {
    const t = texts('features/components');
    await view.page.goto(`${product.url}/mgmt/${language}/routers-components`);
    await shown(t('server.engine.embedded'));
    const name = (word: string) => new RegExp(`^${word}\\s*SRT$`);
    await view.page.getByRole('button', { name: name(t('parts.disable')) }).click();
    await button(common('confirm.continue')).click();
    await shown(t('parts.disabled', { name: 'SRT' }));
    const state = async () =>
      (await admin.call(endpoints.queryComponents, {})).components.find((each) => each.name === 'srt');
    expect(await state()).toMatchObject({ state: 'off' });
    await view.page.getByRole('button', { name: name(t('parts.enable')) }).click();
    await shown(t('parts.enabled', { name: 'SRT' }));
    expect(await state()).toMatchObject({ state: 'running' });
  });
});
