import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bundlesPreload, ensureServerBundles } from './server-bundles.ts';

let checkout: string;
const packages = ['contract', 'engine', 'gateway', 'media', 'platform', 'playback', 'process', 'rtc', 'srt', 'stack'];
const source = 'packages/platform/src/main.ts';

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'srs-stack-bundles-'));
  for (const name of packages) write(`packages/${name}/src/main.ts`, 'first');
  write('package-lock.json', '{}');
  write('node_modules/rolldown/package.json', '{}');
  // A fake bundler, which copies a source into its output folder and writes the preload last.
  write(
    'scripts/pack/bundle-checkout.ts',
    `import { readFileSync, writeFileSync } from 'node:fs';
     const [folder = ''] = process.argv.slice(2);
     const text = readFileSync('${source}', 'utf8');
     if (text === 'broken') throw new Error('main.ts: syntax error');
     writeFileSync(folder + '/${bundlesPreload}', text as string);`,
  );
});
afterEach(() => rmSync(checkout, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  writeFileSync(join(checkout, path), text);
}

const messages: string[] = [];
function ensure(makes = true): Promise<string | undefined> {
  messages.length = 0;
  return ensureServerBundles({ checkout, makes, say: (line) => messages.push(line) });
}

const kept = () => readdirSync(join(checkout, 'node_modules/.cache/srs-stack/servers'));

test('bundles are made once per state of the sources', async () => {
  const first = (await ensure()) ?? '';
  expect(readFileSync(first, 'utf8')).toBe('first');
  // The bundler is removed, so a second run would fail.
  write('node_modules/rolldown/package.json', '');
  rmSync(join(checkout, 'node_modules/rolldown'), { recursive: true });
  expect(await ensure()).toBe(first);
  expect(await ensure(false)).toBe(first);
  expect(kept()).toHaveLength(1);
});

test.each([
  ['a source was written, even with the same text', () => write(source, 'first')],
  ['a source is new', () => write('packages/media/src/more.ts', '')],
  ['a source was deleted', () => rmSync(join(checkout, 'packages/srt/src/main.ts'))],
  ['a third-party package changed', () => write('package-lock.json', '{"x":1}')],
])('bundles are not used when %s', async (_name, change) => {
  const before = await ensure();
  change();
  expect(await ensure(false)).toBeUndefined();
  const after = await ensure();
  expect(after).not.toBe(before);
  expect(existsSync(before ?? '')).toBe(true);
});

test('a test does not count as a source', async () => {
  const before = await ensure();
  write('packages/media/src/more.test.ts', '');
  expect(await ensure(false)).toBe(before);
});

test('without the bundler, or when it fails, the sources are loaded', async () => {
  write(source, 'broken');
  expect(await ensure()).toBeUndefined();
  expect(messages.join()).toContain('syntax error');
  expect(kept()).toEqual([]);
  rmSync(join(checkout, 'node_modules/rolldown'), { recursive: true });
  expect(await ensure()).toBeUndefined();
  expect(messages).toEqual([]);
});

test('two simultaneous starts both get the bundles', async () => {
  const [one, other] = await Promise.all([ensure(), ensure()]);
  expect(one).toBe(other);
  expect(existsSync(one ?? '')).toBe(true);
});

test('bundles of older states are removed, except a few that may still run', async () => {
  for (let count = 0; count < 7; count += 1) {
    write(source, `state ${count}`);
    await ensure();
  }
  expect(kept()).toHaveLength(5);
});
