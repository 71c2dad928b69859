// Runs the programs and configurations of `examples/` against the product.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { endpoints } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { launchChromium, movingTestVideo, openPage } from './support/chromium.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { decodeErrors } from './support/ffprobe.ts';
import { freePort } from './support/free-port.ts';
import { type Product, startProduct } from './support/product.ts';
import { recordSeconds } from './support/recording.ts';
import { until } from './support/until.ts';

const example = (name: string) => fileURLToPath(new URL(`../examples/${name}`, import.meta.url));
const running = new Set<ChildProcess>();
let folder: string;
let product: Product;
let admin: Admin;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-examples-'));
  product = await startProduct({ TRUST_PROXY: '127.0.0.1' });
  admin = await setUp(product, 'a long first password');
});
afterEach(async () => {
  await stopAllFfmpeg();
  for (const child of running) {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
});
afterAll(async () => {
  await product?.remove();
  rmSync(folder, { recursive: true, force: true });
});

function start(program: string, args: readonly string[], environment: Record<string, string> = {}): ChildProcess {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

const publish = (stream: string) =>
  publishTestSource(product.rtmpUrl(`${stream}?${admin.publishQuery}`), { video: {}, audio: {} });
const isPlayable = (stream: string) =>
  until(`${stream} plays`, async () => (await fetch(`${product.url}/live/${stream}.flv`, { method: 'HEAD' })).ok);

test('callback-receiver.mjs admits only allowed publishers', async () => {
  const receiver = start(process.execPath, [example('callback-receiver.mjs')], { ALLOW: 'lobby', PORT: '0' });
  const lines: string[] = [];
  const output = createInterface(receiver.stdout!).on('line', (line) => lines.push(line));
  const [listening] = (await once(output, 'line')) as [string];
  const target = /http:\S+/.exec(listening)![0];
  await admin.call(endpoints.applyHooks, { all: true, target, opaque: '' });
  try {
    const guest = publish('lobby');
    await isPlayable('lobby');
    expect(await publish('thief').exited).not.toBe(0);
    await guest.stop();
    await until('the end is reported', () => lines.includes('on_unpublish live/lobby → 0'));
    expect(lines).toEqual(expect.arrayContaining(['on_publish live/lobby → 0', 'on_publish live/thief → 1']));
  } finally {
    await admin.call(endpoints.applyHooks, { all: false, target, opaque: '' });
  }
});

test('streams.mjs lists live streams and ends a publisher', async () => {
  const secret = await admin.call(endpoints.querySecret, {});
  const run = async (...args: string[]) => {
    const env = { ...process.env, SERVER: product.url, API_SECRET: secret };
    return (await promisify(execFile)(process.execPath, [example('streams.mjs'), ...args], { env })).stdout;
  };
  expect(await run()).toBe('nothing is live\n');
  const publisher = publish('stage');
  await isPlayable('stage');
  expect(await run()).toBe('live/stage\n');
  expect(await run('kick', 'live/stage')).toContain('was disconnected');
  expect(await publisher.exited).not.toBe(0);
  await expect(run('kick', 'live/stage')).rejects.toMatchObject({ stderr: 'live/stage is not live\n' });
});

test('player.html plays from a page of another origin', async () => {
  publish('cam');
  await isPlayable('cam');
  const browser = await launchChromium();
  try {
    const { page, errors } = await openPage(browser, 'en-US');
    await page.goto(`${pathToFileURL(example('player.html'))}?server=${product.url}&stream=cam`);
    expect((await movingTestVideo(page)).frames).toBeGreaterThan(0);
    const { page: lonely } = await openPage(browser, 'en-US');
    await lonely.goto(`${pathToFileURL(example('player.html'))}?server=http://127.0.0.1:${await freePort()}`);
    await lonely.getByRole('status').getByText('Failed to fetch').waitFor();
    expect(errors).toEqual([]);
  } finally {
    await browser.close();
  }
});

test('nginx.conf forwards pages, endless streams and WebSockets', async () => {
  const port = await freePort();
  const site = readFileSync(example('nginx.conf'), 'utf8')
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('http://127.0.0.1:2022', product.url);
  mkdirSync(join(folder, 'conf.d'));
  writeFileSync(join(folder, 'conf.d/srs-stack.conf'), site);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`);
  const main = `daemon off; pid nginx.pid; error_log stderr; events {}
    http { access_log off; ${temporary.join(' ')} include conf.d/*.conf; }`;
  writeFileSync(join(folder, 'nginx.conf'), main);
  start('/usr/sbin/nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')]);
  await until('nginx listens', () => accepts(port));

  const front = `http://127.0.0.1:${port}`;
  expect(await (await fetch(`${front}/mgmt`)).text()).toContain('<div id="root"');
  publish('proxied');
  await isPlayable('proxied');
  const { file } = await recordSeconds(`${front}/live/proxied.flv`, folder, 2);
  expect(await decodeErrors(file)).toBe('');
  const socket = new WebSocket(`${front.replace('http', 'ws')}/live/proxied.flv`);
  const [{ data }] = (await once(socket, 'message')) as [MessageEvent<Blob>];
  expect(Buffer.from(await data.arrayBuffer()).toString('latin1', 0, 3)).toBe('FLV');
  socket.close();
});

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
