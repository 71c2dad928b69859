import { type ForwardRow, type ForwardTarget, pollIntervalMs, storageKeys } from '@srs-stack/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Refusal, startFakeServer, testSession } from '../../testing/fake-server.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { idleWorker } from '../../testing/worker-fixture.ts';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

const target = (platform: string, change: Partial<ForwardTarget> = {}): ForwardTarget => ({
  platform,
  server: 'rtmp://a.example/live/',
  secret: 'key-of-mine',
  enabled: false,
  custom: false,
  label: '',
  stream: '',
  ...change,
});
const row = (platform: string, change: Partial<ForwardRow> = {}): ForwardRow => ({
  platform,
  enabled: true,
  custom: false,
  label: '',
  ...idleWorker,
  state: 'waiting',
  ...change,
});

function startServer(saved: ForwardTarget[] = [], rows: () => ForwardRow[] = () => []) {
  const targets = new Map(saved.map((entry) => [entry.platform, entry]));
  return startFakeServer({
    forwardSecret: ({ action, token: _token, ...fields }) => {
      if (action !== 'update') return Object.fromEntries(targets);
      targets.set(fields.platform!, fields as ForwardTarget);
      return null;
    },
    forwardStreams: rows,
    removeForward: ({ platform }) => {
      targets.delete(platform);
      return null;
    },
  });
}

const open = () => renderApp('/en/routers-scenario?tab=forward', 'en');
const control = (name: RegExp) => screen.findByRole('button', { name });
const isOpen = async (name: RegExp) => (await control(name)).getAttribute('aria-expanded') === 'true';
const panelOf = async (name: RegExp) =>
  within(document.getElementById((await control(name)).getAttribute('aria-controls')!)!);
const saves = (server: ReturnType<typeof startServer>) =>
  server.callsOf('forwardSecret').filter(({ body }) => body.action === 'update');

test('a status that is refused reaches the alert of the page at once, and only once', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const server = startServer();
  server.respondWith({ forwardStreams: () => new Refusal('internal') });
  await open();
  expect((await screen.findByRole('alert')).textContent).toContain('Internal server error.');
  await userEvent.click(screen.getByRole('button', { name: 'OK' }));
  await act(() => vi.advanceTimersByTimeAsync(pollIntervalMs));
  await waitFor(() => expect(server.callsOf('forwardStreams').length).toBeGreaterThan(1));
  expect(screen.queryByText('You got an error!')).toBeNull();
});

test('the next attempt clears the previous error', async () => {
  const server = startServer([target('wx')]);
  server.respondWith({ removeForward: () => null });
  let isBroken = true;
  const saved = () => (isBroken ? new Refusal('internal') : null);
  server.respondWith({ forwardSecret: ({ action }) => (action === 'update' ? saved() : { wx: target('wx') }) });
  await open();
  await userEvent.click(await control(/^YouTube/));
  const panel = await panelOf(/^YouTube/);
  const start = () => panel.getByRole<HTMLButtonElement>('button', { name: 'Start forwarding', hidden: true });
  await userEvent.click(start());
  expect((await screen.findByRole('alert')).textContent).toContain('Internal server error.');
  isBroken = false;
  await waitFor(() => expect(start().disabled).toBe(false));
  await userEvent.click(start());
  await waitFor(() => expect(screen.queryByText('You got an error!')).toBeNull());
});

test('the test of a target names what is missing, and can start once a server is entered', async () => {
  startServer();
  await open();
  const panel = await panelOf(/^YouTube/);
  const button = () => panel.getByRole<HTMLButtonElement>('button', { name: 'Test the target' });
  const reason = panel.getByText('Enter the server first, then test the target.');
  expect(button().disabled).toBe(true);
  expect(button().getAttribute('aria-describedby')).toBe(reason.id);
  await userEvent.type(panel.getByLabelText('Server', { selector: 'input' }), 'rtmp://a.example/live');
  expect(button().disabled).toBe(false);
  expect(panel.queryByText('Enter the server first, then test the target.')).toBeNull();
});

describe('items', () => {
  test('introduction, three platforms of the language, status; the first platform open', async () => {
    startServer();
    await open();
    await control(/^What forwarding does/);
    for (const name of [/^YouTube/, /^Twitch/, /^Facebook/, /^Forwarding status/]) await control(name);
    expect(await isOpen(/^YouTube/)).toBe(true);
    expect(await isOpen(/^Forwarding status/)).toBe(false);
    expect((await panelOf(/^YouTube/)).getByLabelText<HTMLInputElement>('Server', { selector: 'input' }).value).toBe(
      '',
    );
    await userEvent.click(await control(/^Twitch/));
    expect((await panelOf(/^Twitch/)).getByLabelText<HTMLInputElement>('Server', { selector: 'input' }).value).toMatch(
      /twitch\.tv/,
    );
  });

  test('Chinese has its own platforms', async () => {
    startServer();
    await renderApp('/zh/routers-scenario?tab=forward');
    for (const name of [/^视频号/, /^哔哩哔哩/, /^快手/, /^转播状态/]) await control(name);
  });

  test('the next unfinished platform is open, or the status once a target is enabled', async () => {
    startServer([target('wx')]);
    const app = await open();
    expect(await isOpen(/^Twitch/)).toBe(true);
    app.unmount();
    startServer([target('wx'), target('kuaishou', { enabled: true })]);
    await open();
    expect(await isOpen(/^Forwarding status/)).toBe(true);
  });
});

describe('saving', () => {
  test('a button enters the usual server of a platform and then disappears', async () => {
    startServer();
    await open();
    const panel = await panelOf(/^YouTube/);
    await userEvent.click(panel.getByRole('button', { name: 'Use the server of YouTube' }));
    expect(panel.getByLabelText('Server', { selector: 'input' })).toHaveProperty(
      'value',
      'rtmps://a.rtmps.youtube.com:443/live2/',
    );
    expect(panel.queryByRole('button', { name: 'Use the server of YouTube' })).toBeNull();
  });

  test('an empty server is refused first, then a custom platform without a name; nothing is sent', async () => {
    const server = startServer();
    await open();
    const panel = await panelOf(/^YouTube/);
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    await user.click(panel.getByLabelText(/Custom platform/, { selector: 'input' }));
    await user.click(panel.getByRole('button', { name: 'Start forwarding' }));
    expect(panel.getByText('Please input streaming server URL')).toBeTruthy();
    expect(panel.queryByText(/Please enter a name/)).toBeNull();
    expect(document.activeElement).toBe(panel.getByLabelText('Server', { selector: 'input' }));
    await act(() => vi.advanceTimersByTimeAsync(3_000));
    await user.type(panel.getByLabelText('Server', { selector: 'input' }), 'rtmp://host/app/');
    await user.click(panel.getByRole('button', { name: 'Start forwarding' }));
    expect(
      panel.getByText('Please enter a name for the custom platform, to distinguish the streaming status.'),
    ).toBeTruthy();
    expect(saves(server)).toHaveLength(0);
  });

  test('start saves everything, the button becomes stop after the response, and is disabled for 3 seconds', async () => {
    const server = startServer();
    await open();
    const panel = await panelOf(/^YouTube/);
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    await user.type(panel.getByLabelText('Server', { selector: 'input' }), ' rtmp://host/app/ ');
    await user.type(panel.getByLabelText('Stream key', { selector: 'input' }), 'abc');
    expect(panel.getByLabelText<HTMLInputElement>('Stream key', { selector: 'input' }).type).toBe('password');
    await user.type(panel.getByLabelText('Source stream', { selector: 'input' }), 'lobby');
    await user.click(panel.getByRole('button', { name: 'Start forwarding' }));
    const stop = await panel.findByRole<HTMLButtonElement>('button', { name: 'Stop forwarding' });
    expect(saves(server)[0]!.body).toMatchObject({
      action: 'update',
      platform: 'wx',
      server: 'rtmp://host/app/',
      secret: 'abc',
      stream: 'lobby',
      enabled: true,
      custom: false,
      label: '',
    });
    expect(stop.disabled).toBe(true);
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    expect(stop.disabled).toBe(true);
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(stop.disabled).toBe(false);
    await user.click(stop);
    await panel.findByRole('button', { name: 'Start forwarding' });
    expect(saves(server)[1]!.body).toMatchObject({ enabled: false, secret: 'abc' });
  });

  test('a refused save is explained, and the button does not change', async () => {
    const server = startServer([target('wx')]);
    await open();
    await userEvent.click(await control(/^YouTube/));
    const panel = await panelOf(/^YouTube/);
    server.respondWith({ forwardSecret: () => new Refusal('internal') });
    await userEvent.click(panel.getByRole('button', { name: 'Start forwarding' }));
    expect((await screen.findByRole('alert')).textContent).toContain('You got an error!');
    expect(panel.getByRole('button', { name: 'Start forwarding' })).toBeTruthy();
    expect(panel.queryByRole('button', { name: 'Stop forwarding' })).toBeNull();
  });
});

describe('added targets', () => {
  test('add, name, save, delete after a confirmation', async () => {
    const server = startServer();
    await open();
    await userEvent.click(await screen.findByRole('button', { name: 'Add a target' }));
    const panel = await panelOf(/^New target/);
    await userEvent.type(panel.getByLabelText('Name', { selector: 'input' }), 'Church');
    await userEvent.type(panel.getByLabelText('Server', { selector: 'input' }), 'srt://host:10080');
    await userEvent.click(panel.getByRole('button', { name: 'Save' }));
    const church = await panelOf(/^Church/);
    const { platform } = saves(server)[0]!.body as { platform: string };
    expect(platform).toMatch(/^forwarding-/);
    expect(saves(server)[0]!.body).toMatchObject({ custom: true, label: 'Church', enabled: false });
    await userEvent.click(church.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Church will be stopped, and its address and key deleted.')).toBeTruthy();
    expect(server.callsOf('removeForward')).toHaveLength(0);
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Church/ })).toBeNull());
    expect(server.callsOf('removeForward')[0]!.body).toMatchObject({ platform });
  });
});

describe('status', () => {
  const frame = { log: 'frame=120 fps=25 bitrate=2011kbits/s speed=1x', update: '2026-11-21T10:00:00Z' };

  test('explains what to do while there are no targets', async () => {
    startServer([target('wx', { enabled: true })]);
    await open();
    expect(await screen.findByText(/wait about 30 seconds for the automatic refresh/)).toBeTruthy();
  });

  test('a row per target with the six columns, ordered as the page', async () => {
    startServer([target('wx', { enabled: true })], () => [
      row('bilibili', { enabled: false, state: 'stopped' }),
      row('kuaishou'),
      row('wx', { state: 'running', frame, stream: 'live/lobby', pid: 7 }),
    ]);
    await open();
    const table = within(await screen.findByRole('table', { name: 'Forwarding status' }));
    expect(table.getAllByRole('columnheader').map((header) => header.textContent)).toEqual([
      '#',
      'Platform',
      'Status',
      'Update',
      'Source Stream',
      'Logging',
    ]);
    expect(table.getAllByRole('status').map((badge) => badge.textContent)).toEqual([
      'Forwarding',
      'Inactive',
      'Waiting',
    ]);
    expect(table.getByText('live/lobby')).toBeTruthy();
    expect(table.getByText(frame.log)).toBeTruthy();
  });

  test('a push shows bitrate, delay, dropped frames, reconnects and its last error', async () => {
    const push = { bitrateKbps: 4_506, bitrateHistoryKbps: [4_400, 4_506], queuedMs: 1_240, droppedFrames: 48 };
    const lastError = { at: '2026-11-21T09:58:00Z', reason: 'stalled', reasonDetail: 'full' } as const;
    startServer([target('wx', { enabled: true })], () => [
      row('wx', { state: 'running', frame, push: { ...push, reconnects: 3 }, lastError }),
      row('kuaishou', { state: 'retrying', reason: 'timeout', lastError: { ...lastError, reason: 'timeout' } }),
    ]);
    await open();
    const table = within(await screen.findByRole('table', { name: 'Forwarding status' }));
    const factOf = (name: string) => table.getByText(name).nextElementSibling?.textContent;
    expect(table.getByRole('img', { name: 'Bitrate of the last five minutes, now 4.51 Mbps' })).toBeTruthy();
    expect(factOf('Delay')).toBe('1.2 s');
    expect(factOf('Dropped frames')).toBe('48');
    expect(factOf('Reconnects')).toBe('3');
    expect(factOf('Last error')).toMatch(/^The stream stalled · 2026-11-21/);
    expect(table.getAllByText('No response in time')).toHaveLength(1);
  });

  test('polls every ten seconds; a retry counts down and shows its reason', async () => {
    let requests = 0;
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const server = startServer([target('wx', { enabled: true })], () => {
      requests += 1;
      return [
        requests === 1
          ? row('wx', { state: 'retrying', reason: 'connection-refused', reasonDetail: 'refused', retryInMs: 8_000 })
          : row('wx', { state: 'running', frame }),
      ];
    });
    await open();
    expect(await screen.findByText('The server refuses the connection')).toBeTruthy();
    expect(screen.getAllByText(/^Retrying in [78] s$/).length).toBeGreaterThan(0);
    await act(() => vi.advanceTimersByTimeAsync(3_000));
    expect(screen.getAllByText(/^Retrying in [345] s$/).length).toBeGreaterThan(0);
    expect(server.callsOf('forwardStreams')).toHaveLength(1);
    await act(() => vi.advanceTimersByTimeAsync(7_000));
    expect((await screen.findAllByText('Forwarding')).length).toBeGreaterThan(0);
    expect(server.callsOf('forwardStreams')).toHaveLength(2);
  });

  test('the FFmpeg view is collapsed and fetched only when expanded', async () => {
    const server = startServer([target('wx', { enabled: true })], () => [row('wx', { state: 'running', frame })]);
    server.respondWith({
      queryWorkerLogs: () => ({
        ...row('wx', {
          pid: 4711,
          cpuPercent: 1.5,
          rssBytes: 40 * 1024 ** 2,
          restarts: 2,
          command: 'ffmpeg -i x ******',
        }),
        logs: ['first line', 'last line'],
      }),
    });
    await open();
    await userEvent.click(await control(/^YouTube/));
    const panel = await panelOf(/^YouTube/);
    expect(server.callsOf('queryWorkerLogs')).toHaveLength(0);
    await userEvent.click(await panel.findByRole('button', { name: 'Advanced' }));
    expect(await panel.findByText('ffmpeg -i x ******')).toBeTruthy();
    expect(panel.getByText(/first line\s+last line/)).toBeTruthy();
    for (const fact of ['4711', '1.5%', '40 MB', '2']) expect(panel.getByText(fact)).toBeTruthy();
    expect(server.callsOf('queryWorkerLogs')[0]!.body).toMatchObject({ kind: 'forward', platform: 'wx' });
  });

  test('a page that fails to load shows the error and retries', async () => {
    const server = startServer();
    server.respondWith({ forwardSecret: () => new Refusal('internal') });
    await open();
    expect(await screen.findByText('Internal server error.')).toBeTruthy();
    server.respondWith({ forwardSecret: () => ({}) });
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await control(/^YouTube/);
  });
});
