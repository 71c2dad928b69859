import { type Snapshot, storageKeys } from '@srs-stack/contract';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { createQueryClient } from '../../api/query-client.ts';
import { i18next, startI18n } from '../../i18n/i18n.ts';
import { Refusal, startFakeServer, testSession } from '../../testing/fake-server.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { Providers } from '../providers.tsx';
import { SnapshotButton } from './snapshot-button.tsx';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

const image = 'data:image/jpeg;base64,/9j/';
const snapshot = (minute: number, isTimed: boolean): Snapshot => ({
  name: `176742000000${minute}-${isTimed ? 't' : 'm'}.jpg`,
  at: `2026-01-03T06:0${minute}:00Z`,
  size: 100_000,
  isTimed,
});

async function openTimers() {
  const server = startFakeServer({
    queryRecord: () => ({ all: false, home: '/data/record', directory: '/data/record', globs: [], processCpDir: '' }),
    queryRecordRetention: () => ({ keepDays: 0, maxBytes: 0, removals: [] }),
    queryRecordSplit: () => ({ maxSeconds: 0, maxBytes: 0 }),
    querySnapshotTimers: () => ({
      timers: [{ glob: '/live/a', seconds: 60, keep: 100 }],
      streams: [{ app: 'live', stream: 'a', count: 2, size: 200_000, latest: '2026-01-03T06:02:00Z' }],
    }),
    updateSnapshotTimers: () => null,
    querySnapshots: () => ({ snapshots: [snapshot(2, true), snapshot(1, false)] }),
    querySnapshotPicture: () => ({ picture: image }),
    removeSnapshots: () => null,
  });
  await renderApp('/en/routers-scenario?tab=record', 'en');
  await userEvent.click(await screen.findByRole('button', { name: /^Snapshots/ }));
  return server;
}

test('timers are checked and saved together', async () => {
  const server = await openTimers();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Add timer' }));
  await user.click(screen.getByRole('button', { name: 'Save timers' }));
  expect(screen.getByText(/^Start with \//)).toBeTruthy();
  expect(server.callsOf('updateSnapshotTimers')).toEqual([]);
  await user.type(screen.getAllByLabelText('Streams')[1]!, '/live/b');
  await user.clear(screen.getAllByLabelText('Every (seconds)')[1]!);
  await user.type(screen.getAllByLabelText('Every (seconds)')[1]!, '5');
  await user.click(screen.getByRole('button', { name: 'Save timers' }));
  await waitFor(() =>
    expect(server.callsOf('updateSnapshotTimers')[0]?.body.timers).toEqual([
      { glob: '/live/a', seconds: 60, keep: 100 },
      { glob: '/live/b', seconds: 5, keep: 100 },
    ]),
  );
});

test('snapshots of a stream are shown, the newest first, and deleted after a confirmation', async () => {
  const server = await openTimers();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Show' }));
  expect((await screen.findByRole('img', { name: /^live\/a at 2026-01-03/ })).getAttribute('src')).toBe(image);
  expect(screen.getByRole('link', { name: 'Download' }).getAttribute('download')).toBe('a-2026-01-03T06-02-00Z.jpg');
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  await user.click(await screen.findByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(server.callsOf('removeSnapshots')[0]?.body.name).toBe(snapshot(2, true).name));
});

test('the button of a live stream takes a snapshot, then shows it; a refusal opens nothing', async () => {
  const server = startFakeServer({
    takeSnapshot: () => snapshot(1, false),
    querySnapshots: () => ({ snapshots: [snapshot(1, false)] }),
    querySnapshotPicture: () => ({ picture: image }),
  });
  if (!i18next.isInitialized) await startI18n('en', ['common', 'snapshots']);
  await i18next.changeLanguage('en');
  const user = userEvent.setup();
  render(
    <Providers client={createQueryClient()}>
      <SnapshotButton app="live" stream="a" />
    </Providers>,
  );
  await user.click(await screen.findByRole('button', { name: 'Take a snapshot' }));
  expect((await screen.findByRole('img', { name: /^live\/a at/ })).getAttribute('src')).toBe(image);
  expect(server.callsOf('takeSnapshot')[0]?.body).toMatchObject({ app: 'live', stream: 'a' });
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('img')).toBeNull());
  server.respondWith({ takeSnapshot: () => new Refusal('serverBusy') });
  await user.click(screen.getByRole('button', { name: 'Take a snapshot' }));
  await waitFor(() => expect(server.callsOf('takeSnapshot')).toHaveLength(2));
  expect(screen.queryByRole('dialog')).toBeNull();
});
