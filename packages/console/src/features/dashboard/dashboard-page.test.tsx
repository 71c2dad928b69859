import {
  changed,
  type MonitorEvent,
  type MonitorHistory,
  type MonitorRange,
  type MonitorSeries,
  monitorSeries,
  storageKeys,
  switched,
  toWirePhrase,
} from '@srs-stack/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { pushEvents } from '../../testing/event-source.ts';
import { type FakeServer, quietSnapshot, Refusal, startFakeServer, testSession } from '../../testing/fake-server.ts';
import { renderApp } from '../../testing/render-app.tsx';

// The simulated DOM has no canvas, so drawing is tested in a browser (e2e/monitor.test.ts).
vi.mock('uplot', () => ({
  default: class {
    setData() {}
    setScale() {}
    setSize() {}
    batch(change: () => void) {
      change();
    }
    destroy() {}
  },
}));

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

const startMs = quietSnapshot.atMs - 60_000;
const event = (id: number, change: Partial<MonitorEvent>): MonitorEvent => ({
  id,
  at: new Date(quietSnapshot.atMs - 1_000).toISOString(),
  kind: 'publish',
  severity: 'info',
  subject: 'live/lobby',
  detail: '',
  ip: '',
  ...change,
});
function historyOf(range: MonitorRange, points: number): MonitorHistory {
  const values = Array.from({ length: points }, (_, index) => index);
  const columns = Object.fromEntries(monitorSeries.map((name) => [name, values])) as Record<MonitorSeries, number[]>;
  const timesMs = values.map((index) => startMs + index * 5_000);
  return {
    range,
    fromMs: startMs - 240_000,
    toMs: quietSnapshot.atMs - 2_000,
    stepMs: 5_000,
    timesMs,
    mean: columns,
    peak: columns,
    events: [],
  };
}

function start(): FakeServer {
  return startFakeServer({ queryMonitorHistory: ({ range = '5m' }) => historyOf(range, range === '5m' ? 10 : 300) });
}
const chart = (title: string) => screen.findByRole('img', { name: new RegExp(`^${title}\\.`) });
const pointsOf = async (title: string) => Number((await chart(title)).closest('figure')?.dataset.points);

test('pushed metrics, events and alarms show immediately, without a request', async () => {
  const server = start();
  const stream = pushEvents(server);
  await renderApp('/en/routers-dashboard', 'en');
  expect(await screen.findByRole('status', { name: 'Waiting for the first data' })).toBeTruthy();
  await waitFor(() => expect(stream.opened).toEqual([{ lastEventId: null, body: { token: testSession.token } }]));
  act(() => stream.snapshot({ ...quietSnapshot, streams: 2, viewers: 7, viewersByProtocol: { flv: 5, rtc: 2 } }));
  expect(await screen.findByText('HTTP-FLV 5 · WebRTC 2')).toBeTruthy();
  expect(await screen.findByText('Media server up')).toBeTruthy();
  expect(screen.getByText('No events yet')).toBeTruthy();
  act(() => stream.happened(event(1, {})));
  expect(await screen.findByText('live/lobby went live')).toBeTruthy();
  act(() => stream.happened(event(2, { kind: 'publish-refused', severity: 'warning', detail: 'publishSecretWrong' })));
  expect(await screen.findByText('live/lobby was refused: the publish secret is wrong or missing')).toBeTruthy();
  const alarm = { code: 'disk-low', severity: 'warning', subject: '', value: 1024 ** 3, reason: 'none' } as const;
  act(() => stream.snapshot({ ...quietSnapshot, alarms: [alarm] }));
  const shown = await screen.findByRole('region', { name: 'Needs your attention' });
  expect(within(shown).getByText('The disk is nearly full: 1 GB left')).toBeTruthy();
  expect(within(shown).getByRole('link', { name: 'Open recordings' }).getAttribute('href')).toMatch(/tab=record$/);
  const slate = { ...alarm, code: 'slate-on-air', subject: 'live/lobby', value: 95 } as const;
  act(() => stream.snapshot({ ...quietSnapshot, alarms: [slate] }));
  expect(await within(shown).findByText(/^live\/lobby: slate on the air since \d/)).toBeTruthy();
  expect(within(shown).getByRole('link', { name: 'Open live streams' }).getAttribute('href')).toMatch(/streams$/);
  act(() => stream.happened(event(3, { kind: 'engine-fault', severity: 'error', subject: '', detail: 'planted' })));
  expect(await screen.findByText(/isolated an internal error; other streams continued: planted$/)).toBeTruthy();
  act(() => stream.snapshot({ ...quietSnapshot, engineFaults: 2 }));
  expect(await screen.findByText('2 internal errors isolated, see the log')).toBeTruthy();
  expect(server.callsOf('queryMonitor')).toEqual([]);
});

test('changes are described in the language of the page; events without a key keep their text', async () => {
  const events = [
    event(1, {
      kind: 'setting-changed',
      subject: '',
      detail: 'forward wx on',
      change: toWirePhrase(changed('task.forward', { platform: 'wx', state: switched(true) })),
    }),
    event(2, {
      kind: 'setting-changed',
      detail: 'retention of recordings: any number of days, 1073741824 bytes',
      change: toWirePhrase(changed('record.kept', { days: changed('amount.any'), bytes: 1024 ** 3 })),
    }),
    event(3, {
      kind: 'stream-kicked',
      subject: 'connection v1',
      change: toWirePhrase(changed('kick.connection', { id: 'v1' })),
    }),
    event(4, { kind: 'setting-changed', detail: 'words of an older server' }),
    event(5, { kind: 'setting-changed', detail: 'words of a newer server', change: { key: 'next.year', values: {} } }),
  ];
  const server = start();
  server.respondWith({ queryMonitor: () => ({ snapshot: quietSnapshot, events }) });
  await renderApp('/zh/routers-dashboard', 'zh');
  expect(await screen.findByText('设置已变更：转播到“视频号”已开启')).toBeTruthy();
  expect(screen.getByText('设置已变更：录制保留规则：天数 不限，空间 1 GB')).toBeTruthy();
  expect(screen.getByText('观众连接 v1 已被管理员断开')).toBeTruthy();
  expect(screen.getByText('设置已变更：words of an older server')).toBeTruthy();
  expect(screen.getByText('设置已变更：words of a newer server')).toBeTruthy();
});

test('one unavailable media server of several is named, with the load and streams of the others', async () => {
  const stream = pushEvents(start());
  await renderApp('/en/routers-dashboard', 'en');
  await waitFor(() => expect(stream.opened).toHaveLength(1));
  const mediaServers = [
    { name: 'gateway-0', isUp: true, cpuCores: 0.5, memoryBytes: 1024 ** 3, connections: 12 },
    { name: 'gateway-1', isUp: false, cpuCores: 0, memoryBytes: 0, connections: 0 },
  ];
  const alarm = { code: 'engine-away', severity: 'error', subject: 'gateway-1', value: 0, reason: 'none' } as const;
  act(() => stream.snapshot({ ...quietSnapshot, mediaServers, alarms: [alarm] }));
  const list = within(await screen.findByRole('list', { name: 'Media servers' }));
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/gateway-0.*50%.*12 connections.*Up/),
    expect.stringMatching(/gateway-1.*Not responding/),
  ]);
  expect(screen.getByText('Media server gateway-1 is not responding')).toBeTruthy();
  expect(screen.getByText('1 of 2 media servers not responding')).toBeTruthy();
});

test('an SRS that is down must be started by its operator, a gateway restarts by itself', async () => {
  const server = startFakeServer({
    queryMonitorHistory: ({ range = '5m' }) => historyOf(range, 10),
    queryComponents: () => ({
      components: [],
      mediaServer: { engine: 'srs', api: '10.0.0.7:1985', isUp: false, version: '', abilities: [] },
    }),
  });
  const stream = pushEvents(server);
  await renderApp('/en/routers-dashboard', 'en');
  await waitFor(() => expect(stream.opened).toHaveLength(1));
  const alarm = { code: 'engine-away', severity: 'error', subject: '', value: 0, reason: 'none' } as const;
  act(() => stream.snapshot({ ...quietSnapshot, engine: 'away', alarms: [alarm] }));
  expect(await screen.findByText(/Start it again on its machine/)).toBeTruthy();
  expect(screen.queryByText(/restarts automatically/)).toBeNull();
});

test('an ended event stream is reopened after the last event; the dot shows it', async () => {
  const stream = pushEvents(start());
  await renderApp('/en/routers-dashboard', 'en');
  await waitFor(() => expect(stream.opened.length).toBe(1));
  act(() => stream.snapshot(quietSnapshot));
  act(() => stream.happened(event(41, {})));
  expect((await screen.findAllByText('Live')).length).toBeGreaterThan(0);
  await screen.findByText('live/lobby went live');
  act(() => stream.end());
  expect((await screen.findAllByText('Reconnecting')).length).toBeGreaterThan(0);
  await waitFor(() => expect(stream.opened[1]).toMatchObject({ lastEventId: '41' }));
  act(() => stream.snapshot(quietSnapshot));
  await waitFor(() => expect(screen.queryByText('Reconnecting')).toBeNull());
});

test('while the event stream is refused the metrics are polled', async () => {
  const server = start();
  server.respondWith({ queryMonitor: () => ({ snapshot: { ...quietSnapshot, viewers: 3 }, events: [event(5, {})] }) });
  await renderApp('/en/routers-dashboard', 'en');
  expect((await screen.findAllByText('Every 10 seconds')).length).toBeGreaterThan(0);
  expect(await screen.findByText('live/lobby went live')).toBeTruthy();
});

test('a server that does not respond is reported without an alarm, and the page fills when it responds', async () => {
  const server = start();
  server.respondWith({ queryMonitor: () => new Refusal('controlPlaneRestarting') });
  await renderApp('/en/routers-dashboard', 'en');
  expect(await screen.findByRole('heading', { name: 'No data yet' })).toBeTruthy();
  server.respondWith({ queryMonitor: () => ({ snapshot: quietSnapshot, events: [] }) });
  const stream = pushEvents(server);
  await act(async () => {
    localStorage.setItem(storageKeys.token, JSON.stringify(testSession));
    window.dispatchEvent(new StorageEvent('storage', { key: storageKeys.token }));
  });
  await waitFor(() => expect(stream.opened.length).toBe(1));
  act(() => stream.snapshot(quietSnapshot));
  expect(await screen.findByText('Media server', { selector: 'dt' })).toBeTruthy();
});

test('charts show the chosen range; pushed metrics extend the newest range', async () => {
  const stream = pushEvents(start());
  await renderApp('/en/routers-dashboard', 'en');
  await waitFor(() => expect(stream.opened.length).toBe(1));
  act(() => stream.snapshot(quietSnapshot));
  // Ten points of the history, and one pushed point.
  await waitFor(async () => expect(await pointsOf('Bandwidth')).toBe(11));
  act(() => stream.snapshot({ ...quietSnapshot, atMs: quietSnapshot.atMs + 2_000 }));
  await waitFor(async () => expect(await pointsOf('Bandwidth')).toBe(12));
  await userEvent.click(screen.getByText('24 h'));
  await waitFor(async () => expect(await pointsOf('CPU')).toBe(300));
});

test('tasks are listed with their state, failing ones as alarms, named as the operator knows them', async () => {
  const stream = pushEvents(start());
  await renderApp('/zh/routers-dashboard', 'zh');
  await waitFor(() => expect(stream.opened.length).toBe(1));
  const worker = {
    id: 'forward:bilibili',
    kind: 'forward',
    label: '',
    platform: 'bilibili',
    state: 'retrying',
    reason: 'connection-refused',
    restarts: 3,
    cpuPercent: 0,
    memoryBytes: 0,
  } as const;
  const alarm = {
    code: 'worker-failing',
    severity: 'warning',
    subject: 'bilibili',
    value: 0,
    reason: 'connection-refused',
  } as const;
  act(() => stream.snapshot({ ...quietSnapshot, workers: [worker], workersFailing: 1, alarms: [alarm] }));
  const list = await screen.findByRole('list', { name: 'FFmpeg 任务' });
  expect(within(list).getByText(/已重启 3 次/)).toBeTruthy();
  const alarms = screen.getByRole('region', { name: '需要您处理的问题' });
  expect(alarms.textContent).toContain(within(list).getByRole('link').textContent);
});
