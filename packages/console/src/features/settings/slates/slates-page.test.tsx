import { type endpoints, type LibraryFile, type ResponseOf, storageKeys } from '@srs-stack/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { Refusal, startFakeServer, testSession } from '../../../testing/fake-server.ts';
import { liveStreamFixture } from '../../../testing/live-stream-fixture.ts';
import { renderApp } from '../../../testing/render-app.tsx';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

type Slates = ResponseOf<typeof endpoints.querySlates>;
const off: Slates = {
  ...{ enabled: false, patterns: [], afterSeconds: 3, longestMinutes: 10, image: '', streams: [], revision: 'r1' },
  ...{ backups: [], backupsOnAir: [], starts: [], isClipMissing: false },
  content: 'image',
  ...{ clip: '', clipName: '', blur: false, title: '', text: '' },
};
const start = (stored: Partial<Slates> = {}) => {
  let slates: Slates = { ...off, ...stored };
  return startFakeServer({
    querySlates: () => slates,
    querySlatePicture: () => ({ picture: slates.image === '' ? null : 'data:image/jpeg;base64,AAAA' }),
    updateSlates: ({ enabled = false, patterns = [], image }) => {
      slates = {
        ...slates,
        enabled,
        patterns,
        ...(image !== undefined && { image: image && 'stored' }),
        revision: 'r2',
      };
      return null;
    },
  });
};
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));

test('a slate is enabled for named streams, validated, and saved with its revision', async () => {
  const server = start();
  await renderApp('/en/routers-settings?tab=slate', 'en');
  await userEvent.click(await screen.findByLabelText(/^Show a slate when the source drops/));
  await userEvent.click(screen.getByRole('radio', { name: 'Only these streams' }));
  await save();
  expect(screen.getByText('Enter at least one stream, or choose all streams.')).toBeTruthy();
  const names = screen.getByLabelText('Streams with a slate');
  await userEvent.type(names, 'no?pattern');
  await save();
  expect(screen.getByText(/“no\?pattern” is not a stream name/)).toBeTruthy();
  await userEvent.clear(names);
  await userEvent.type(names, 'live/a{enter}live/b*');
  const after = screen.getByLabelText('Show after');
  await userEvent.clear(after);
  await userEvent.type(after, '99');
  await save();
  expect(screen.getByText('Enter 1 to 25 seconds.')).toBeTruthy();
  expect(server.callsOf('updateSlates')).toHaveLength(0);
  await userEvent.clear(after);
  await userEvent.type(after, '5');
  await save();
  await waitFor(() => expect(server.callsOf('updateSlates')).toHaveLength(1));
  const { token: _, ...body } = server.callsOf('updateSlates')[0]!.body;
  expect(body).toEqual({
    ...{ enabled: true, patterns: ['live/a', 'live/b*'], afterSeconds: 5, longestMinutes: 10, revision: 'r1' },
    backups: [],
    ...{ content: 'image', clip: '', clipName: '', blur: false, title: '', text: '' },
  });
  expect(await screen.findByText(/No stream of this list is live/)).toBeTruthy();
});

test('an image is shown before it is saved, and can be removed', async () => {
  const server = start();
  await renderApp('/en/routers-settings?tab=slate', 'en');
  const file = new File(['picture'], 'slate.png', { type: 'image/png' });
  await screen.findByText('Dark screen');
  await userEvent.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, file);
  const shown = () => screen.getByRole<HTMLImageElement>('img', { name: 'The image of the slate' }).src;
  await waitFor(() => expect(shown()).toBe(`data:image/png;base64,${btoa('picture')}`));
  expect(screen.getByText(/BASE64_IMAGE/)).toBeTruthy();
  await save();
  await waitFor(() => expect(server.callsOf('updateSlates')[0]?.body.image).toBe(btoa('picture')));
  await waitFor(() => expect(shown()).toBe('data:image/jpeg;base64,AAAA'));
  await userEvent.click(screen.getByRole('button', { name: 'Use a dark screen' }));
  await save();
  await waitFor(() => expect(server.callsOf('updateSlates')[1]?.body.image).toBe(''));
});

test('each stream shows its progress, why it failed, or since when its slate is on the air', async () => {
  const row = (stream: string, state: Slates['streams'][number]['state']) => ({ app: 'live', stream, state });
  start({
    enabled: true,
    streams: [
      { ...row('a', 'preparing'), progress: 0.4 },
      { ...row('b', 'failed'), failure: 'width not divisible by 2' },
      { ...row('c', 'ready'), onAirMs: 60_000 },
      row('d', 'unsupported'),
    ],
  });
  await renderApp('/zh/routers-settings?tab=slate', 'zh');
  const [a, b, c, d] = within(await screen.findByRole('list', { name: '直播中的流' })).getAllByRole('listitem');
  expect(within(a!).getByRole('progressbar').getAttribute('aria-valuenow')).toBe('40');
  expect(within(b!).getByText('width not divisible by 2')).toBeTruthy();
  expect(within(c!).getByText(/起播出垫片$/)).toBeTruthy();
  expect(within(d!).getByText('不支持')).toBeTruthy();
});

test('the Live page shows that the slate is on the air, and links to its settings', async () => {
  const server = start({ enabled: true });
  server.respondWith({
    queryLive: () => ({ mediaServer: true, streams: [liveStreamFixture({ slateForMs: 95_000 })], refusals: [] }),
  });
  await renderApp('/en/routers-scenario?tab=live', 'en');
  expect(await screen.findByText(/^Slate since \d/)).toBeTruthy();
  await userEvent.click(await screen.findByRole('link', { name: 'Slate' }));
  expect(await screen.findByLabelText(/^Show a slate when the source drops/)).toBeTruthy();
});

test('backup sources are validated, saved, and shown while they are on the air', async () => {
  const server = start({
    backups: [{ stream: 'live/old', backup: 'live/spare' }],
    backupsOnAir: [{ stream: 'live/old', onAirMs: 60_000 }],
  });
  await renderApp('/en/routers-settings?tab=slate', 'en');
  const backups = await screen.findByLabelText<HTMLTextAreaElement>('Backup sources');
  expect(backups.value).toBe('live/old live/spare');
  const onAir = screen.getByRole('list', { name: 'Backup sources on the air' });
  expect(within(onAir).getByText(/^Backup source since \d/)).toBeTruthy();
  for (const wrong of ['live/a', 'live/a live/a', 'live/* live/b', 'live/a live/b live/c']) {
    await userEvent.clear(backups);
    await userEvent.type(backups, wrong);
    await save();
    expect(screen.getByText(new RegExp(`^“${wrong.replace('*', '\\*')}” is not a pair`))).toBeTruthy();
  }
  await userEvent.clear(backups);
  await userEvent.type(backups, 'live/a  live/b{enter}{enter} live/c live/b');
  await save();
  await waitFor(() => expect(server.callsOf('updateSlates')).toHaveLength(1));
  expect(server.callsOf('updateSlates')[0]!.body.backups).toEqual([
    { stream: 'live/a', backup: 'live/b' },
    { stream: 'live/c', backup: 'live/b' },
  ]);
});

test('texts are drawn by the server before they are saved, and a missing font is explained', async () => {
  const server = start();
  let isDrawable = true;
  server.respondWith({
    previewSlate: ({ title }) =>
      isDrawable ? { picture: `data:image/jpeg;base64,${btoa(title ?? '')}` } : new Refusal('slateUnusable'),
  });
  await renderApp('/en/routers-settings?tab=slate', 'en');
  await userEvent.type(await screen.findByLabelText('Title'), 'Back soon');
  const shown = () => screen.getByRole<HTMLImageElement>('img', { name: 'The image of the slate' }).src;
  await waitFor(() => expect(shown()).toBe(`data:image/jpeg;base64,${btoa('Back soon')}`));
  expect(server.callsOf('previewSlate').length).toBeLessThan(4);
  await save();
  await waitFor(() => expect(server.callsOf('updateSlates')[0]?.body.title).toBe('Back soon'));
  isDrawable = false;
  await userEvent.type(screen.getByLabelText('Second line'), 'x');
  expect(await screen.findByText('The slate image cannot be created.')).toBeTruthy();
});

test('a clip of the library is chosen, and saved with its name', async () => {
  const server = start();
  const file: LibraryFile = {
    ...{ uuid: 'u1', name: 'countdown.mp4', target: 'upload/u1.mp4', size: 1, usedBy: [] },
    ...{ addedAt: '2026-01-02T03:04:05Z', expiresAt: '' },
    type: 'upload',
    place: 'server',
  };
  server.respondWith({
    queryLibrary: () => ({ files: [file], freeBytes: 1, maxFileBytes: 1 }),
    previewSlate: () => ({ picture: 'data:image/jpeg;base64,AAAA' }),
  });
  await renderApp('/en/routers-settings?tab=slate', 'en');
  await userEvent.click(await screen.findByRole('radio', { name: 'Video clip' }));
  await save();
  expect(screen.getByText('Choose a clip, or show the image.')).toBeTruthy();
  await userEvent.click(screen.getByRole('combobox', { name: 'Clip' }));
  await userEvent.click(await screen.findByRole('option', { name: 'countdown.mp4' }));
  await save();
  await waitFor(() => expect(server.callsOf('updateSlates')).toHaveLength(1));
  const { content, clip, clipName } = server.callsOf('updateSlates')[0]!.body;
  expect({ content, clip, clipName }).toEqual({ content: 'clip', clip: 'upload/u1.mp4', clipName: 'countdown.mp4' });
});

test('shows a known failure in the language of the page, and a message of FFmpeg unchanged', async () => {
  const failed = { app: 'live', state: 'failed' as const };
  const reason = { key: 'slate.not-begun', values: {} };
  start({
    enabled: true,
    starts: [
      { ...failed, stream: 'a', failure: 'the media server did not start the stream', reason },
      { ...failed, stream: 'b', failure: 'width not divisible by 2' },
    ],
    streams: [
      { ...failed, stream: 'c', failure: 'no length', reason: { key: 'slate.clip-length-unknown', values: {} } },
    ],
  });
  await renderApp('/zh/routers-settings?tab=slate', 'zh');
  expect(await screen.findByText(/没有开始这路流/)).toBeTruthy();
  expect(screen.getByText('width not divisible by 2')).toBeTruthy();
  expect(screen.getByText(/无法确定片段的时长/)).toBeTruthy();
  expect(screen.queryByText(/did not start/)).toBeNull();
});

test('a stream is started with its slate, shown, and stopped', async () => {
  const server = start({
    starts: [
      { app: 'live', stream: 'soon', state: 'on-air', onAirMs: 60_000 },
      { app: 'live', stream: 'bad', state: 'failed', failure: 'not begun' },
    ],
  });
  server.respondWith({ startSlate: () => null, stopSlate: () => null });
  await renderApp('/en/routers-settings?tab=slate', 'en');
  const name = await screen.findByLabelText('Stream name');
  const begin = () => userEvent.click(screen.getByRole('button', { name: 'Start' }));
  await begin();
  expect(screen.getByText('Enter a stream name, such as livestream.')).toBeTruthy();
  await userEvent.type(name, 'evening');
  await begin();
  await waitFor(() => expect(server.callsOf('startSlate')).toHaveLength(1));
  const { token: _, ...sent } = server.callsOf('startSlate')[0]!.body;
  expect(sent).toEqual({ stream: 'evening', width: 1920, height: 1080, fps: 30, longestMinutes: 10 });
  const rows = within(screen.getByRole('list', { name: 'Streams that wait for their encoder' })).getAllByRole(
    'listitem',
  );
  expect(within(rows[0]!).getByText(/^Slate since/)).toBeTruthy();
  expect(within(rows[1]!).getByText('not begun')).toBeTruthy();
  await userEvent.click(within(rows[0]!).getByRole('button', { name: 'Stop' }));
  await waitFor(() => expect(server.callsOf('stopSlate')[0]?.body).toMatchObject({ app: 'live', stream: 'soon' }));
});
