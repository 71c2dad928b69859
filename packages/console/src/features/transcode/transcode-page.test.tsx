import { storageKeys, type TranscodeConfig, type TranscodeTask } from '@srs-stack/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { Refusal, startFakeServer, testSession } from '../../testing/fake-server.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { idleTranscode } from '../../testing/worker-fixture.ts';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

const never: TranscodeConfig = {
  all: false,
  vcodec: '',
  acodec: '',
  vbitrate: 0,
  abitrate: 0,
  achannels: 0,
  vprofile: '',
  vpreset: '',
  server: '',
  secret: '',
};

function startServer(task: (config: TranscodeConfig) => Partial<TranscodeTask> = ({ all }) => ({ enabled: all })) {
  let config = never;
  return startFakeServer({
    queryTranscode: () => config,
    queryTranscodeTask: () => ({ ...idleTranscode, ...task(config) }),
    applyTranscode: ({ token: _token, ...next }) => {
      config = next as TranscodeConfig;
      return null;
    },
  });
}

const open = () => renderApp('/en/routers-scenario?tab=transcode', 'en');
const status = () => screen.findByRole('region', { name: 'Transcoding status' });

test('the initial form has the defaults, this server and a generated key', async () => {
  startServer();
  await open();
  const value = (name: string) => screen.getByLabelText<HTMLInputElement>(name, { selector: 'input' }).value;
  await screen.findByRole('button', { name: 'Start transcoding' });
  expect(
    [
      'Video bitrate',
      'Audio bitrate',
      'Video codec',
      'Video profile',
      'Video preset',
      'Audio codec',
      'Server',
      'Stream key',
    ].map(value),
  ).toEqual([
    '1200 Kbps',
    '64 Kbps',
    'libx264',
    'baseline',
    'faster',
    'aac',
    'rtmp://console.test/live/',
    'livestream-trans?secret=old-secret',
  ]);
  expect(screen.getByLabelText<HTMLInputElement>('Same as source').checked).toBe(true);
  expect(screen.getByLabelText<HTMLInputElement>('Stream key', { selector: 'input' }).type).toBe('password');
});

test('a violated rule is reported and nothing is saved', async () => {
  const server = startServer();
  await open();
  const bitrate = await screen.findByLabelText('Video bitrate', { selector: 'input' });
  await userEvent.clear(bitrate);
  await userEvent.type(bitrate, '50');
  await userEvent.clear(screen.getByLabelText('Server', { selector: 'input' }));
  await userEvent.click(screen.getByRole('button', { name: 'Start transcoding' }));
  expect(screen.getByRole('alert').textContent).toBe('Invalid Video bitrate 50, should be 100 to 100000 Kbps');
  await userEvent.clear(bitrate);
  await userEvent.type(bitrate, '500');
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Start transcoding' }).disabled).toBe(false),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Start transcoding' }));
  expect(screen.getByRole('alert').textContent).toMatch(/^Invalid Server, should be /);
  expect(server.callsOf('applyTranscode')).toHaveLength(0);
});

test('start and stop change `all` after the save; the buttons are disabled for three seconds', async () => {
  const server = startServer();
  await open();
  const start = await screen.findByRole('button', { name: 'Start transcoding' });
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  await user.click(screen.getByLabelText('Stereo'));
  await user.click(start);
  const stop = await screen.findByRole<HTMLButtonElement>('button', { name: 'Stop transcoding' });
  expect(server.callsOf('applyTranscode')[0]!.body).toMatchObject({
    all: true,
    vcodec: 'libx264',
    acodec: 'aac',
    vbitrate: 1200,
    abitrate: 64,
    achannels: 2,
    vprofile: 'baseline',
    vpreset: 'faster',
    server: 'rtmp://console.test/live/',
    secret: 'livestream-trans?secret=old-secret',
  });
  expect((await status()).textContent).toContain('Waiting');
  expect(stop.disabled).toBe(true);
  await act(() => vi.advanceTimersByTimeAsync(3_000));
  await user.click(stop);
  await screen.findByRole('button', { name: 'Start transcoding' });
  expect(server.callsOf('applyTranscode')[1]!.body).toMatchObject({ all: false, achannels: 2 });
  expect((await status()).textContent).toContain('Inactive');
});

test('a refused save leaves the transcoder switched off', async () => {
  const server = startServer();
  server.respondWith({ applyTranscode: () => new Refusal('internal') });
  await open();
  await userEvent.click(await screen.findByRole('button', { name: 'Start transcoding' }));
  expect((await screen.findByRole('alert')).textContent).toContain('You got an error!');
  expect(screen.queryByRole('button', { name: 'Stop transcoding' })).toBeNull();
});

test('the publish secret is masked in input and output', async () => {
  startServer(() => ({
    enabled: true,
    state: 'running',
    input: 'live/livestream?secret=old-secret',
    output: 'rtmp://elsewhere/live/livestream-trans?secret=old-secret',
    frame: { log: 'frame=1 speed=1x', update: '2026-11-21T10:00:00Z' },
  }));
  await open();
  const panel = within(await status());
  expect(await panel.findByText('rtmp://elsewhere/live/livestream-trans?secret=******')).toBeTruthy();
  expect(panel.getByText('live/livestream?secret=******')).toBeTruthy();
  expect(panel.getByRole('status').textContent).toBe('Transcoding');
  expect((await status()).textContent).not.toContain('old-secret');
});

test('size, frame rate and a watermark are set under Advanced and sent', async () => {
  const server = startServer();
  const image = { id: 'a'.repeat(32), width: 200, height: 100, sizeBytes: 1_024 };
  server.respondWith({
    uploadWatermark: () => image,
    queryWatermark: () => ({ ...image, picture: 'data:image/png;base64,iVBORw0KGgo=' }),
  });
  await open();
  const advanced = await screen.findByRole('button', { name: /Advanced: video and watermark/ });
  expect(advanced.textContent).toContain('Same size as source · 25 fps');
  await userEvent.click(advanced);
  const choose = async (field: string, option: string) => {
    await userEvent.click(screen.getByRole('combobox', { name: field }));
    await userEvent.click(await screen.findByRole('option', { name: option }));
  };
  await choose('Video height', '720p');
  await choose('Frame rate', 'Same as source');
  const file = screen.getByLabelText('Watermark image');
  await userEvent.upload(file, new File([new Uint8Array(600 * 1024)], 'large.png', { type: 'image/png' }));
  expect((await screen.findByRole('alert')).textContent).toContain('larger than 512 KB');
  await userEvent.upload(file, new File(['logo'], 'logo.png', { type: 'image/png' }));
  const preview = await screen.findByAltText('Watermark in the corner Top right, 15% of the width');
  expect([preview.style.left, preview.style.width]).toEqual(['83%', '15%']);
  expect(server.callsOf('uploadWatermark').map(({ body }) => body)).toMatchObject([{ data: btoa('logo') }]);
  await choose('Corner', 'Bottom left');
  expect(advanced.textContent).toContain('720p · Same frame rate as source · Watermark');
  await userEvent.click(screen.getByRole('button', { name: 'Start transcoding' }));
  await screen.findByRole('button', { name: 'Stop transcoding' });
  const watermark = { image: image.id, corner: 'bottom-left', marginPercent: 2, widthPercent: 15, opacityPercent: 85 };
  expect(server.callsOf('applyTranscode')[0]!.body).toMatchObject({
    picture: { height: 720, fps: 0, keyframeSeconds: 2, watermark },
  });
});

test('an invalid image is reported at its field', async () => {
  const server = startServer();
  server.respondWith({ uploadWatermark: () => new Refusal('watermarkUnusable') });
  await open();
  await userEvent.click(await screen.findByRole('button', { name: /Advanced: video and watermark/ }));
  const file = screen.getByLabelText('Watermark image');
  await userEvent.upload(file, new File(['GIF89a'], 'logo.png', { type: 'image/png' }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('This image cannot be used.');
});
