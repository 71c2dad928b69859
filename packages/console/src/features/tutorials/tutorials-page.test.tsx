import { endpoints, storageKeys } from '@srs-stack/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { demoStreamFixture, Refusal, startFakeServer, testSession } from '../../testing/fake-server.ts';
import { liveStreamFixture } from '../../testing/live-stream-fixture.ts';
import { renderApp } from '../../testing/render-app.tsx';

// The simulated DOM lacks Media Source Extensions, which the video player needs.
vi.mock('../../shared/stream-image.tsx', () => ({ default: ({ address }: { address: string }) => <i>{address}</i> }));

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

const live = (...names: string[]) => ({
  mediaServer: true,
  streams: names.map((stream) => liveStreamFixture({ id: stream, stream })),
  refusals: [],
});
const inOneHour = () => new Date(Date.now() + 3_600_000).toISOString();
const openPage = (locale: 'zh' | 'en' = 'en') => renderApp(`/${locale}/routers-scenario`, locale);
const button = (name: string) => screen.findByRole('button', { name });

describe('with nothing live', () => {
  test('shows three ways to the first stream', async () => {
    startFakeServer();
    const app = await openPage();
    const link = await screen.findByRole('link', { name: 'Publish with OBS' });
    expect(link.getAttribute('href')).toBe('/en/routers-scenario?tab=live');
    await userEvent.click(screen.getByRole('link', { name: 'Use this browser' }));
    expect(app.url()).toBe('/en/routers-scenario?tab=live&item=5');
  });

  test('the demo starts, its video appears, and stopping it returns to the start', async () => {
    const server = startFakeServer({ startDemoStream: () => demoStreamFixture({ stopsAt: inOneHour() }) });
    await openPage();
    const start = await button('Play a demo stream');
    server.respondWith({ queryDemoStream: () => demoStreamFixture({ stopsAt: inOneHour() }), queryLive: () => live() });
    await userEvent.click(start);
    expect(await screen.findByText('The demo stream is starting')).toBeTruthy();
    server.respondWith({ queryLive: () => live('demo') });
    expect(await screen.findByText('It works: the demo stream is live')).toBeTruthy();
    expect(await screen.findByText(/\/live\/demo\.flv$/)).toBeTruthy();
    expect(screen.getByText(/stops automatically in \d+ minutes/)).toBeTruthy();
    const off = () => demoStreamFixture({ enabled: false, state: 'stopped' });
    server.respondWith({ stopDemoStream: off, queryDemoStream: off, queryLive: () => live() });
    await userEvent.click(await button('Stop the demo'));
    expect(await screen.findByText('Your server is ready. Publish your first stream.')).toBeTruthy();
  });

  test('a demo that does not start shows the reason', async () => {
    const failing = demoStreamFixture({ state: 'error', reason: 'ffmpeg-missing', reasonDetail: 'ENOENT' });
    startFakeServer({ queryDemoStream: () => failing });
    await openPage();
    expect(await screen.findByText('The demo stream does not start')).toBeTruthy();
    expect(screen.getByText('ENOENT')).toBeTruthy();
    expect(await button('Stop the demo')).toBeTruthy();
  });

  test('the page header reports a refused start', async () => {
    startFakeServer({ startDemoStream: () => new Refusal('internal') });
    await openPage();
    await userEvent.click(await button('Play a demo stream'));
    expect((await screen.findByRole('alert')).textContent).toContain('You got an error!');
  });

  test('does not suggest publishing while the engine is down', async () => {
    startFakeServer({ queryLive: () => ({ ...live(), mediaServer: false }) });
    await openPage();
    expect(await screen.findByText('The media server is not responding')).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Publish with OBS' })).toBeNull();
  });
});

test("an operator's own stream takes precedence over the demo", async () => {
  startFakeServer({
    queryLive: () => live('demo', 'concert'),
    queryDemoStream: () => demoStreamFixture({ stopsAt: inOneHour() }),
  });
  await openPage();
  expect(await screen.findByText('You are live')).toBeTruthy();
  expect(screen.getByText('live/concert')).toBeTruthy();
  expect(await button('Stop the demo')).toBeTruthy();
});

describe('the first steps', () => {
  const steps = { password: true, publish: false, play: false, https: false, record: false, forward: false };
  const stateOf = (name: string) => screen.getByRole('link', { name: new RegExp(`^${name}`) }).dataset.done;

  test('are checked automatically, and each links to its page', async () => {
    const server = startFakeServer();
    await openPage();
    expect(await screen.findByText('1 of 6')).toBeTruthy();
    expect(stateOf('Publish a first stream')).toBeUndefined();
    expect(screen.getByRole('link', { name: /^Turn on HTTPS/ }).getAttribute('href')).toBe(
      '/en/routers-settings?tab=https',
    );
    server.respondWith({ queryFirstSteps: () => ({ ...steps, publish: true, play: true }) });
    expect(await screen.findByText('3 of 6')).toBeTruthy();
    expect(stateOf('Publish a first stream')).toBe('true');
  });

  test('stay hidden once hidden, and are shown again on request', async () => {
    startFakeServer();
    const app = await openPage();
    await userEvent.click(await button('Hide the first steps'));
    app.unmount();
    await openPage();
    await userEvent.click(await button('Show the first steps'));
    expect(await screen.findByRole('heading', { name: 'First steps' })).toBeTruthy();
  });

  test('show a failed query with a retry', async () => {
    const server = startFakeServer({ queryFirstSteps: () => new Refusal('internal') });
    await openPage();
    const retry = await screen.findByRole('button', { name: 'Try again' });
    server.respondWith({ queryFirstSteps: () => steps });
    await userEvent.click(retry);
    expect(await screen.findByText('1 of 6')).toBeTruthy();
  });
});

describe('the tutorials', () => {
  const cards = () => within(screen.getByRole('region', { name: /^(Tutorials|教程)$/ })).getAllByRole('link');

  test('in Chinese have the titles and counts of the video site, the most watched first', async () => {
    const views: Record<string, number> = { BV1844y1L7dL: 12, BV1tZ4y1R7qp: 34_567 };
    startFakeServer({
      bilibili: ({ bvid }) => ({ title: `视频 ${bvid}`, desc: '', stat: { view: views[bvid]!, like: 8, share: 9 } }),
    });
    await openPage('zh');
    await waitFor(() => expect(cards()[0]!.textContent).toContain('34,567'));
    expect(cards()[0]!.getAttribute('href')).toBe('https://www.bilibili.com/video/BV1tZ4y1R7qp/');
    expect(cards()[0]!.textContent).toMatch(/视频 · 程晓龙视频 BV1tZ4y1R7qp.*播放 34,567点赞 8分享 9/);
    expect(cards()[1]!.textContent).toContain('播放 12');
  });

  test('without internet access keep title and link, state that counts are missing, and show no error', async () => {
    startFakeServer({ bilibili: () => new Refusal('videoSiteUnreachable') });
    await openPage('zh');
    await waitFor(() => expect(screen.getAllByText('服务器能访问互联网后显示播放数据')).toHaveLength(2));
    expect(cards()[0]!.textContent).toMatch(/播放 –点赞 –分享 –/);
    expect(cards()[0]!.textContent).toContain('起步、购买和入门');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('any other failure is reported', async () => {
    startFakeServer({ bilibili: () => new Refusal('internal') });
    await openPage('zh');
    expect(await screen.findByRole('alert')).toBeTruthy();
  });

  test('a fetch that is cancelled by leaving the page is ignored; returning fetches again', async () => {
    startFakeServer();
    const fakeFetch = globalThis.fetch;
    const signals: AbortSignal[] = [];
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      if (url !== endpoints.bilibili.path) return fakeFetch(url, init);
      const signal = init.signal!;
      signals.push(signal);
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    await openPage('zh');
    await waitFor(() => expect(signals).toHaveLength(2));
    await userEvent.click(screen.getByRole('tab', { name: '其他' }));
    await waitFor(() => expect(signals.every(({ aborted }) => aborted)).toBe(true));
    expect(screen.queryByRole('alert')).toBeNull();
    await userEvent.click(screen.getByRole('tab', { name: '教程' }));
    await waitFor(() => expect(signals).toHaveLength(4));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('in English are articles, which send no request to the video site', async () => {
    const server = startFakeServer();
    await openPage();
    await screen.findByRole('heading', { name: 'Tutorials' });
    expect(cards().length).toBeGreaterThan(3);
    for (const card of cards()) expect(card.getAttribute('href')).toMatch(/^https:\/\/blog\.ossrs\.io\//);
    expect(server.callsOf('bilibili')).toEqual([]);
  });
});

test('less used areas are linked', async () => {
  startFakeServer();
  await openPage();
  const areas = within(await screen.findByRole('region', { name: 'More areas' })).getAllByRole('link');
  expect(areas.map((link) => link.getAttribute('href'))).toEqual([
    '/en/routers-scenario?tab=others&ctab=other',
    '/en/routers-scenario?tab=vlive',
    '/en/routers-scenario?tab=others&ctab=deprecated',
    'https://github.com/ossrs/srs-stack',
  ]);
});
