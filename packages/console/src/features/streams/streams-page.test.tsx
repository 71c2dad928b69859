import { storageKeys } from '@srs-stack/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { type FakeServer, Refusal, startFakeServer, testSession } from '../../testing/fake-server.ts';
import { liveClientFixture, liveStreamFixture } from '../../testing/live-stream-fixture.ts';
import { renderApp } from '../../testing/render-app.tsx';

const lobby = liveStreamFixture({ id: 'vid-lobby', stream: 'lobby', keyframeIntervalMs: 8_200, viewers: 2 });
const stage = liveStreamFixture({ id: 'vid-stage', stream: 'stage', publisherProtocol: 'srt', viewers: 5 });
const publisher = liveClientFixture({ id: 'pub', isPublisher: true, protocol: 'rtmp', ip: '10.0.0.7' });
const viewer = liveClientFixture({ id: 'viewer01', ip: '203.0.113.9', droppedFrames: 12, userAgent: 'VLC/3.0' });

function serve(streams = [lobby, stage]): FakeServer {
  localStorage.setItem(storageKeys.token, JSON.stringify(testSession));
  return startFakeServer({
    queryLive: () => ({ mediaServer: true, streams, refusals: [] }),
    queryLiveClients: () => ({ clients: [publisher, viewer], total: 2 }),
    queryStreamPicture: () => ({ picture: 'data:image/jpeg;base64,/9j/' }),
    kickLiveClient: () => null,
    kickStream: () => null,
  });
}

const open = (query = '', locale: 'en' | 'zh' = 'en') => renderApp(`/${locale}/routers-streams${query}`, locale);
const names = () =>
  within(screen.getByRole('list', { name: 'Live streams' }))
    .getAllByRole('button')
    .map((button) => button.textContent);

test('lists every stream with its facts, the one with a problem first', async () => {
  serve();
  await open();
  await screen.findByRole('button', { name: 'live/lobby' });
  expect(names()).toEqual(['live/lobby', 'live/stage']);
  const rows = within(screen.getByRole('list', { name: 'Live streams' })).getAllByRole('listitem');
  expect(rows[0]!.textContent).toContain('The keyframe interval is 8.2 s');
  expect(rows[0]!.textContent).toMatch(/H\.264.*High.*1280×720.*30 fps/);
  expect(rows[1]!.textContent).toContain('Healthy');
  expect(rows[1]!.textContent).toContain('SRT');
});

test('searches and sorts', async () => {
  serve();
  const user = userEvent.setup();
  await open();
  await user.type(await screen.findByRole('searchbox'), 'srt');
  await waitFor(() => expect(names()).toEqual(['live/stage']));
  await user.type(screen.getByRole('searchbox'), ' nothing');
  expect(await screen.findByText('Nothing found for “srt nothing”')).toBeTruthy();
});

test('opens a stream by its address, with advice, metrics and connections', async () => {
  serve();
  await open('?stream=live/lobby');
  const details = await screen.findByRole('dialog', { name: 'live/lobby' });
  expect(await within(details).findByText('Set 2 s in OBS → Settings → Output.', { exact: false })).toBeTruthy();
  expect(await within(details).findByText('VLC/3.0')).toBeTruthy();
  expect(details.textContent).toContain('12 frames skipped');
});

test('shows spare encoders, and disconnects one after a confirmation', async () => {
  const spare = liveClientFixture({ id: 'spare', isPublisher: true, priority: 2, protocol: 'srt', ip: '10.0.0.8' });
  const server = serve([
    { ...lobby, spares: [{ priority: 2, isOnAir: false }] },
    { ...stage, backupForMs: 5_000, spares: [{ priority: 2, isOnAir: true }] },
  ]);
  server.respondWith({ queryLiveClients: () => ({ clients: [publisher, spare], total: 2 }) });
  const user = userEvent.setup();
  await open('?stream=live/lobby');
  const details = await screen.findByRole('dialog', { name: 'live/lobby' });
  expect(await within(details).findByText('spare encoder, priority 2')).toBeTruthy();
  const list = screen.getByRole('list', { name: 'Live streams' });
  expect(within(list).getByText('Spare encoder connected')).toBeTruthy();
  expect(within(list).getByText(/^Spare since /)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Disconnect 10.0.0.7' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Disconnect 10.0.0.8' }));
  expect(await screen.findByText(/The spare encoder 10\.0\.0\.8 will be disconnected/)).toBeTruthy();
  await user.click(await screen.findByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(server.callsOf('kickLiveClient')[0]?.body).toMatchObject({ id: 'spare' }));
});

test('disconnects a viewer and the encoder after a confirmation', async () => {
  const server = serve();
  const user = userEvent.setup();
  await open('?stream=live/lobby');
  await user.click(await screen.findByRole('button', { name: 'Disconnect 203.0.113.9' }));
  await user.click(await screen.findByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(server.callsOf('kickLiveClient')[0]?.body).toMatchObject({ id: 'viewer01' }));
  await user.click(screen.getByRole('button', { name: 'Disconnect encoder' }));
  expect(await screen.findByText(/2 viewers will be disconnected/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(server.callsOf('kickStream')[0]?.body).toMatchObject({ app: 'live', stream: 'lobby' }));
});

test('one click records a stream; the recording ends after a confirmation', async () => {
  const server = serve();
  const state = { wanted: false, chosen: null as boolean | null, since: '' };
  server.respondWith({
    queryStreamRecording: () => ({ ...state }),
    updateStreamRecording: ({ record = false }) => {
      Object.assign(state, { wanted: record, since: record ? '2026-01-02T03:04:05Z' : '' });
      return null;
    },
  });
  const user = userEvent.setup();
  /** Searches by text, because a role query searches the whole page and is slow. */
  const button = (text: string) => screen.findByText(text, { selector: 'button *' });
  await open('?stream=live/lobby');
  await user.click(await button('Record'));
  await user.click(await button('Stop recording'));
  expect(await screen.findByText(/is not recorded again until you press Record/)).toBeTruthy();
  await user.click(await button('Continue'));
  expect(await button('Record')).toBeTruthy();
  expect(server.callsOf('updateStreamRecording').map(({ body }) => body)).toMatchObject([
    { app: 'live', stream: 'lobby', record: true },
    { app: 'live', stream: 'lobby', record: false },
  ]);
});

test('reports that a selected stream has ended, and returns to the list', async () => {
  serve([stage]);
  const user = userEvent.setup();
  const app = await open('?stream=live/lobby');
  const details = await screen.findByRole('dialog', { name: 'live/lobby' });
  expect(within(details).getByText('This stream is no longer live.')).toBeTruthy();
  await user.click(within(details).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(app.url()).toBe('/en/routers-streams'));
});

test('suggests the next step while nothing is live, in both languages', async () => {
  serve([]);
  const page = await open();
  expect((await screen.findByRole('link', { name: 'How to publish' })).getAttribute('href')).toBe(
    '/en/routers-scenario?tab=live',
  );
  page.unmount();
  await open('', 'zh');
  expect(await screen.findByText('目前没有直播')).toBeTruthy();
});

test('reports whether the control plane or the media server does not respond', async () => {
  const server = serve();
  server.respondWith({ queryLive: () => ({ mediaServer: false, streams: [], refusals: [] }) });
  const page = await open();
  expect(await screen.findByText('The media server is not responding')).toBeTruthy();
  page.unmount();
  server.respondWith({ queryLive: () => new Refusal('internal') });
  await open();
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
});
