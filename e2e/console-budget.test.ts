// Bytes that a browser must load before a console page can be used, read from the build.
// Players and charts load only when they are opened.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

/** Maximum compressed script before the login page can be used, bytes: one second at 1.5 Mbit/s. */
const firstLoadBytes = 180 * 1024;

const dist = fileURLToPath(new URL('../packages/console/dist', import.meta.url));
const code = (file: string) => readFileSync(join(dist, 'assets', file), 'utf8');
const files = () => readdirSync(join(dist, 'assets')).filter((file) => file.endsWith('.js'));
const chunk = (name: RegExp) => files().find((file) => name.test(file))!;

function withImports(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, imported] of code(file).matchAll(/(?:\bfrom|\bimport)\s*["']\.\/([^"']+\.js)["']/g)) {
    withImports(imported!, seen);
  }
  return seen;
}

const namedIn = (page: string) =>
  [...readFileSync(join(dist, page), 'utf8').matchAll(/(?:src|href)="[^"]+\/assets\/([^"]+\.js)"/g)].map(
    ([, name]) => name!,
  );

test('the login page needs at most 180 KB of compressed script', () => {
  const needed = new Set<string>();
  for (const file of namedIn('drawn/index.html')) withImports(file, needed);
  expect(needed).toContain(chunk(/^login-page-/));
  const bytes = [...needed].reduce((sum, file) => sum + gzipSync(code(file), { level: 9 }).length, 0);
  expect(needed.size).toBeGreaterThan(3);
  expect(bytes).toBeGreaterThan(50 * 1024);
  expect(bytes).toBeLessThanOrEqual(firstLoadBytes);
});

test('no script contains the schemas of the calls', () => {
  // Only the core of zod contains these error names, so a match means that zod is in a script.
  expect(files().filter((file) => /\binvalid_(?:type|union|element)\b/.test(code(file)))).toEqual([]);
});

test.each([
  ['hls.js', /hlsManifestLoading/],
  ['mpegts.js', /\bMSEController\b/],
  ['xgplayer', /xgplayer-start/],
] as const)('%s is loaded only when it is shown', (_name, mark) => {
  const carriers = files().filter((file) => mark.test(code(file)));
  expect(carriers).not.toEqual([]);
  const pages = files().filter((file) => /^(?:index|console-shell|(?!dashboard)\w[\w-]*-(?:page|route))-/.test(file));
  expect(pages.length).toBeGreaterThan(10);
  for (const page of pages) {
    const needed = withImports(page);
    expect(carriers.filter((file) => needed.has(file))).toEqual([]);
  }
});

test('the login page is in the HTML of every language, and is visible before other scripts run', () => {
  for (const [page, word] of [
    ['drawn/zh.html', '管理员密码'],
    ['drawn/en.html', 'admin password'],
    ['drawn/index.html', '管理员密码'],
  ] as const) {
    const html = readFileSync(join(dist, page), 'utf8');
    expect(html).toContain(word);
    expect(html).toMatch(/<input[^>]+autocomplete="current-password"/i);
    const entry = /<script type="module"[^>]+src="[^"]+\/assets\/([^"]+)"/.exec(html)![1]!;
    const bytes = [...withImports(entry)].reduce((sum, file) => sum + code(file).length, 0);
    expect(bytes).toBeLessThan(10_000);
  }
});

test('charts are loaded only by the dashboard, when it is opened', () => {
  const carriers = files().filter((file) => /\bu-over\b/.test(code(file)));
  expect(carriers).toHaveLength(1);
  const withCharts = files().filter((file) => withImports(file).has(carriers[0]!) && !carriers.includes(file));
  for (const file of withCharts) expect(file).toMatch(/^(chart-|dashboard-)/);
  for (const page of ['index.html', 'drawn/index.html']) {
    const needed = new Set<string>();
    for (const file of namedIn(page)) withImports(file, needed);
    expect(needed).not.toContain(carriers[0]);
  }
  const named = [...withImports(chunk(/^dashboard-page-/))].filter((file) => code(file).includes(carriers[0]!));
  expect(named).not.toEqual([]);
});
