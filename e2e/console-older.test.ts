// A page that behaves like consoles of earlier releases, in a real browser. It sends no credential to upload a file,
// select a file of the server or add a stream. The test runs on loopback, and by host name over plain HTTP, where a
// browser sends `Origin` but no `Sec-Fetch-Site`.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints, uploadPath } from '@srs-stack/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { openPage, startChromium } from './support/chromium.ts';
import { type Product, startProduct } from './support/product.ts';
import { until } from './support/until.ts';

const password = 'older console password';
/** Host name that only the test browser can resolve. */
const siteName = 'stack.example';
const { vliveServerFile, vliveStreamUrl, vliveSecret, login, logOut } = endpoints;

let browser: Browser;
let product: Product;
let admin: Admin;
let folder: string;
let film: string;
/**
 * A page on the same host at another port. Cookies ignore ports, so the browser sends the cookie; the server must
 * refuse calls of this page.
 */
let neighbour: Server;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-older-'));
  film = join(folder, 'film.mp4');
  const inputs = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=10', '-f', 'lavfi', '-i', 'sine'];
  execFileSync('ffmpeg', ['-v', 'error', ...inputs, '-t', '3', '-c:v', 'libx264', '-b:v', '600k', film]);
  [browser, product] = await Promise.all([
    startChromium([`--host-resolver-rules=MAP ${siteName} 127.0.0.1`]),
    startProduct(),
  ]);
  admin = await setUp(product, password);
  neighbour = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>another</title>');
  });
  await new Promise<void>((resolve) => neighbour.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await browser?.close();
  neighbour?.close();
  await product?.remove();
  rmSync(folder, { recursive: true });
});

interface Sent {
  readonly path: string;
  readonly json?: object;
  readonly file?: { readonly content: string; readonly name: string };
}

/** Runs in the browser and sends a request as an older console does. Resolves with status 0 when the page cannot read the response. */
async function sendFromPage({ path, json, file }: Sent): Promise<{ status: number; text: string }> {
  const form = new FormData();
  if (file) form.append(file.name, new Blob([Uint8Array.from(atob(file.content), (c) => c.charCodeAt(0))]), file.name);
  const body = file ? form : JSON.stringify(json ?? {});
  try {
    const answer = await fetch(path, { method: 'POST', body, credentials: 'include' });
    return { status: answer.status, text: await answer.text() };
  } catch {
    return { status: 0, text: '' };
  }
}

test('a script with only the session token sends it before the file, through the public port', async () => {
  const form = new FormData();
  form.append('token', admin.session.token);
  form.append('file', new Blob([new Uint8Array(readFileSync(film))]), 'script.mp4');
  const url = `${product.url}${uploadPath}script.mp4`;
  expect((await fetch(url, { method: 'POST', body: form })).status).toBe(200);
  form.set('token', 'wrong');
  expect((await fetch(url, { method: 'POST', body: form })).status).toBe(401);
});

test('unauthenticated clients with incomplete forms do not block others', async () => {
  const head = [
    `POST ${uploadPath}x.mp4 HTTP/1.1`,
    'Host: h',
    'Content-Type: multipart/form-data; boundary=b',
    'Content-Length: 1000000',
  ].join('\r\n');
  const strangers = Array.from({ length: 100 }, () => {
    const socket = connect(product.ports.http, '127.0.0.1', () => socket.write(`${head}\r\n\r\n--b\r\n`));
    const answer = once(socket, 'data').then(([bytes]) => String(bytes).slice(9, 12));
    return { socket: socket.on('error', () => undefined), answer };
  });
  // The server waits for the rest of a few forms, and refuses all further forms immediately.
  let answered = 0;
  for (const { answer } of strangers) answer.then(() => answered++).catch(() => undefined);
  await until('most unknown clients are disconnected', () => answered >= 80);
  const form = new FormData();
  form.append('token', admin.session.token);
  form.append('file', new Blob([new Uint8Array(readFileSync(film))]), 'honest.mp4');
  const honest = await fetch(`${product.url}${uploadPath}honest.mp4`, { method: 'POST', body: form });
  expect(honest.status).toBe(200);
  const statuses = await Promise.all(strangers.map(({ answer }) => answer));
  expect(new Set(statuses)).toEqual(new Set(['408', '503']));
  for (const { socket } of strangers) socket.destroy();
});

describe.each([siteName, '127.0.0.1'])('a page of an earlier release at http://%s', (host) => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await openPage(browser, 'en-US'));
    await page.goto(`http://${host}:${product.ports.http}/tools/player.html`);
  });
  afterAll(() => page?.context().close());

  const send = (sent: Sent) => page.evaluate(sendFromPage, sent);
  const upload = (name: string, from = '') =>
    send({ path: `${from}${uploadPath}${name}`, file: { content: readFileSync(film, 'base64'), name } });
  const fileNames = async () => (await admin.call(endpoints.queryLibrary, {})).files.map(({ name }) => name);
  const cookieCount = async () => {
    const cookies = await page.context().cookies();
    return cookies.filter(({ name }) => name === 'srs_page').length;
  };

  test('is refused before its login, and uploads a file without a credential after it', async () => {
    expect((await upload('early.mp4')).status).toBe(401);
    const { text } = await send({ path: login.path, json: { password } });
    const { token } = JSON.parse(text).data;
    expect((await send({ path: vliveSecret.path, json: { token } })).status).toBe(200);
    const uploaded = await upload('film.mp4');
    expect(uploaded, uploaded.text).toMatchObject({ status: 200 });
    const { target } = JSON.parse(uploaded.text).data;
    const named = await send({ path: `${vliveServerFile.path}?file=${target}` });
    expect(named, named.text).toMatchObject({ status: 200 });
    for (const path of [vliveStreamUrl.path, ...vliveStreamUrl.aliases]) {
      const stream = await send({ path: `${path}?url=rtmp://127.0.0.1:1935/live/s?secret=x` });
      expect(stream, stream.text).toMatchObject({ status: 200 });
    }
    expect(await fileNames()).not.toContain('early.mp4');
    expect((await send({ path: endpoints.queryLibrary.path })).status).toBe(401);
    expect((await send({ path: vliveSecret.path })).status).toBe(401);
  });

  test('a page at another port of the same host cannot use the cookie', async () => {
    const before = await fileNames();
    const { port } = neighbour.address() as AddressInfo;
    const other = await page.context().newPage();
    await other.goto(`http://${host}:${port}/`);
    const path = `http://${host}:${product.ports.http}${uploadPath}foreign.mp4`;
    const content = readFileSync(film, 'base64');
    await other.evaluate(sendFromPage, { path, file: { content, name: 'foreign.mp4' } });
    await other.close();
    expect(await fileNames()).toEqual(before);
    expect((await upload('again.mp4')).status).toBe(200);
  });

  test('is refused again after logout', async () => {
    expect(await cookieCount()).toBe(4);
    const { text } = await send({ path: login.path, json: { password } });
    const { token } = JSON.parse(text).data;
    expect((await send({ path: logOut.path, json: { token } })).status).toBe(200);
    expect(await cookieCount()).toBe(0);
    expect((await upload('late.mp4')).status).toBe(401);
  });
});
