import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dataFolder, loadEnvironment } from './environment.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'srs-stack-env-'));
  mkdirSync(join(dataDir, 'config'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

function writeSettings(text: string): void {
  writeFileSync(join(dataDir, 'config/.env'), text);
}

test('the settings file overrides the process, the process overrides defaults', () => {
  writeSettings('RTMP_LISTEN=19350\nMGMT_PASSWORD="a b#c"\n');
  const environment = loadEnvironment({ RTMP_LISTEN: '1', MGMT_LISTEN: '8080' }, dataDir);
  expect(environment).toMatchObject({
    RTMP_LISTEN: '19350',
    MGMT_LISTEN: '8080',
    SRS_API_LISTEN: '127.0.0.1:1985',
    MGMT_PASSWORD: 'a b#c',
    DATA_DIR: dataDir,
    HLS_PATH: join(dataDir, 'hls'),
    PLATFORM_LISTEN: join(dataDir, 'run/platform.sock'),
  });
});

test('an empty variable counts as not set', () => {
  writeSettings('RTMP_LISTEN=\n');
  expect(loadEnvironment({ MGMT_LISTEN: '' }, dataDir)).toMatchObject({ RTMP_LISTEN: '1935', MGMT_LISTEN: '2022' });
});

test('the callback secret is created once and readable by its owner only', () => {
  const first = loadEnvironment({}, dataDir).CALLBACK_SECRET;
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(loadEnvironment({}, dataDir).CALLBACK_SECRET).toBe(first);
  expect(statSync(join(dataDir, 'config/callback.secret')).mode & 0o777).toBe(0o600);
});

test('a data folder too long for a socket address gets a short, stable socket path', () => {
  const deep = join(dataDir, 'x'.repeat(100));
  const { PLATFORM_LISTEN: path = '' } = loadEnvironment({}, deep);
  expect(path.startsWith(tmpdir())).toBe(true);
  expect(Buffer.byteLength(path)).toBeLessThanOrEqual(100);
  expect(loadEnvironment({}, deep).PLATFORM_LISTEN).toBe(path);
});

test('an unreadable settings file is refused with one error message', () => {
  mkdirSync(join(dataDir, 'config/.env'));
  expect(() => loadEnvironment({}, dataDir)).toThrow(StartRefusal);
});

test('the data folder is absolute', () => {
  expect(dataFolder({ DATA_DIR: 'here' }, '/checkout')).toBe(join(process.cwd(), 'here'));
  expect(dataFolder({}, '/checkout')).toBe('/checkout/data');
});
