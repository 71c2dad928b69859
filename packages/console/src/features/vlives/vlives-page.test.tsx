import { type LibraryFile, type MediaSource, storageKeys, type VliveRow, type VliveTarget } from '@srs-stack/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { Refusal, startFakeServer, testSession } from '../../testing/fake-server.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { idleWorker } from '../../testing/worker-fixture.ts';
import { sourceFixture } from './testing.ts';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

const target = (platform: string, change: Partial<VliveTarget> = {}): VliveTarget => ({
  platform,
  server: 'rtmp://a.example/live/',
  secret: 'key',
  enabled: false,
  custom: false,
  label: '',
  files: [sourceFixture()],
  startAt: '',
  ...change,
});
const second = sourceFixture({ name: 'evening.mp4', uuid: '22222222-2222-4222-8222-222222222222' });

function startServer(saved: VliveTarget[] = [], rows: VliveRow[] = [], files: LibraryFile[] = []) {
  const targets = new Map(saved.map((entry) => [entry.platform, entry]));
  let library = files;
  return startFakeServer({
    vliveSecret: ({ action, token: _token, ...fields }) => {
      if (action !== 'update') return Object.fromEntries(targets);
      targets.set(fields.platform!, fields as VliveTarget);
      return null;
    },
    vliveStreams: () => rows,
    queryLibrary: () => ({ files: library, freeBytes: 5 * 1024 ** 3, maxFileBytes: 1024 ** 4 }),
    removeLibraryFile: ({ uuid }) => {
      library = library.filter((file) => file.uuid !== uuid);
      return null;
    },
    vliveServerFile: ({ file }) => ({
      name: file!.split('/').at(-1)!,
      uuid: second.uuid,
      target: second.target,
      size: 9,
    }),
    vliveStreamUrl: ({ url }) => ({ name: 'stream', uuid: second.uuid, target: url!, size: 0 }),
    vliveSource: ({ platform, files: requested }) => {
      const checked = requested!.map((item) => sourceFixture(item as Partial<MediaSource>));
      targets.set(platform!, {
        ...target(platform!, { server: '', secret: '' }),
        ...targets.get(platform!),
        files: checked,
      });
      return { platform: platform!, files: checked };
    },
  });
}

const open = () => renderApp('/en/routers-scenario?tab=vlive', 'en');
const openPanel = async (name: RegExp) => {
  const control = await screen.findByRole('button', { name });
  if (control.getAttribute('aria-expanded') !== 'true') await userEvent.click(control);
  return within(document.getElementById(control.getAttribute('aria-controls')!)!);
};
const saves = (server: ReturnType<typeof startServer>) =>
  server.callsOf('vliveSecret').filter(({ body }) => body.action === 'update');
const order = (panel: Awaited<ReturnType<typeof openPanel>>) =>
  within(panel.getByRole('list', { name: 'Playlist' }))
    .getAllByRole('listitem')
    .map((entry) => entry.querySelector('strong')!.textContent!.trim());

test('without a source nothing is saved', async () => {
  const server = startServer();
  await open();
  const panel = await openPanel(/^YouTube/);
  await userEvent.click(panel.getByRole('button', { name: 'Start virtual live' }));
  expect(panel.getByRole('alert').textContent).toBe('Please upload video source');
  expect(panel.queryByText('Please input stream URL')).toBeNull();
  expect(saves(server)).toHaveLength(0);
});

test('once a source is set, the next step is the address', async () => {
  startServer([target('wx', { server: '' })]);
  await open();
  const panel = await openPanel(/^YouTube/);
  await userEvent.click(panel.getByLabelText(/Custom platform/));
  await userEvent.click(panel.getByRole('button', { name: 'Start virtual live' }));
  expect(panel.getByText('Please input stream URL')).toBeTruthy();
  expect(panel.queryByText(/For custom platform/)).toBeNull();
});

describe('source', () => {
  test('a listed source shows its metadata and selects its mode; a change removes the source until it is kept', async () => {
    startServer([target('wx', { files: [sourceFixture({ type: 'file' })] })]);
    await open();
    const panel = await openPanel(/^YouTube/);
    expect(panel.getByLabelText<HTMLInputElement>('Server file').checked).toBe(true);
    expect(panel.getByText(/2\.5 MB · 10\.1 s · 2,081 Kbps/)).toBeTruthy();
    expect(panel.getByText(/H\.264 · High · 1280×720/)).toBeTruthy();
    expect(panel.getByText(/AAC-LC · 44100 Hz · 2 ch/)).toBeTruthy();
    await userEvent.click(panel.getByRole('button', { name: 'Change files' }));
    expect(panel.queryByRole('list', { name: 'Playlist' })).toBeNull();
    expect(panel.getByLabelText('File path')).toBeTruthy();
    await userEvent.click(panel.getByRole('button', { name: 'Keep the previous source' }));
    expect(order(panel)).toEqual(['show.mp4']);
  });

  test.each([
    ['rotation', 'The file has a rotation flag'],
    ['pixels', 'Browsers cannot play this pixel format'],
  ] as const)('a file that cannot be copied because of its %s has a badge with the reason', async (encodes, reason) => {
    const { video } = sourceFixture();
    startServer([target('wx', { files: [sourceFixture({ video: { ...video!, encodes } }), second] })]);
    await open();
    const list = (await openPanel(/^YouTube/)).getByRole('list', { name: 'Playlist' });
    const [encoded, copied] = within(list).getAllByRole('listitem') as [HTMLElement, HTMLElement];
    expect(within(copied).queryByText('Transcoded')).toBeNull();
    await userEvent.hover(within(encoded).getByText('Transcoded'));
    expect((await screen.findByRole('tooltip')).textContent).toContain(reason);
  });

  test('the path of a server file is checked in the console first, then on the server', async () => {
    const server = startServer();
    await open();
    const panel = await openPanel(/^YouTube/);
    await userEvent.click(panel.getByLabelText('Server file'));
    const use = panel.getByRole('button', { name: 'Use this source' });
    await userEvent.click(use);
    expect(panel.getByText('Please input file path')).toBeTruthy();
    await userEvent.type(panel.getByLabelText('File path'), '/etc/passwd');
    await userEvent.click(use);
    expect(panel.getByText('The file must be in the /data directory.')).toBeTruthy();
    expect(server.callsOf('vliveServerFile')).toHaveLength(0);
    await userEvent.clear(panel.getByLabelText('File path'));
    await userEvent.type(panel.getByLabelText('File path'), '/data/evening.mp4');
    await userEvent.click(use);
    await panel.findByRole('list', { name: 'Playlist' });
    expect(server.callsOf('vliveServerFile')[0]!.body).toMatchObject({ file: '/data/evening.mp4' });
    expect(server.callsOf('vliveSource')[0]!.body).toMatchObject({
      platform: 'wx',
      files: [{ name: 'evening.mp4', type: 'file', uuid: second.uuid }],
    });
  });

  test('a stream the server cannot open is explained where it was entered', async () => {
    const server = startServer();
    server.respondWith({ vliveSource: () => new Refusal('mediaUnreachable') });
    await open();
    const panel = await openPanel(/^YouTube/);
    await userEvent.click(panel.getByLabelText('Stream'));
    const address = panel.getByLabelText('Stream URL');
    await userEvent.type(address, 'http://host/video');
    await userEvent.click(panel.getByRole('button', { name: 'Use this source' }));
    expect(panel.getByText('The HTTP stream must be http-flv/hls')).toBeTruthy();
    await userEvent.type(address, '.m3u8');
    await userEvent.click(panel.getByRole('button', { name: 'Use this source' }));
    expect(await panel.findByText('The source cannot be opened.')).toBeTruthy();
    expect(server.callsOf('vliveSource')[0]!.body).toMatchObject({ files: [{ type: 'stream', size: 0 }] });
  });

  test('the order of a playlist is changed by buttons and saved with the target', async () => {
    const server = startServer([target('wx', { files: [sourceFixture(), second] })]);
    await open();
    const panel = await openPanel(/^YouTube/);
    await userEvent.click(panel.getByRole('button', { name: 'Move evening.mp4 up' }));
    expect(order(panel)).toEqual(['evening.mp4', 'show.mp4']);
    expect(panel.getByText('The playlist has changed. Save to apply it.')).toBeTruthy();
    await userEvent.click(panel.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Virtual live stream setup ok')).toBeTruthy();
    expect((saves(server)[0]!.body.files as MediaSource[]).map(({ uuid }) => uuid)).toEqual([
      second.uuid,
      sourceFixture().uuid,
    ]);
    expect(panel.queryByText('The playlist has changed. Save to apply it.')).toBeNull();
    await userEvent.click(panel.getByRole('button', { name: 'Remove show.mp4 from the playlist' }));
    expect(order(panel)).toEqual(['evening.mp4']);
  });

  test('a file of the library is used again, or deleted after a confirmation', async () => {
    const file = (change: Partial<LibraryFile>): LibraryFile => ({
      uuid: second.uuid,
      name: 'evening.mp4',
      size: 1_048_576,
      target: second.target,
      type: 'upload',
      addedAt: '2026-11-21T10:00:00Z',
      expiresAt: '',
      usedBy: [],
      place: 'server',
      ...change,
    });
    const server = startServer([], [], [file({}), file({ uuid: 'used', name: 'used.mp4', usedBy: ['kuaishou'] })]);
    await open();
    const panel = await openPanel(/^YouTube/);
    expect(panel.queryByRole('button', { name: 'Delete used.mp4' })).toBeNull();
    await userEvent.click(await panel.findByRole('button', { name: 'Delete evening.mp4' }));
    expect(await screen.findByText(/evening\.mp4 will be deleted from the server/)).toBeTruthy();
    expect(server.callsOf('removeLibraryFile')).toHaveLength(0);
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
    await waitFor(() => expect(panel.queryByText('evening.mp4')).toBeNull());
    await userEvent.click(panel.getByRole('button', { name: 'Use used.mp4' }));
    await panel.findByRole('list', { name: 'Playlist' });
    expect(server.callsOf('vliveSource')[0]!.body).toMatchObject({ files: [{ uuid: 'used', type: 'upload' }] });
  });
});

test('only video files can be chosen, one at a time; nothing can be uploaded before a choice', async () => {
  startServer();
  await open();
  const panel = await openPanel(/^YouTube/);
  const upload = panel.getByRole<HTMLButtonElement>('button', { name: 'Upload' });
  expect(panel.getByText('No file selected')).toBeTruthy();
  expect(upload.disabled).toBe(true);
  const input = document.querySelector<HTMLInputElement>('input[type=file]')!;
  expect([input.accept, input.multiple]).toEqual(['.mp4,.flv,.ts', false]);
  const user = userEvent.setup({ applyAccept: false });
  await user.upload(input, new File(['x'], 'notes.txt'));
  expect(panel.getByRole('alert').textContent).toBe('The file must be in mp4/flv/ts format.');
  expect(upload.disabled).toBe(true);
  await user.upload(input, new File([new Uint8Array(1_572_864)], 'show.mp4'));
  expect(panel.getByText('Total: 1.5 MB')).toBeTruthy();
  expect(upload.disabled).toBe(false);
});

test('the status names the playing file and what is re-encoded', async () => {
  const row: VliveRow = {
    ...target('wx', { enabled: true }),
    source: sourceFixture().uuid,
    transcoded: { video: false, audio: true },
    startAt: '',
    frame: { log: 'frame=1 speed=1x', update: '2026-11-21T10:00:00Z' },
    ...idleWorker,
    state: 'running',
  };
  startServer([target('wx', { enabled: true })], [row]);
  await open();
  const table = within(await screen.findByRole('table', { name: 'Virtual live status' }));
  expect(table.getByRole('status').textContent).toBe('Streaming');
  expect(table.getByText('show.mp4')).toBeTruthy();
  const panel = await openPanel(/^YouTube/);
  expect(panel.getByText(/The audio must be transcoded/)).toBeTruthy();
});

describe('playout', () => {
  const running = (change: Partial<VliveRow> = {}): VliveRow => ({
    ...target('wx', { enabled: true, files: [sourceFixture(), second] }),
    source: sourceFixture().uuid,
    transcoded: { video: false, audio: false },
    frame: { log: 'frame=1 speed=1x', update: '2026-11-21T10:00:00Z' },
    ...idleWorker,
    state: 'running',
    ...change,
  });

  test('shows the current file, its position, and the next file', async () => {
    const playing = { index: 1, nextIndex: 0, positionMs: 3_725_000, durationMs: 7_200_000 };
    const { files } = running();
    startServer([target('wx', { enabled: true, files })], [running({ playing })]);
    await open();
    const table = within(await screen.findByRole('table', { name: 'Virtual live status' }));
    expect(table.getByText('evening.mp4 (2 of 2)')).toBeTruthy();
    const panel = await openPanel(/^YouTube/);
    const card = within(panel.getByRole('region', { name: 'Playback' }));
    expect(card.getByText('evening.mp4')).toBeTruthy();
    expect(card.getByText('2 of 2')).toBeTruthy();
    expect(card.getByText(/^1:02:\d\d \/ 2:00:00$/)).toBeTruthy();
    expect(card.getByText('Next: show.mp4')).toBeTruthy();
  });

  test('a start time is chosen, saved with its offset, waited for, and cleared', async () => {
    const server = startServer([target('wx')]);
    await open();
    const panel = await openPanel(/^YouTube/);
    const field = panel.getByLabelText<HTMLInputElement>('Start time (optional)');
    expect(panel.getByText('Leave empty to start immediately.')).toBeTruthy();
    fireEvent.change(field, { target: { value: '2099-01-31T20:00' } });
    expect(panel.getByText(/Starts automatically at this time/)).toBeTruthy();
    await userEvent.click(panel.getByRole('button', { name: 'Start virtual live' }));
    await waitFor(() => expect(saves(server)).toHaveLength(1));
    expect(saves(server)[0]!.body.startAt).toBe(new Date('2099-01-31T20:00').toISOString());
    await userEvent.click(panel.getByRole('button', { name: 'Clear the start time' }));
    expect(field.value).toBe('');
  });

  test('before its start time the target shows when it starts', async () => {
    const startAt = new Date('2099-01-31T20:00').toISOString();
    const row = running({ startAt, state: 'waiting', reason: 'scheduled', reasonDetail: `starts at ${startAt}` });
    startServer([target('wx', { enabled: true, startAt })], [{ ...row, frame: undefined, source: undefined }]);
    await open();
    const panel = await openPanel(/^YouTube/);
    expect(await panel.findByText('Starts at 2099-01-31 20:00:00')).toBeTruthy();
    expect(panel.getByText('Waiting for the start time')).toBeTruthy();
  });
});
