import { storageKeys } from '@srs-stack/contract';
import type { Channel, ChannelState } from '@srs-stack/contract/models/channel.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { startFakeServer, testSession } from '../../testing/fake-server.ts';
import { renderApp } from '../../testing/render-app.tsx';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

const film = { id: 'i1', kind: 'file', source: 'vlive/film.mp4', name: 'Film', minutes: 0 } as const;
const pause = { id: 'i2', kind: 'break', source: '', name: '', minutes: 5 } as const;
const news: Channel = {
  ...{ id: 'c1', title: 'News', stream: 'news', zone: 'Europe/Berlin', enabled: true },
  ...{ height: 720, fps: 25, kbps: 3_000, playlist: [film, pause], weekly: [] },
};
const slot = (title: string, cause: 'weekly' | 'playlist') => ({
  ...{ item: title, title, cause, startsAt: '2026-01-02T03:00:00Z', endsAt: '2026-01-02T04:00:00Z' },
});
const onAir: ChannelState = {
  ...{ channel: news, state: 'on-air', reason: '', now: slot('Film', 'playlist'), next: slot('Weather', 'weekly') },
  ...{ preparation: { ready: 1, total: 2, current: 'Weather', done: 0.4 }, server: '', startsWith: '', live: null },
  problems: [{ title: 'Old film', reason: 'missing', detail: '' }],
};

const taken = { stream: 'live/guest', cause: 'takeover', isOnAir: true } as const;

function serve(channels: ChannelState[]) {
  return startFakeServer({
    listChannels: () => ({ channels }),
    createChannel: (draft) => ({ ...news, ...draft, id: 'c2', enabled: false }) as Channel,
    updateChannel: () => news,
    switchChannel: ({ enabled }) => ({ ...news, enabled }),
    removeChannel: () => null,
    takeOverChannel: () => null,
    giveBackChannel: () => null,
    queryLibrary: () => ({
      files: [
        {
          ...{
            uuid: 'u',
            name: 'film.mp4',
            size: 1,
            target: 'vlive/film.mp4',
            type: 'file',
            addedAt: '2026-01-02T03:04:05Z',
          },
          ...{ expiresAt: '', usedBy: [], place: 'server' },
        } as const,
      ],
      ...{ freeBytes: 1, maxFileBytes: 1 },
    }),
    queryRecordFiles: () => [],
    queryAsRun: () => ({
      entries: [
        { at: '2026-01-02T03:04:06Z', kind: 'started', item: 'i1', title: 'Film', detail: '' },
        { at: '2026-01-02T03:04:05Z', kind: 'failed', item: 'i0', title: 'Old film', detail: 'ENOENT' },
      ],
    }),
    queryProgramme: () => ({ slots: [slot('Film', 'playlist'), slot('Weather', 'weekly')] }),
  });
}

const page = (language: 'en' | 'zh') => `/${language}/routers-scenario?tab=channel`;

test('shows the current and the next item, what is being prepared and what cannot be played', async () => {
  serve([onAir]);
  await renderApp(page('en'), 'en');
  const list = within(await screen.findByRole('list', { name: 'Channels' }));
  expect(list.getByText('Film')).toBeTruthy();
  expect(list.getByText(/^Weather from/)).toBeTruthy();
  expect(list.getByText('1 of 2 files are prepared. Preparing Weather: 40%')).toBeTruthy();
  expect(list.getByText(/Old film is not on this server/)).toBeTruthy();
  await userEvent.click(list.getByText('Played so far'));
  expect(await list.findByText('Old film could not be read and was skipped: ENOENT')).toBeTruthy();
});

test('stops a channel, and removes it after a confirmation', async () => {
  const server = serve([onAir]);
  await renderApp(page('en'), 'en');
  await userEvent.click(await screen.findByRole('button', { name: 'Stop' }));
  await waitFor(() => expect(server.callsOf('switchChannel')[0]!.body).toMatchObject({ id: 'c1', enabled: false }));
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText(/Its stream ends and its prepared files are deleted/)).toBeTruthy();
  expect(server.callsOf('removeChannel')).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(server.callsOf('removeChannel')[0]!.body).toMatchObject({ id: 'c1' }));
});

test('creates a channel with a playlist and a weekly entry', async () => {
  const server = serve([]);
  await renderApp(page('en'), 'en');
  await userEvent.click(await screen.findByRole('button', { name: 'Add a channel' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText('Required')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Name'), 'Evening');
  await userEvent.type(screen.getByLabelText('Stream name'), 'evening');
  const [playlistKind, weeklyKind] = screen.getAllByRole('combobox', { name: 'What to play' });
  await userEvent.click(screen.getAllByRole('combobox', { name: 'File' })[0]!);
  await userEvent.click(await screen.findByRole('option', { name: 'film.mp4' }));
  await userEvent.click(screen.getByRole('button', { name: 'Add to the playlist' }));
  expect(playlistKind).toBeTruthy();
  await userEvent.click(weeklyKind!);
  await userEvent.click(await screen.findByRole('option', { name: 'Break', hidden: false }));
  await userEvent.click(screen.getByRole('button', { name: 'Add to the week' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(server.callsOf('createChannel')).toHaveLength(1));
  expect(server.callsOf('createChannel')[0]!.body).toMatchObject({
    ...{ title: 'Evening', stream: 'evening' },
    playlist: [{ kind: 'file', source: 'vlive/film.mp4', name: 'film.mp4' }],
    weekly: [{ days: [1, 2, 3, 4, 5, 6, 7], at: '20:00', item: { kind: 'break', minutes: 5 } }],
  });
});

test('changes the order of the playlist with buttons', async () => {
  const server = serve([onAir]);
  await renderApp(page('en'), 'en');
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }));
  await userEvent.click(screen.getAllByRole('button', { name: 'Move down' })[0]!);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(server.callsOf('updateChannel')).toHaveLength(1));
  expect(server.callsOf('updateChannel')[0]!.body).toMatchObject({ id: 'c1', playlist: [pause, film] });
});

test('puts a live stream on the air, and takes one off after a confirmation', async () => {
  const server = serve([onAir, { ...onAir, channel: { ...news, id: 'c2', title: 'Sports' }, live: taken }]);
  await renderApp(page('en'), 'en');
  await userEvent.click(await screen.findByRole('button', { name: 'Put a live stream on air' }));
  const put = await screen.findByRole('button', { name: 'Put on air' });
  expect(put).toHaveProperty('disabled', true);
  await userEvent.type(screen.getByRole('combobox', { name: 'Live stream' }), 'live/studio');
  await userEvent.click(put);
  await waitFor(() =>
    expect(server.callsOf('takeOverChannel')[0]!.body).toMatchObject({ id: 'c1', stream: 'live/studio' }),
  );
  expect(screen.getByText('live/guest is on the air')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Take off the air' }));
  expect(server.callsOf('giveBackChannel')).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(server.callsOf('giveBackChannel')[0]!.body).toMatchObject({ id: 'c2' }));
});

test('shows a live stream that is not published, the file that is awaited, and a server that does not respond', async () => {
  const absent = { stream: 'live/studio', cause: 'item', isOnAir: false } as const;
  serve([
    { ...onAir, live: absent, startsWith: 'Film' },
    { ...onAir, channel: { ...news, id: 'c2', title: 'Sports' }, state: 'unreachable', server: 'berlin-1' },
  ]);
  await renderApp(page('en'), 'en');
  expect(await screen.findByText('live/studio is not live')).toBeTruthy();
  expect(screen.getByText('The playlist starts with Film once that file is prepared.')).toBeTruthy();
  expect(screen.getByText(/Plays on the server berlin-1, which does not respond/)).toBeTruthy();
});

test('moves and lengthens weekly entries in the calendar with the keyboard', async () => {
  const show = { days: [1, 2], at: '20:00', minutes: 30, item: film };
  const server = serve([{ ...onAir, channel: { ...news, weekly: [show] } }]);
  await renderApp(page('en'), 'en');
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }));
  screen.getByRole('button', { name: '20:00 Film, Tuesday, 30 minutes' }).focus();
  await userEvent.keyboard('{ArrowDown}');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('20:15 Film, Tuesday, 30 minutes');
  await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}');
  await userEvent.keyboard('{ArrowRight}');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('20:15 Film, Wednesday, 45 minutes');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(server.callsOf('updateChannel')).toHaveLength(1));
  const { weekly } = server.callsOf('updateChannel')[0]!.body as Channel;
  expect(weekly.map(({ at, days, minutes }) => [at, days, minutes])).toEqual([
    ['20:15', [1], 45],
    ['20:15', [3], 45],
  ]);
});

test('is translated into Chinese', async () => {
  serve([onAir]);
  await renderApp(page('zh'), 'zh');
  expect(await screen.findByText('正在播放')).toBeTruthy();
  expect(screen.getByText(/Old film 不在此服务器上/)).toBeTruthy();
});
