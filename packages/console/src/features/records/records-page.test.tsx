import { type RecordRow, storageKeys } from '@srs-stack/contract';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { Refusal, startFakeServer, testSession } from '../../testing/fake-server.ts';
import { renderApp } from '../../testing/render-app.tsx';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

const row = (number: number, change: Partial<RecordRow> = {}): RecordRow => ({
  uuid: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  vhost: '__defaultVhost__',
  app: 'live',
  stream: `camera-${number}`,
  progress: false,
  update: '2026-01-02T03:05:06Z',
  nn: 31,
  duration: 61.46,
  size: 23_400_000,
  state: 'done',
  begin: '2026-01-02T03:04:05Z',
  mp4Size: 23_000_000,
  problemKind: null,
  problem: '',
  place: 'server',
  object: '',
  title: '',
  notes: '',
  keep: false,
  ...change,
});

function startServer(rows: RecordRow[], { all = true, disk = 'ok' as 'ok' | 'full' } = {}) {
  const rules = {
    all,
    home: '/data/record',
    directory: '/srv/srs-stack/data/record',
    globs: [] as string[],
    processCpDir: '',
  };
  const retention = { keepDays: 0, maxBytes: 0 };
  const split = { maxSeconds: 0, maxBytes: 0 };
  const find = (search = '') => rows.filter(({ stream }) => stream.includes(search));
  const totals = (found: RecordRow[]) => ({
    count: found.length,
    recording: found.filter(({ progress }) => progress).length,
    duration: found.reduce((sum, each) => sum + each.duration, 0),
    size: found.reduce((sum, each) => sum + each.size + each.mp4Size, 0),
  });
  return startFakeServer({
    queryRecord: () => ({ ...rules }),
    applyRecord: ({ all: next = false }) => {
      rules.all = next;
      return null;
    },
    updateRecordGlobs: ({ globs = [] }) => {
      rules.globs = globs;
      return null;
    },
    queryRecordFiles: ({ search, offset = 0, limit }) => find(search).slice(offset, limit && offset + limit),
    queryRecordStatus: ({ search }) => ({
      totals: totals(rows),
      matching: totals(find(search)),
      disk: { state: disk, freeBytes: 1024 ** 3, totalBytes: 1024 ** 4, reserveBytes: 512 * 1024 ** 2 },
    }),
    queryRecordBin: () => [],
    queryObjectTransfers: () => [],
    queryRecordRetention: () => ({ ...retention, removals: [] }),
    queryRecordSplit: () => ({ ...split }),
    updateRecordSplit: ({ maxSeconds = 0, maxBytes = 0 }) => {
      Object.assign(split, { maxSeconds, maxBytes });
      return null;
    },
    queryRecordPlan: () => ({ entries: [], zone: 'Asia/Shanghai' }),
    querySnapshotTimers: () => ({ timers: [], streams: [] }),
    updateRecordRetention: ({ keepDays = 0, maxBytes = 0 }) => {
      Object.assign(retention, { keepDays, maxBytes });
      return null;
    },
    updateRecord: ({ uuid, title, notes, keep }) => {
      const changed = rows.find((each) => each.uuid === uuid)!;
      Object.assign(changed, JSON.parse(JSON.stringify({ title, notes, keep })));
      return null;
    },
    removeRecord: ({ uuid }) => {
      rows.splice(
        rows.findIndex((each) => each.uuid === uuid),
        1,
      );
      return null;
    },
    endRecord: () => null,
  });
}

const open = () => renderApp('/en/routers-scenario?tab=record', 'en');
const heading = (name: RegExp) => screen.findByRole('button', { name });
const isOpen = async (name: RegExp) => (await heading(name)).getAttribute('aria-expanded') === 'true';
/** The displayed rows. They are not found by role, because a role query is slow for 25 rows. */
const shown = () =>
  waitFor(() => {
    const items = [...document.querySelectorAll<HTMLElement>('li[data-state]')];
    expect(items).not.toHaveLength(0);
    return items;
  });

describe('Record page', () => {
  test('has four items; the rules are open while recording is off, the tasks while it is on', async () => {
    startServer([], { all: false });
    const page = await open();
    expect([await isOpen(/^Record rules/), await isOpen(/^Record tasks/)]).toEqual([true, false]);
    for (const name of [/^Introduction/, /^Record directory/]) expect(await isOpen(name)).toBe(false);
    page.unmount();
    startServer([]);
    await open();
    expect([await isOpen(/^Record rules/), await isOpen(/^Record tasks/)]).toEqual([false, true]);
    expect(await screen.findByText('No recordings yet')).toBeTruthy();
  });

  test('the directory is that of this machine; the clean-up text depends on the rules', async () => {
    const server = startServer([], { all: false });
    await open();
    await userEvent.click(await heading(/^Record directory/));
    expect(screen.getAllByText('/srv/srs-stack/data/record').length).toBeGreaterThan(0);
    expect(screen.getByText(/^mv \/srv\/srs-stack\/data\/record /)).toBeTruthy();
    expect(await screen.findByText(/files here\. Other management of the directory is up to you/)).toBeTruthy();
    server.respondWith({ queryRecordRetention: () => ({ keepDays: 3, maxBytes: 0, removals: [] }) });
    cleanup();
    await open();
    await userEvent.click(await heading(/^Record directory/));
    expect(await screen.findByText(/your record rules clean up finished recordings/)).toBeTruthy();
  });

  test('an empty list states how long to wait for the first recording', async () => {
    startServer([]);
    await open();
    expect(await screen.findByText(/about 60 seconds/)).toBeTruthy();
  });

  test('the switch is sent at once and changes its label', async () => {
    const server = startServer([], { all: false });
    const user = userEvent.setup();
    await open();
    await user.click(await screen.findByRole('button', { name: 'Start Record' }));
    expect(server.callsOf('applyRecord')[0]?.body).toMatchObject({ all: true });
    await user.click(await screen.findByRole('button', { name: 'Stop Record' }));
    await waitFor(() => expect(server.callsOf('applyRecord')[1]?.body).toMatchObject({ all: false }));
    expect(await screen.findByRole('button', { name: 'Start Record' })).toBeTruthy();
  });

  test('filters are saved one per line, without empty lines', async () => {
    const server = startServer([], { all: false });
    const user = userEvent.setup();
    await open();
    await user.type(await screen.findByLabelText('Only these streams'), 'live/x\n\n/live/cam-*');
    expect(await screen.findByText(/“live\/x” does not start with/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Save filters' }));
    await waitFor(() => expect(server.callsOf('updateRecordGlobs')[0]?.body.globs).toEqual(['live/x', '/live/cam-*']));
  });

  test('clean-up is off at first; days and gigabytes are saved as days and bytes', async () => {
    const server = startServer([], { all: false });
    const user = userEvent.setup();
    await open();
    await user.type(await screen.findByLabelText('Keep for (days)'), '30');
    await user.type(screen.getByLabelText('Keep at most (GB)'), '1.5');
    await user.click(screen.getByRole('button', { name: 'Save clean-up' }));
    await waitFor(() =>
      expect(server.callsOf('updateRecordRetention')[0]?.body).toMatchObject({
        keepDays: 30,
        maxBytes: 1.5 * 1024 ** 3,
      }),
    );
    expect(await screen.findByText('Clean-up saved')).toBeTruthy();
  });

  test('invalid days and gigabytes are refused, and the typed text stays', async () => {
    const server = startServer([], { all: false });
    const user = userEvent.setup();
    await open();
    const days = await screen.findByLabelText<HTMLInputElement>('Keep for (days)');
    for (const wrong of ['-5', '1.5']) {
      await user.clear(days);
      await user.type(days, wrong);
      await user.click(screen.getByRole('button', { name: 'Save clean-up' }));
      expect(screen.getByText(/^Enter a whole number of days/)).toBeTruthy();
      expect(days.value).toBe(wrong);
    }
    expect(server.callsOf('updateRecordRetention')).toHaveLength(0);
  });

  test('a recording shows size in MB and duration in seconds with one decimal, and times', async () => {
    startServer([row(1)]);
    await open();
    const [item] = await shown();
    expect(item?.textContent).toContain('live/camera-1');
    expect(item?.textContent).toContain('Done');
    expect(item?.textContent).toContain('61.5 s');
    expect(item?.textContent).toContain('22.3 MB');
    expect(item?.textContent).toMatch(/2026-01-0\d \d\d:\d\d:\d\d/);
    expect(within(item!).getByRole('link', { name: 'Download live/camera-1' }).getAttribute('href')).toBe(
      `/terraform/v1/hooks/record/hls/${row(1).uuid}/index.mp4?download=1`,
    );
  });

  test("a problem is explained, and an unknown one is shown with the server's message", async () => {
    startServer([
      row(1, { state: 'failed', problemKind: 'remux', problem: 'Invalid data found' }),
      row(2, { problemKind: 'copyFolder', problem: 'not copied: no such folder' }),
      row(3, { state: 'failed', problem: 'said by an earlier release' }),
    ]);
    await open();
    const [remux, copy, unknown] = await shown();
    expect(remux?.textContent).toContain('FFmpeg could not create an MP4');
    expect(remux?.textContent).toContain('Invalid data found');
    expect(copy?.textContent).toContain('the folder for copies does not exist');
    expect(unknown?.textContent).toContain('Note: said by an earlier release');
  });

  test('a running recording can be ended but not deleted', async () => {
    const server = startServer([row(1, { state: 'recording', progress: true, mp4Size: 0 })]);
    const user = userEvent.setup();
    await open();
    const [item] = await shown();
    expect(item?.textContent).toContain('Recording');
    expect(within(item!).queryByRole('button', { name: /^Delete/ })).toBeNull();
    expect(within(item!).queryByRole('link')).toBeNull();
    await user.click(within(item!).getByRole('button', { name: 'End now' }));
    await user.click(await screen.findByRole('button', { name: 'Continue' }));
    await waitFor(() => expect(server.callsOf('endRecord')[0]?.body.uuid).toBe(row(1).uuid));
  });

  test('deletion requires a confirmation with its consequence, and refreshes the list', async () => {
    const server = startServer([row(1), row(2)]);
    const user = userEvent.setup();
    await open();
    await user.click(await screen.findByRole('button', { name: 'Delete live/camera-1' }));
    expect(await screen.findByText(/stays in the bin for 24 hours/)).toBeTruthy();
    expect(server.callsOf('removeRecord')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await waitFor(async () => expect(await shown()).toHaveLength(1));
    expect(server.callsOf('removeRecord')[0]?.body.uuid).toBe(row(1).uuid);
  });

  test('ten thousand recordings are paged and searchable', async () => {
    const server = startServer(Array.from({ length: 10_000 }, (_, index) => row(index)));
    const user = userEvent.setup();
    await open();
    expect(await shown()).toHaveLength(25);
    await user.click(screen.getByLabelText('Next page'));
    await waitFor(async () => expect((await shown())[0]?.textContent).toContain('live/camera-25'));
    await user.type(screen.getByLabelText('Search recordings'), 'camera-9999');
    await waitFor(async () => expect(await shown()).toHaveLength(1));
    expect(server.callsOf('queryRecordFiles').every(({ body }) => body.limit === 25)).toBe(true);
  });

  test('title and notes are saved, and the keep mark is set and named before a deletion', async () => {
    const server = startServer([row(1)]);
    const user = userEvent.setup();
    await open();
    await user.click(await screen.findByRole('button', { name: 'Keep live/camera-1' }));
    await waitFor(() => expect(server.callsOf('updateRecord')[0]?.body).toMatchObject({ keep: true }));
    expect(await screen.findByText('Kept')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Delete live/camera-1' }));
    expect(await screen.findByText(/^This recording is marked to be kept\. The recording of/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Play live/camera-1' }));
    await user.type(await screen.findByLabelText('Title'), ' Finals ');
    await user.type(screen.getByLabelText('Notes'), 'Court 2');
    await user.click(screen.getByRole('button', { name: 'Save title and notes' }));
    await waitFor(() =>
      expect(server.callsOf('updateRecord')[1]?.body).toMatchObject({ title: 'Finals', notes: 'Court 2' }),
    );
    expect(server.callsOf('updateRecord')[1]?.body).not.toHaveProperty('keep');
    await waitFor(async () => expect((await shown())[0]?.textContent).toContain('Finals'));
  });

  test('recordings are filtered by local days and the keep mark', async () => {
    const server = startServer([row(1)]);
    const user = userEvent.setup();
    await open();
    await user.type(await screen.findByLabelText('From'), '2026-01-02');
    await user.type(screen.getByLabelText('To'), '2026-01-02');
    await user.click(screen.getByRole('switch', { name: 'Kept only' }));
    const day = { from: new Date(2026, 0, 2).toISOString(), to: new Date(2026, 0, 3).toISOString() };
    await waitFor(() => expect(server.callsOf('queryRecordFiles').at(-1)?.body).toMatchObject({ ...day, kept: true }));
    expect(server.callsOf('queryRecordStatus').at(-1)?.body).toMatchObject({ ...day, kept: true });
  });

  test('minutes and gigabytes of one file are saved as seconds and bytes', async () => {
    const server = startServer([], { all: false });
    const user = userEvent.setup();
    await open();
    await user.type(await screen.findByLabelText('Longest file (minutes)'), '0.5');
    await user.click(screen.getByRole('button', { name: 'Save split' }));
    expect(screen.getByText('Enter 1 to 10080 minutes, or leave empty.')).toBeTruthy();
    await user.clear(screen.getByLabelText('Longest file (minutes)'));
    await user.type(screen.getByLabelText('Longest file (minutes)'), '60');
    await user.type(screen.getByLabelText('Largest file (GB)'), '2');
    await user.click(screen.getByRole('button', { name: 'Save split' }));
    const saved = { maxSeconds: 3_600, maxBytes: 2 * 1024 ** 3 };
    await waitFor(() => expect(server.callsOf('updateRecordSplit')[0]?.body).toMatchObject(saved));
    expect(server.callsOf('updateRecordSplit')).toHaveLength(1);
  });

  test('a full disk shows an alarm', async () => {
    startServer([row(1)], { disk: 'full' });
    await open();
    expect((await screen.findByRole('alert')).textContent).toContain('recording is paused');
  });

  test('an ended session leads to the logout screen; another refusal is shown with its code', async () => {
    startServer([]).respondWith({ queryRecord: () => new Refusal('tokenInvalid') });
    const page = await open();
    await waitFor(() => expect(page.url()).not.toContain('scenario'));
    page.unmount();
    localStorage.setItem(storageKeys.token, JSON.stringify(testSession));
    startServer([]).respondWith({ queryRecord: () => new Refusal('storeNotReady') });
    await open();
    expect(await screen.findByText(/^Server error, 1007: /)).toBeTruthy();
  });

  test('a recording shows its upload to the bucket, why it waits, and its location afterwards', async () => {
    const server = startServer([row(1), row(2), row(3, { place: 'bucket', object: 's3://films/live/3.mp4' })]);
    const transfer = { sizeBytes: 4_000, since: '2026-01-02T03:04:05Z' };
    const problem = { kind: 'denied' as const, words: 'AccessDenied', since: '2026-01-02T03:04:05Z', retryAt: '' };
    server.respondWith({
      queryObjectTransfers: () => [
        { ...transfer, uuid: row(1).uuid, state: 'sending', sentBytes: 1_000, problem: null },
        { ...transfer, uuid: row(2).uuid, state: 'waiting', sentBytes: 0, problem },
      ],
    });
    await open();
    const [first, second, third] = (await shown()) as [HTMLElement, HTMLElement, HTMLElement];
    expect(await within(first).findByText(/^Uploading to the bucket: 25 %/)).toBeTruthy();
    expect(within(second).getByText(/^Waiting for the bucket since/)).toBeTruthy();
    expect(second.textContent).toContain('The keys lack a permission.');
    expect(within(third).getByText('Only in the bucket')).toBeTruthy();
  });
});

describe('recordings of several servers', () => {
  const north = { id: 'n', name: 'studio-north', isAway: false };
  const south = { id: 's', name: 'studio-south', isAway: true };

  test('name their server; those of an unavailable server offer only the copy in the bucket', async () => {
    const object = { place: 'both', object: 's3://films/live/camera-3.mp4' } as const;
    const rows = [row(1, { node: north }), row(2, { node: south }), row(3, { node: south, ...object })];
    const totals = { count: 3, recording: 0, duration: 1, size: 1 };
    startServer(rows).respondWith({
      queryRecordStatus: () => ({
        ...{ totals, matching: totals },
        disk: { state: 'ok', freeBytes: 1024 ** 3, totalBytes: 1024 ** 4, reserveBytes: 512 * 1024 ** 2 },
        nodes: [
          { ...north, recordings: 1 },
          { ...south, recordings: 2 },
        ],
      }),
    });
    await open();
    expect(await screen.findByText('2 recordings are on studio-south, which is unavailable')).toBeTruthy();
    const [here, away, inBucket] = await shown();
    const offers = (item: HTMLElement | undefined) => ({
      download: item?.querySelector('a[href*="download=1"]') !== null,
      remove: item?.querySelector('button[aria-label^="Delete"]') !== null,
    });
    expect(offers(here)).toEqual({ download: true, remove: true });
    expect(offers(away)).toEqual({ download: false, remove: false });
    expect(offers(inBucket)).toEqual({ download: true, remove: false });
    expect(here?.textContent).toContain('studio-north');
    expect(away?.textContent).toContain('studio-south is unavailable');
  });
});
