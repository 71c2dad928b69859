// The package of `npm run pack`, installed from its archive into an empty folder with an empty cache, behaves like the checkout.
// The test needs the package registry, for Node and the WebRTC library.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endpoints } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { setUp } from './support/api.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { decodeErrors, packetsOf } from './support/ffprobe.ts';
import { olderNode } from './support/older-node.ts';
import { type Command, startProduct, startRefused } from './support/product.ts';
import { recordSeconds } from './support/recording.ts';
import { until } from './support/until.ts';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string };
/** Timeout of packing and of installing Node from the registry, milliseconds. */
const installTimeoutMs = 600_000;
let folder: string;
let installed: string;
let command: Command;

/** The environment of npm without the variables of the npm that runs this test. */
const npmEnvironment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) || /registry|cafile/i.test(name)),
  );

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-packed-'));
  const project = join(folder, 'project');
  mkdirSync(project);
  const npm = (cwd: string, ...args: string[]) =>
    execFileSync('npm', args, { cwd, encoding: 'utf8', env: npmEnvironment() }).trim();
  const archive = npm(checkout, 'run', '--silent', 'pack', '--', folder).split('\n').at(-1)!;
  npm(project, 'install', '--silent', '--no-audit', '--no-fund', '--cache', join(folder, 'cache'), archive);
  installed = join(project, 'node_modules/.bin/srs-stack');
  command = [olderNode ?? process.execPath, installed];
}, installTimeoutMs);
afterEach(stopAllFfmpeg);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ask = (...args: string[]) =>
  spawnSync(installed, args, { encoding: 'utf8', env: { PATH: process.env.PATH, HOME: folder } });

test('prints its usage and version, and refuses unknown commands', () => {
  expect(ask('--version').stdout).toBe(`${version}\n`);
  expect(ask('--help').stdout).toMatch(/Usage: srs-stack[\s\S]*rebuild-records[\s\S]*DATA_DIR/);
  expect(ask('play')).toMatchObject({ status: 2, stderr: expect.stringContaining('unknown command "play"') });
});

test('keeps its data in the home folder unless another one is set', () => {
  const { status, stderr } = ask('secret');
  expect(status).toBe(1);
  expect(stderr).toContain(join(folder, '.srs-stack/config/.env'));
});

test('serves the console, accepts a publisher and plays to viewers, then ends cleanly', async () => {
  const product = await startProduct({}, command);
  try {
    const page = await (await fetch(`${product.url}/mgmt`)).text();
    expect(page).toContain('<div id="root"');
    const admin = await setUp(product, 'a long first password');
    expect(await admin.call(endpoints.status, {})).toMatchObject({ version: `v${version}` });
    publishTestSource(product.rtmpUrl(`livestream?${admin.publishQuery}`), { video: {}, audio: {} });
    const address = `${product.url}/live/livestream.flv`;
    await until('the stream plays', async () => (await fetch(address, { method: 'HEAD' })).ok);
    const { file, received } = await recordSeconds(address, folder, 2);
    expect(packetsOf(received, 'video').length).toBeGreaterThan(25);
    expect(await decodeErrors(file)).toBe('');
    expect(await product.stop()).toBe(0);
    expect(product.serversRunning()).toBe(0);
  } finally {
    await product.remove();
  }
});

test('leaves no processes behind when npx is stopped', async () => {
  const product = await startProduct({}, ['npm', 'exec', '--prefix', join(folder, 'project'), 'srs-stack']);
  try {
    await product.stop();
    expect(product.serversRunning()).toBe(0);
  } finally {
    await product.remove();
  }
});

test('shows source files in stack traces', async () => {
  const dataDir = join(folder, 'damaged');
  // A folder in place of this file makes the start fail.
  mkdirSync(join(dataDir, 'config/media-server.id'), { recursive: true });
  writeFileSync(join(dataDir, 'config/media-server.id/file'), '');
  const { exitCode, output } = await startRefused({ DATA_DIR: dataDir }, command);
  expect(exitCode).toBe(1);
  expect(output).toMatch(/\(packages\/gateway\/src\/data-folder\.ts:\d+:\d+\)/);
});

test('contains the licences of its dependencies', () => {
  const root = join(folder, 'project/node_modules/srs-stack');
  const text = readFileSync(join(root, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  const names = [...text.matchAll(/^(\S+) \d+\.\d\S* \(/gm)].map(([, name]) => name);
  expect(names).toEqual(expect.arrayContaining(['fastify', 'react', 'zod', 'hls.js']));
  expect(names).not.toContain('vitest');
  expect(names).not.toContain('typescript');
  expect(readdirSync(root)).toContain('LICENSE');
});
