// The dashboard in a real browser, in both languages: events appear without a reload, charts are drawn, outdated metrics are marked.
// The history survives a killed server.
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { metricsPath, monitorSeries, storageKeys, supportedLocales } from '@srs-stack/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openHistoryFile } from '../packages/platform/src/monitor/history-file.ts';
import { parsePrometheusText } from '../packages/platform/src/testing/prometheus-parser.ts';
import { patience } from '../scripts/test-run/patience.ts';
import { type Admin, setUp } from './support/api.ts';
import { launchChromium, openPage } from './support/chromium.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type Product, startProduct } from './support/product.ts';
import { until } from './support/until.ts';

const dayMs = 24 * 3_600_000;
/** Longest wait for an update, milliseconds: equal to the timeout of `until`. */
const waitTimeoutMs = 60_000 * patience;
const metricsToken = 'e2e-only-for-prometheus';
const silentLog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Writes a day of metrics in the format of the server, one sample a minute. */
async function makeDayOfHistory(dataDir: string): Promise<void> {
  const nowMs = Date.now();
  const history = await openHistoryFile(join(dataDir, 'metrics', 'history.bin'), nowMs, silentLog);
  for (let atMs = nowMs - dayMs; atMs < nowMs; atMs += 60_000) {
    const wave = 1 + Math.sin(atMs / 3_600_000);
    history.add(atMs, Object.fromEntries(monitorSeries.map((name, index) => [name, wave * (index + 1)])));
  }
  await history.close();
}

function wordsOf(language: 'zh' | 'en') {
  const file = new URL(`../packages/console/src/features/dashboard/locales/${language}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8'));
}

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

describe.each(supportedLocales)('the dashboard in %s', (language) => {
  const words = wordsOf(language);
  const stream = `monitor-${language}`;
  let product: Product;
  let admin: Admin;
  let page: Page;
  let errors: string[];
  let viewer: AbortController | undefined;

  beforeAll(async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'srs-stack-e2e-'));
    await makeDayOfHistory(dataDir);
    product = await startProduct({ DATA_DIR: dataDir, METRICS_TOKEN: metricsToken });
    admin = await setUp(product, 'a long first password');
    ({ page, errors } = await openPage(browser, language === 'zh' ? 'zh-CN' : 'en-US'));
    // Some waits include a restart of the control plane.
    page.setDefaultTimeout(waitTimeoutMs);
    const stored = [storageKeys.token, JSON.stringify(admin.session)] as const;
    await page.addInitScript(([key, value]) => localStorage.setItem(key, value), stored);
    await page.goto(`${product.url}/mgmt/${language}/routers-components`);
  });
  afterEach(() => expect(errors).toEqual([]));
  afterAll(async () => {
    viewer?.abort();
    await stopAllFfmpeg();
    await page?.context().close();
    await product?.remove();
  });

  const dot = (state: string) => page.locator(`main [data-freshness="${state}"]`).waitFor();
  const tile = (name: string, value: string) =>
    page.locator('main dl > div').filter({ hasText: name }).getByText(value, { exact: true }).first().waitFor();
  const pointsOf = async (chart: string) =>
    Number(await page.locator('figure').filter({ hasText: chart }).first().getAttribute('data-points'));
  const eventRow = (kind: string, text: string) =>
    page.locator(`li[data-kind="${kind}"]`).filter({ hasText: text }).first().waitFor();

  test('is reached from the components page and the status strip, and is live', async () => {
    await page.locator('main a[href$="/routers-dashboard"]').first().click();
    await page.waitForURL((at) => at.pathname.endsWith('/routers-dashboard'));
    await dot('live');
    await tile(words.tile.engine, words.engine.up);
    expect(await page.locator('header a[href$="/routers-dashboard"]').count()).toBeGreaterThan(0);
  });

  test('a publish and its viewer appear without a reload, counted and marked in the charts', async () => {
    const publisher = publishTestSource(product.rtmpUrl(`${stream}?${admin.publishQuery}`), { video: {}, audio: {} });
    await publisher.sending(25);
    await eventRow('publish', words.event.publish.replace('{{subject}}', `live/${stream}`));
    await tile(words.tile.streams, '1');
    viewer = new AbortController();
    const { body } = await fetch(`${product.url}/live/${stream}.flv`, { signal: viewer.signal });
    body!.pipeTo(new WritableStream()).catch(() => undefined);
    await tile(words.tile.viewers, '1');
    await until('the chart has points', async () => (await pointsOf(words.chart.viewers)) >= 3);
    const marks = page.locator('figure').first();
    await until('the publish is marked', async () => Number(await marks.getAttribute('data-marks')) >= 1);
  });

  test('a chart of a day is complete and drawn', async () => {
    await page.getByText(words.range['24h'], { exact: true }).click();
    // A day has 360 rows. The start and end of the query can cut off some rows.
    await until('the day is shown', async () => (await pointsOf(words.chart.cpu)) >= 355);
    const colours = await page
      .locator('figure canvas')
      .first()
      .evaluate((canvas: HTMLCanvasElement) => {
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
        const seen = new Set<number>();
        for (let at = 0; at < data.length; at += 4)
          if (data[at + 3]! > 200) seen.add((data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!);
        return seen.size;
      });
    expect(colours).toBeGreaterThan(3);
    await page.getByText(words.range['5m'], { exact: true }).click();
  });

  test('Prometheus reads the same metrics', async () => {
    const scrape = (headers: Record<string, string>) => fetch(product.url + metricsPath, { headers });
    expect((await scrape({})).status).toBe(401);
    const response = await scrape({ authorization: `Bearer ${metricsToken}` });
    const families = parsePrometheusText(await response.text());
    const viewers = families.get('srs_stack_stream_viewers')?.samples;
    expect(viewers).toMatchObject([{ labels: { app: 'live', stream }, value: 1 }]);
  });

  test('metrics of a hanging server are marked as outdated; after its restart they are live again, with their history', async () => {
    await until('the newest range is shown', async () => (await pointsOf(words.chart.cpu)) < 200);
    const before = await pointsOf(words.chart.cpu);
    const response = await fetch(`${product.url}/terraform/v1/mgmt/versions`);
    const { server: platformPid } = (await response.json()) as { server: number };
    process.kill(platformPid, 'SIGSTOP');
    await dot('stale');
    await product.kill('platform');
    await dot('live');
    await eventRow('server-started', words.event['server-started']);
    await eventRow('publish', `live/${stream}`);
    await tile(words.tile.streams, '1');
    await page.reload();
    await dot('live');
    await until('the earlier points are shown', async () => (await pointsOf(words.chart.cpu)) >= Math.min(before, 3));
    await page.getByText(words.range['24h'], { exact: true }).click();
    await until('the day before the kill is there', async () => (await pointsOf(words.chart.cpu)) >= 355);
    await eventRow('publish', `live/${stream}`);
  });
});
