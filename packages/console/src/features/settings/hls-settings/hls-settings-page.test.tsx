import { storageKeys } from '@srs-stack/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { Refusal, startFakeServer, testSession } from '../../../testing/fake-server.ts';
import { renderApp } from '../../../testing/render-app.tsx';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

const handlers = (state: { noHlsCtx: boolean; hlsLowLatency: boolean }) => ({
  queryHighPerformanceHls: () => ({ noHlsCtx: state.noHlsCtx, revision: String(state.noHlsCtx) }),
  queryLowLatencyHls: () => ({ hlsLowLatency: state.hlsLowLatency, revision: String(state.hlsLowLatency) }),
});
const checkedIn = (name: string) =>
  within(screen.getByRole('radiogroup', { name }))
    .getAllByRole('radio')
    .filter((radio) => radio.getAttribute('aria-checked') === 'true' || (radio as HTMLInputElement).checked)
    .map((radio) => radio.getAttribute('aria-label'));

test('choosing high performance saves immediately and shows the new value of the server', async () => {
  const state = { noHlsCtx: false, hlsLowLatency: false };
  const server = startFakeServer({
    ...handlers(state),
    updateHighPerformanceHls: ({ noHlsCtx }) => {
      state.noHlsCtx = noHlsCtx ?? false;
      return null;
    },
  });
  await renderApp('/en/routers-settings?tab=hls', 'en');
  await userEvent.click(await screen.findByRole('radio', { name: 'High performance' }));
  expect(await screen.findByText('HLS delivery updated')).toBeTruthy();
  expect(server.callsOf('updateHighPerformanceHls')[0]!.body).toMatchObject({ noHlsCtx: true });
  expect(checkedIn('HLS delivery')).toEqual(['High performance']);
  expect(checkedIn('HLS latency')).toEqual(['Stable']);
});

test('a refused change is explained and the choice is reset', async () => {
  startFakeServer({
    ...handlers({ noHlsCtx: false, hlsLowLatency: false }),
    updateLowLatencyHls: () => new Refusal('mediaServerUnreachable'),
  });
  await renderApp('/en/routers-settings?tab=hls', 'en');
  await userEvent.click(await screen.findByRole('radio', { name: 'Low latency' }));
  expect((await screen.findByRole('alert')).textContent).toContain('The media server is not responding.');
  await waitFor(() => expect(checkedIn('HLS latency')).toEqual(['Stable']));
});

test('while low latency is on, the page shows its address, except with an external SRS', async () => {
  const state = handlers({ noHlsCtx: false, hlsLowLatency: true });
  const server = startFakeServer(state);
  const page = await renderApp('/en/routers-settings?tab=hls', 'en');
  expect((await screen.findByLabelText('Low-latency address')).textContent).toMatch(/\/live\/livestream\.ll\.m3u8$/);
  const link = screen.getByRole('link', { name: 'Open in the test player' });
  expect(link.getAttribute('href')).toMatch(/^\/tools\/player\.html\?url=.*livestream\.ll\.m3u8$/);
  page.unmount();
  const mediaServer = {
    engine: 'srs',
    api: '127.0.0.1:1985',
    isUp: true,
    version: 'SRS 5',
    abilities: ['reload'],
  } as const;
  server.respondWith({
    queryComponents: () => ({ components: [], mediaServer: { ...mediaServer, abilities: ['reload'] } }),
  });
  await renderApp('/en/routers-settings?tab=hls', 'en');
  expect((await screen.findByRole('radio', { name: 'Low latency' })) !== null).toBe(true);
  await waitFor(() => expect(screen.queryByLabelText('Low-latency address')).toBeNull());
});

test('if one part cannot be loaded, the other stays usable', async () => {
  startFakeServer({
    ...handlers({ noHlsCtx: true, hlsLowLatency: true }),
    queryLowLatencyHls: () => new Refusal('internal'),
  });
  await renderApp('/zh/routers-settings?tab=hls');
  expect(await screen.findByRole('button', { name: '重试' })).toBeTruthy();
  await screen.findByRole('radio', { name: '高性能分发' });
  expect(checkedIn('HLS 分发')).toEqual(['高性能分发']);
});

test('an SRS without reload is reported before anything is changed; one with reload is not', async () => {
  const abilities: ('streams' | 'reload')[] = ['streams'];
  const mediaServer = { engine: 'srs', api: '127.0.0.1:1985', isUp: true, version: 'SRS 5', abilities } as const;
  const server = startFakeServer({
    ...handlers({ noHlsCtx: false, hlsLowLatency: false }),
    queryComponents: () => ({ components: [], mediaServer }),
  });
  const page = await renderApp('/en/routers-settings?tab=hls', 'en');
  expect(await screen.findByText(/does not accept reload requests/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'See the Components page' }).getAttribute('href')).toContain('components');
  page.unmount();
  server.respondWith({
    queryComponents: () => ({ components: [], mediaServer: { ...mediaServer, abilities: ['streams', 'reload'] } }),
  });
  await renderApp('/en/routers-settings?tab=hls', 'en');
  await screen.findByRole('radio', { name: 'High performance' });
  expect(screen.queryByText(/does not accept reload requests/)).toBeNull();
});

test('rewind is switched on with a duration, disk space and streams; invalid values are not sent', async () => {
  const state = { minutes: 0, maxBytes: 10 * 1024 ** 3, patterns: [] as string[] };
  const server = startFakeServer({
    ...handlers({ noHlsCtx: false, hlsLowLatency: false }),
    queryRewind: () => ({ ...state, usedBytes: 0, windows: 0, revision: JSON.stringify(state) }),
    updateRewind: (wanted) => {
      Object.assign(state, { minutes: wanted.minutes, patterns: wanted.patterns });
      return null;
    },
  });
  await renderApp('/en/routers-settings?tab=hls', 'en');
  await userEvent.click(await screen.findByRole('radio', { name: 'On' }));
  const minutes = await screen.findByLabelText('Rewind window (minutes)');
  expect(server.callsOf('updateRewind')[0]!.body).toMatchObject({ minutes: 60, patterns: [] });
  const streams = screen.getByLabelText('Only these streams');
  await userEvent.type(streams, 'live/a b?');
  await userEvent.click(screen.getByRole('button', { name: 'Save rewind' }));
  expect(server.callsOf('updateRewind')).toHaveLength(1);
  await userEvent.clear(streams);
  await userEvent.type(streams, 'live/*{enter}vod/x');
  await userEvent.clear(minutes);
  await userEvent.type(minutes, '90');
  await userEvent.click(screen.getByRole('button', { name: 'Save rewind' }));
  await waitFor(() => expect(server.callsOf('updateRewind')).toHaveLength(2));
  expect(server.callsOf('updateRewind')[1]!.body).toMatchObject({ minutes: 90, patterns: ['live/*', 'vod/x'] });
});
