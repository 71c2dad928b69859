import { storageKeys } from '@srs-stack/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { startFakeServer, testSession } from '../../testing/fake-server.ts';
import { renderApp } from '../../testing/render-app.tsx';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

const uuid = '00000000-0000-4000-8000-000000000001';
const window = { app: 'live', stream: 'show', since: '2026-05-01T12:00:00.000Z', until: '2026-05-01T12:10:00.000Z' };
const cut = { from: '2026-05-01T12:09:28.000Z', to: '2026-05-01T12:10:00.000Z', seconds: 32, sizeBytes: 4_000_000 };
const row = {
  ...{ uuid, vhost: '__defaultVhost__', app: 'live', stream: 'show', update: cut.to, begin: cut.from, nn: 16 },
  ...{
    duration: 32,
    size: 1,
    mp4Size: 1,
    problemKind: null,
    problem: '',
    title: '',
    notes: '',
    keep: false,
    object: '',
    place: 'server' as const,
  },
} as const;

const totals = { count: 0, recording: 0, duration: 0, size: 0 };
const disk = { state: 'ok', freeBytes: 1e12, totalBytes: 1e12, reserveBytes: 1e9 } as const;

const rewound = {
  queryRecord: () => ({ all: true, home: '/data/record', directory: '/srv/record', globs: [], processCpDir: '' }),
  queryRecordStatus: () => ({ totals, matching: totals, disk }),
  queryRecordBin: () => [],
  queryRecordFiles: () => [],
  queryRecordRetention: () => ({ keepDays: 0, maxBytes: 0, removals: [] }),
  queryObjectTransfers: () => [],
  queryRecordSplit: () => ({ maxSeconds: 0, maxBytes: 0 }),
  queryRewindWindows: () => [{ ...window, sizeBytes: 1 }],
  queryRewindWindow: ({ from }: { from?: string | undefined }) => ({
    ...{ ...window, sizeBytes: 1, playlist: '/live/show.rewind.m3u8', thumbnails: '/live/show.rewind.vtt' },
    ...{ watchQuery: 'watch=mine', cut: from ? cut : null },
  }),
} as const;

async function openEditor(): Promise<void> {
  await renderApp('/en/routers-scenario?tab=record', 'en');
  await userEvent.click(await screen.findByRole('button', { name: 'Clip' }));
  await screen.findByText(/Cut at keyframes.*32\.0 s/);
}

test('a clip is cut between the handles, shows its exact cut points, and is downloaded when it is ready', async () => {
  let isReady = false;
  const server = startFakeServer({
    ...rewound,
    createClip: () => ({ ...cut, uuid }),
    queryRecordFiles: ({ search }) =>
      search === uuid ? [{ ...row, progress: !isReady, state: isReady ? 'done' : 'finishing' }] : [],
  });
  await openEditor();
  screen.getByRole('slider', { name: 'Start of the clip' }).focus();
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
  await userEvent.click(screen.getByRole('button', { name: 'Create clip' }));
  await screen.findByText('Creating the MP4 …');
  expect(server.callsOf('createClip')[0]!.body).toMatchObject({
    ...{ app: 'live', stream: 'show' },
    ...{ from: '2026-05-01T12:09:28.000Z', to: '2026-05-01T12:10:00.000Z' },
  });
  isReady = true;
  const link = await waitFor(() => screen.getByRole('link', { name: 'Download MP4' }), { timeout: 10_000 });
  expect(link.getAttribute('href')).toContain(`${uuid}/index.mp4?download=1`);
});

test('the reason of a failed clip is shown in the language of the page, beside the message of the program', async () => {
  const failed = { state: 'failed', problemKind: 'remux', problem: 'Invalid data found', progress: false } as const;
  startFakeServer({
    ...rewound,
    createClip: () => ({ ...cut, uuid }),
    queryRecordFiles: ({ search }) => (search === uuid ? [{ ...row, ...failed }] : []),
  });
  await renderApp('/zh/routers-scenario?tab=record', 'zh');
  await userEvent.click(await screen.findByRole('button', { name: '剪辑' }));
  await userEvent.click(await screen.findByRole('button', { name: '生成片段' }));
  const note = await screen.findByText(/FFmpeg 无法生成 MP4。/);
  expect(note.textContent).toBe('FFmpeg 无法生成 MP4。切片已保留，可以播放。Invalid data found');
  expect(screen.getByText('Invalid data found').getAttribute('lang')).toBe('en');
});

/** Local time of day, as the editor displays and parses it. */
const clock = (time: string) => new Date(time).toTimeString().slice(0, 8);
const link = () => decodeURIComponent(screen.getByText(/show\.rewind\.m3u8/).textContent ?? '');

test('times are typed, moved by a second, and set relative to the end; times outside the window are refused', async () => {
  startFakeServer(rewound);
  await openEditor();
  const begins = screen.getByRole('textbox', { name: 'Start' });
  const typed = async (text: string) => {
    await userEvent.clear(begins);
    await userEvent.type(begins, `${text}{Enter}`);
  };
  await typed(clock('2026-05-01T12:01:05Z'));
  expect(link()).toContain('from=2026-05-01T12:01:05.000Z&to=2026-05-01T12:10:00.000Z');
  await userEvent.type(begins, '{ArrowUp}{ArrowUp}{ArrowDown}');
  await userEvent.click(screen.getByRole('button', { name: 'End one second earlier' }));
  expect(link()).toContain('from=2026-05-01T12:01:06.000Z&to=2026-05-01T12:09:59.000Z');
  await typed('at noon');
  expect(screen.getByText('Use the format 20:15:30.')).toBeTruthy();
  await typed(clock('2026-05-01T11:00:00Z'));
  expect(screen.getByText('This time is outside the rewind window.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Last 5 min' }));
  expect(link()).toContain('from=2026-05-01T12:05:00.000Z&to=2026-05-01T12:10:00.000Z');
});

test('at a zoom of two minutes, the slider shows two minutes and follows the moved handle', async () => {
  startFakeServer(rewound);
  await openEditor();
  const slider = () => screen.getByRole('slider', { name: 'Start of the clip' });
  expect(slider().getAttribute('aria-valuemax')).toBe('600');
  expect(screen.queryByRole('radio', { name: '10 min' })).toBeNull();
  await userEvent.click(screen.getByRole('radio', { name: '2 min' }));
  expect(slider().getAttribute('aria-valuemax')).toBe('120');
  expect(slider().getAttribute('aria-valuetext')).toBe(clock('2026-05-01T12:09:30Z'));
  const begins = screen.getByRole('textbox', { name: 'Start' });
  await userEvent.clear(begins);
  await userEvent.type(begins, `${clock('2026-05-01T12:03:00Z')}{Enter}`);
  // The clip is longer than the view, which shows one minute before and after the clip's start.
  expect(slider().getAttribute('aria-valuenow')).toBe('60');
});

test('the clip is previewed as it would be cut, with its access token', async () => {
  startFakeServer(rewound);
  await openEditor();
  await userEvent.click(screen.getByRole('button', { name: 'Play' }));
  const video = screen.getByLabelText<HTMLVideoElement>('Preview of the clip');
  await waitFor(() => {
    expect(decodeURIComponent(video.src)).toContain(
      'from=2026-05-01T12:09:30.000Z&to=2026-05-01T12:10:00.000Z&watch=mine',
    );
  });
  await userEvent.click(screen.getByRole('button', { name: 'Stop' }));
  expect(screen.queryByLabelText('Preview of the clip')).toBeNull();
});
