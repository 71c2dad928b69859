// Playback quality reports. Chromium stalls on a slow network; dashboard, metrics and the assessment of the stream show the stall.
// Reports of clients that do not watch are refused. A page sends nothing when reports are switched off or the viewer opts out.
import { endpoints, type ResponseOf, storageKeys } from '@srs-stack/contract';
import { watchPaths } from '@srs-stack/contract/watch-paths.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { parsePrometheusText } from '../packages/platform/src/testing/prometheus-parser.ts';
import { type Admin, setUp } from './support/api.ts';
import { launchChromium, movingTestVideo, openPage } from './support/chromium.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { answersAgain, type Product, startProduct } from './support/product.ts';
import { until } from './support/until.ts';

const metricsToken = 'e2e-only-for-prometheus';
const noWebrtc = 'delete window.RTCPeerConnection;';
/** A quarter of the encoder's bitrate, bytes per second. */
const slowLine = { offline: false, latency: 20, downloadThroughput: 25_000, uploadThroughput: 25_000 };

let product: Product;
let admin: Admin;
let browser: Browser;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct({ METRICS_TOKEN: metricsToken }), launchChromium()]);
  admin = await setUp(product, 'a long first password');
  const video = { gopSeconds: 1 };
  publishTestSource(product.rtmpUrl(`seen?${admin.publishQuery}`), { video, audio: {} });
  await until('the stream is live', async () => (await fetch(`${product.url}/live/seen.m3u8`)).ok);
});
afterAll(async () => {
  await browser?.close();
  await stopAllFfmpeg();
  await product?.remove();
});

async function visit(path: string, before = ''): Promise<{ page: Page; sent: string[]; methods: string[] }> {
  const { page } = await openPage(browser, 'en-US');
  onTestFinished(() => page.context().close());
  const sent: string[] = [];
  const methods: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname !== watchPaths.reports) return;
    if (request.method() === 'POST') sent.push(request.postData() ?? '');
    else methods.push(request.method());
  });
  if (before) await page.addInitScript(before);
  await page.goto(product.url + path);
  return { page, sent, methods };
}

type Viewers = ResponseOf<typeof endpoints.queryViewers>;
const viewers = () => admin.call(endpoints.queryViewers, { range: '5m' }) as Promise<Viewers>;

async function metric(name: string, labels: Record<string, string> = {}): Promise<number> {
  const response = await fetch(`${product.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  const family = parsePrometheusText(await response.text()).get(name.replace(/_(?:count|sum|bucket)$/, ''));
  const found = (family ?? parsePrometheusText('').get(name))?.samples ?? [];
  const matching = found.filter(
    (sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
  return matching.reduce((sum, { value }) => sum + value, 0);
}

test('a viewer with smooth playback is counted by output, with the time to first frame and without personal data', async () => {
  const { page, sent } = await visit('/watch/live/seen', noWebrtc);
  await movingTestVideo(page);
  await until('the stream has a viewer who reported', async () =>
    (await viewers()).streams.some(({ stream, output }) => stream === 'seen' && output === 'flv'),
  );
  const [row] = (await viewers()).streams;
  expect(row?.figures.joinP50).toBeGreaterThan(0);
  expect(row?.figures.receivedBps).toBeGreaterThan(100_000);
  const bodies = sent.map((body) => JSON.parse(body));
  expect(Object.keys(bodies[0]).sort()).toEqual(['app', 'outputs', 'stream']);
  expect(sent.join()).not.toMatch(/127\.0\.0\.1|Chrome|cookie|watch=/i);
  expect(await metric('srs_stack_viewer_join_seconds_count', { stream: 'seen', output: 'flv' })).toBeGreaterThan(0);
  expect(await metric('srs_stack_viewer_reports_total', { result: 'accepted' })).toBeGreaterThan(0);
});

test('playback quality is kept after the control plane was killed, and the counters of a new process start at zero', async () => {
  const [before] = (await viewers()).streams;
  expect(before).toMatchObject({ stream: 'seen' });
  await product.kill('platform');
  await answersAgain(product);
  const [after] = (await viewers()).streams;
  expect(after).toMatchObject({ stream: 'seen', output: before?.output });
  expect(after?.figures.joinP50).toBe(before?.figures.joinP50);
  expect(await metric('srs_stack_viewer_join_seconds_count', { stream: 'seen' })).toBe(0);
});

test('a viewer on a slow network stalls, and dashboard, metrics and the stream show the cause', async () => {
  const { page } = await visit('/watch/live/seen', noWebrtc);
  await movingTestVideo(page);
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', slowLine);
  // A reload opens new connections, because open connections are not throttled.
  await page.reload();
  await until(
    'metrics tell stalls',
    async () => (await metric('srs_stack_viewer_stalls_total', { stream: 'seen' })) > 0,
  );
  const { page: mgmt } = await openPage(browser, 'en-US');
  onTestFinished(() => mgmt.context().close());
  const stored = [storageKeys.token, JSON.stringify(admin.session)] as const;
  await mgmt.addInitScript(([key, value]) => localStorage.setItem(key, value), stored);
  await mgmt.goto(`${product.url}/mgmt/en/routers-dashboard`);
  const panel = mgmt.getByRole('region', { name: 'Playback quality' });
  await panel.locator('figure').filter({ hasText: 'Stalling viewers' }).waitFor();
  const row = panel.getByRole('row').filter({ hasText: 'live/seen' }).filter({ hasText: 'HTTP-FLV' });
  await until('the table shows the share', async () => /[1-9]\d*%/.test((await row.textContent()) ?? ''));
  await until('the stream has the finding', async () => {
    const { streams } = await admin.call(endpoints.queryLive, {});
    const viewing = streams.find(({ stream }) => stream === 'seen')?.viewing;
    return (viewing?.stalledShare ?? 0) > 0.1;
  });
  await mgmt.goto(`${product.url}/mgmt/en/routers-streams?stream=live%2Fseen`);
  await mgmt.locator('[data-finding="viewers-stall-bitrate"]').first().waitFor();
});

test('reports of clients that do not watch are refused, and leave no data', async () => {
  const forged = (index: number) => ({
    app: 'live',
    stream: `forged-${index}`,
    outputs: [{ output: 'flv', seconds: 10 }],
  });
  const responses = await Promise.all(
    Array.from({ length: 500 }, async (_, index) => {
      const body = JSON.stringify(forged(index));
      const response = await fetch(product.url + watchPaths.reports, { method: 'POST', body });
      await response.arrayBuffer();
      return response.status;
    }),
  );
  expect(new Set(responses)).toEqual(new Set([403]));
  await until(
    'they are counted',
    async () => (await metric('srs_stack_viewer_reports_total', { result: 'unknown' })) >= 500,
  );
  const { streams } = await viewers();
  expect(streams.filter(({ stream }) => stream.startsWith('forged'))).toEqual([]);
});

test.each([
  ['Do Not Track', `Object.defineProperty(navigator, 'doNotTrack', { get: () => '1' });`],
  ['Global Privacy Control', `Object.defineProperty(navigator, 'globalPrivacyControl', { get: () => true });`],
])('of a viewer with %s nothing is sent', async (_name, before) => {
  const { page, sent, methods } = await visit('/watch/live/seen', noWebrtc + before);
  await movingTestVideo(page);
  await hide(page);
  expect([sent, methods]).toEqual([[], []]);
});

test('when switched off, nothing is sent', async () => {
  await admin.call(endpoints.updateViewerReports, { enabled: false });
  onTestFinished(async () => {
    await admin.call(endpoints.updateViewerReports, { enabled: true });
  });
  const isOn = async () =>
    ((await (await fetch(product.url + watchPaths.reports)).json()) as { reports: boolean }).reports;
  await until('the gateway knows', async () => !(await isOn()));
  const { page, sent, methods } = await visit('/watch/live/seen', noWebrtc);
  await movingTestVideo(page);
  await hide(page);
  expect([sent, methods]).toEqual([[], []]);
  expect((await viewers()).viewerReports).toBe(false);
});

async function hide(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  });
}
