import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BuiltPage } from './built-page.ts';

test('the page is cached briefly for all requests, and read again because a build may replace it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'page-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'index.html');
  let nowMs = 0;
  const page = new BuiltPage(path, () => nowMs);
  expect(await page.parts()).toBeUndefined();
  await writeFile(path, '<head><!--preview--><script>a()</script></head>');
  expect(await page.parts()).toBeUndefined();
  nowMs = 1_000;
  const parts = await page.parts();
  expect([String(parts?.before), String(parts?.after)]).toEqual(['<head>', '<script>a()</script></head>']);
  expect(parts?.scriptSources).toEqual([expect.stringMatching(/^'sha256-.{44}'$/)]);
  await writeFile(path, '<head><!--preview--></head>');
  expect(await page.parts()).toBe(parts);
  nowMs = 2_000;
  expect((await page.parts())?.scriptSources).toEqual([]);
});
