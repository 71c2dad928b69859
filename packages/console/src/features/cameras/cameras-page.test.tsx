import { type Camera, storageKeys } from '@srs-stack/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { startFakeServer, testSession } from '../../testing/fake-server.ts';
import { renderApp } from '../../testing/render-app.tsx';
import type { CameraRow } from './queries.ts';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

const address = 'rtsp://admin:secret@192.168.1.64/main';
const source = { name: 'main', path: '', size: 0, uuid: 'u1', target: address, type: 'stream' as const };
const camera: Camera = {
  ...{ platform: 'camera-1', server: '', secret: 'door', enabled: true, custom: true, label: 'Front door' },
  ...{
    files: [{ ...source, format: null, video: null, audio: null }],
    extraAudio: '',
    acceptsAnyCertificate: false,
    transport: 'tcp',
    onDemand: false,
    hasPtz: false,
    subAddress: '',
    ptz: null,
  },
};
const row = (change: Partial<CameraRow> = {}): CameraRow => ({
  ...{
    platform: 'camera-1',
    enabled: true,
    custom: true,
    label: 'Front door',
    extraAudio: '',
    stream: 'live/door',
    kind: 'rtsp',
    onDemand: false,
    hasPtz: false,
  },
  files: [{ ...camera.files[0]!, target: 'rtsp://admin:******@192.168.1.64/main' }],
  ...{ state: 'running', reason: 'none', reasonDetail: '', retryInMs: 0, restarts: 0, pid: 0, cpuPercent: 0 },
  ...{ rssBytes: 0, command: '', heartbeat: [], frame: { log: 'frame=1', update: '' }, start: '', ready: '' },
  ...change,
});

function serve(cameras: Camera[], rows: CameraRow[] = []) {
  const state = { cameras };
  return startFakeServer({
    cameraSecret: ({ action, ...sent }) => {
      if (action !== 'update') return Object.fromEntries(state.cameras.map((each) => [each.platform, each]));
      state.cameras = [{ ...camera, ...sent } as Camera];
      return null;
    },
    cameraStreams: () => rows,
    cameraStreamUrl: ({ url = '' }) => ({ name: 'main', uuid: 'u1', target: url, size: 0 }),
    testCamera: ({ url }) => ({ ...camera.files[0]!, target: url }),
    discoverCameras: () => [
      { address: 'http://192.168.1.64/onvif', host: '192.168.1.64', name: 'Gate', model: 'Dome 7' },
    ],
    readOnvifCamera: ({ address: device }) => ({
      ...{ model: 'Acme Dome 7', address: device.replace('//', '//admin:secret@'), snapshot: '' },
      profiles: ['main', 'sub'].map((token) => ({
        ...{ token, name: token, codec: 'H264', width: 1920, height: 1080, fps: 25, hasPtz: true },
        address: `rtsp://admin:secret@192.168.1.64/${token}`,
      })),
    }),
    moveCamera: () => null,
    cameraPresets: () => [{ token: '1', name: 'Gate' }],
    removeCamera: () => {
      state.cameras = [];
      return null;
    },
  });
}

test('the first camera needs an address and a stream name', async () => {
  const server = serve([]);
  await renderApp('/en/routers-scenario?tab=camera', 'en');
  await userEvent.click(await screen.findByRole('button', { name: 'Add a source' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getAllByText('Required')).toHaveLength(2);
  await userEvent.type(screen.getByLabelText('Address'), address);
  await userEvent.type(screen.getByLabelText('Stream name'), 'door');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(server.callsOf('cameraSecret').at(-1)!.body).not.toMatchObject({ action: 'update', secret: '' }),
  );
  const saved = server.callsOf('cameraSecret').map(({ body }) => body as Record<string, unknown>);
  expect(saved.find(({ action }) => action === 'update')).toMatchObject({
    ...{ platform: expect.stringMatching(/^camera-[0-9a-f]{8}$/), server: '', secret: 'door', enabled: true },
    files: [expect.objectContaining({ target: address, type: 'stream' })],
  });
});

test('a camera shows its state, hides its password, and is stopped and removed', async () => {
  const server = serve([camera], [row()]);
  await renderApp('/en/routers-scenario?tab=camera', 'en');
  const list = within(await screen.findByRole('list', { name: 'Sources' }));
  expect(await list.findByText('Live')).toBeTruthy();
  expect(list.getByText('rtsp://admin:******@192.168.1.64/main')).toBeTruthy();
  expect(list.getByText('Stream: live/door')).toBeTruthy();
  await userEvent.click(list.getByRole('button', { name: 'Stop' }));
  await waitFor(() =>
    expect(server.callsOf('cameraSecret').map(({ body }) => body)).toContainEqual(
      expect.objectContaining({ action: 'update', enabled: false, platform: 'camera-1' }),
    ),
  );
  await userEvent.click(list.getByRole('button', { name: 'Remove' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('No sources yet')).toBeTruthy();
});

test('a camera on demand can be watched while it waits for viewers', async () => {
  serve([{ ...camera, onDemand: true }], [row({ onDemand: true, state: 'waiting', frame: undefined })]);
  await renderApp('/en/routers-scenario?tab=camera', 'en');
  expect(await screen.findByText('Starts with the first viewer')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Watch' }).getAttribute('href')).toMatch(/\/watch\/live\/door$/);
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
  expect(screen.getByLabelText<HTMLInputElement>('Connect only while watched').checked).toBe(true);
});

test('the reason why a camera is not live is in Chinese', async () => {
  serve([camera], [row({ state: 'retrying', reason: 'connection-refused', reasonDetail: 'x', retryInMs: 1_000 })]);
  await renderApp('/zh/routers-scenario?tab=camera', 'zh');
  expect(await screen.findByText('Front door')).toBeTruthy();
  expect(await screen.findByRole('alert')).toBeTruthy();
});

test.each([
  ['srt://192.0.2.7:9000?streamid=gate', 'Stream ID', 'gate'],
  ['rtp://10.0.0.5@239.1.1.1:5000', 'Accept this sender only', '10.0.0.5'],
])('pasting the address %s opens the form of its kind', async (pasted, label, value) => {
  const server = serve([]);
  await renderApp('/en/routers-scenario?tab=camera', 'en');
  await userEvent.click(await screen.findByRole('button', { name: 'Add a source' }));
  await userEvent.click(screen.getByLabelText('Address'));
  await userEvent.paste(pasted);
  expect(screen.getByLabelText<HTMLInputElement>(label).value).toBe(value);
  expect(screen.queryByRole('button', { name: 'Search the network' })).toBeNull();
  await userEvent.type(screen.getByLabelText('Stream name'), 'door');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(server.callsOf('cameraStreamUrl').map(({ body }) => body)).toContainEqual(
      expect.objectContaining({ url: pasted }),
    ),
  );
});

test('a camera is found on the network, and its streams fill the form', async () => {
  const server = serve([]);
  await renderApp('/en/routers-scenario?tab=camera', 'en');
  await userEvent.click(await screen.findByRole('button', { name: 'Add a source' }));
  await userEvent.click(screen.getByRole('button', { name: 'Search the network' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Gate · Dome 7 · 192.168.1.64' }));
  await userEvent.type(screen.getByLabelText('User'), 'admin');
  await userEvent.type(screen.getByLabelText('Password'), 'secret');
  await userEvent.click(screen.getByRole('button', { name: 'Read profiles' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Use these streams' }));
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Gate');
  await userEvent.type(screen.getByLabelText('Stream name'), 'gate');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(server.callsOf('cameraSecret').map(({ body }) => body)).toContainEqual(
      expect.objectContaining({
        files: [expect.objectContaining({ target: 'rtsp://admin:secret@192.168.1.64/main' })],
        subAddress: 'rtsp://admin:secret@192.168.1.64/sub',
        ptz: { address: 'http://admin:secret@192.168.1.64/onvif', profile: 'main' },
      }),
    ),
  );
});

test('a camera moves while a button is held, by pointer and by key, and to its presets', async () => {
  const server = serve([camera], [row({ hasPtz: true })]);
  await renderApp('/en/routers-scenario?tab=camera', 'en');
  const left = await screen.findByRole('button', { name: 'Pan left' });
  const moved = () => server.callsOf('moveCamera').map(({ body }) => body);
  left.focus();
  await userEvent.keyboard('{Enter>3/}');
  await waitFor(() => expect(moved()).toHaveLength(2));
  expect(moved()).toEqual([
    expect.objectContaining({ platform: 'camera-1', pan: -0.5, tilt: 0, zoom: 0 }),
    expect.objectContaining({ platform: 'camera-1', pan: 0, tilt: 0, zoom: 0 }),
  ]);
  const presets = screen.getByLabelText('Presets');
  await userEvent.click(presets);
  await within(presets).findByRole('option', { name: 'Gate' });
  await userEvent.selectOptions(presets, 'Gate');
  await waitFor(() => expect(moved()).toContainEqual(expect.objectContaining({ preset: '1' })));
});
