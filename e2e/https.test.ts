// Certificates of the running product: the first certificate, an upload, and orders at a real ACME server while a viewer watches.
import { connect } from 'node:tls';
import { endpoints } from '@srs-stack/contract';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { issueCertificate } from '../packages/platform/src/testing/certificates.ts';
import { type Pebble, startPebble } from '../packages/platform/src/testing/pebble.ts';
import { type Admin, setUp } from './support/api.ts';
import { openPage, startChromium } from './support/chromium.ts';
import { publishTestSource, runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { freePort } from './support/free-port.ts';
import { type Product, startProduct } from './support/product.ts';
import { until } from './support/until.ts';

const domain = 'live.example.com';
const password = 'a long first password';
/** Lifetime of the issued certificates, seconds. A certificate is renewed in the last third. */
const validSeconds = 45;
let pebble: Pebble;
let product: Product;
let admin: Admin;
let browser: Browser | undefined;

beforeAll(async () => {
  const httpPort = await freePort();
  pebble = await startPebble({ httpPort, names: [domain], validSeconds });
  product = await startProduct({
    MGMT_LISTEN: String(httpPort),
    ACME_DIRECTORY: pebble.directoryUrl,
    ACME_HTTP_PORT: String(httpPort),
    ACME_DNS_SERVERS: pebble.dnsServer,
    NODE_EXTRA_CA_CERTS: pebble.certificateFile,
  });
  admin = await setUp(product, password);
});
afterEach(stopAllFfmpeg);
afterAll(async () => {
  await browser?.close();
  await product?.remove();
  await pebble?.close();
});

function shownFingerprint(): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port: product.ports.https ?? 0,
      servername: domain,
      rejectUnauthorized: false,
    };
    const socket = connect(options, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.once('error', reject);
  });
}
const status = () => admin.call(endpoints.queryCertificateStatus, {});
const isShown = (fingerprint: string) =>
  until(`${fingerprint} is shown`, async () => (await shownFingerprint()) === fingerprint);

test('a new product has a self-signed certificate, so that HTTPS works', async () => {
  const first = await until('the first certificate', async () => (await status()).certificate);
  expect(first).toMatchObject({ selfSigned: true, subject: 'srs.stack.local' });
  await isShown(first.fingerprint);
});

test('an uploaded certificate replaces it for new connections; an invalid one changes nothing', async () => {
  const pair = issueCertificate(new Date(), { name: domain });
  await admin.call(endpoints.updateCertificate, pair);
  const uploaded = (await status()).certificate!;
  await isShown(uploaded.fingerprint);
  const other = issueCertificate(new Date(), { name: 'other.example.com' });
  await expect(admin.call(endpoints.updateCertificate, { key: pair.key, crt: other.crt })).rejects.toMatchObject({
    status: 400,
    errorName: 'certificateMismatch',
  });
  expect((await status()).certificate).toEqual(uploaded);
  expect(await shownFingerprint()).toBe(uploaded.fingerprint);
});

test('the authority issues and renews certificates while a viewer over HTTPS plays', async () => {
  const publisher = publishTestSource(product.rtmpUrl(`lobby?${admin.publishQuery}`), { video: {}, audio: {} });
  await until('the stream is live', async () => (await fetch(`${product.url}/live/lobby.flv`, { method: 'HEAD' })).ok);
  const url = `https://127.0.0.1:${product.ports.https}/live/lobby.flv`;
  const viewer = runFfmpeg(['-tls_verify', '0', '-i', url, '-c', 'copy', '-f', 'null', '-']);
  await viewer.sending(25);

  await admin.call(endpoints.requestLetsEncrypt, { domain, email: 'operator@example.com' });
  const issued = await status();
  expect(issued).toMatchObject({ provider: 'lets', domain, order: { step: 'done', isRenewal: false } });
  expect(issued.certificate).toMatchObject({ names: [domain], selfSigned: false });
  await isShown(issued.certificate!.fingerprint);
  await viewer.sending(100);

  const renewed = await until('it is renewed by itself', async () => {
    const now = await status();
    return now.order?.isRenewal && now.order.step === 'done' ? now : undefined;
  });
  expect(renewed.certificate!.fingerprint).not.toBe(issued.certificate!.fingerprint);
  await until('a renewed one is shown', async () => (await shownFingerprint()) !== issued.certificate!.fingerprint);
  await viewer.sending(1_000);
  await viewer.stop();
  await publisher.stop();
  expect(product.output()).not.toMatch(/BEGIN [A-Z ]*PRIVATE KEY/);
});

test('the operator orders a certificate in the browser, at the domain, and sees it in use', async () => {
  await browser?.close();
  browser = await startChromium([`--host-resolver-rules=MAP ${domain}:80 127.0.0.1:${product.ports.http}`]);
  const { page } = await openPage(browser, 'en-US');
  await page.goto(`http://${domain}/mgmt/en/routers-login`);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL(/routers-scenario/);
  await page.goto(`http://${domain}/mgmt/en/routers-settings?tab=https`);
  expect(await page.getByLabel('Domain').inputValue()).toBe(domain);
  await page.getByRole('button', { name: 'Get a certificate' }).click();
  // The certificate is renewed after 30 s, so the page may already show the message about the renewal.
  await page
    .getByText(new RegExp(`issued the certificate for ${domain}|certificate for ${domain} was renewed`))
    .waitFor();
});
