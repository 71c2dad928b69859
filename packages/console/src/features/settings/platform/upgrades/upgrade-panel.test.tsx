import { type endpoints, type ResponseOf, storageKeys } from '@srs-stack/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { Refusal, startFakeServer, testSession } from '../../../../testing/fake-server.ts';
import { renderApp } from '../../../../testing/render-app.tsx';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

type Upgrade = ResponseOf<typeof endpoints.queryUpgrade>;
const [installed, newer, main] = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string];
const release = {
  channel: 'stable' as const,
  version: '1.1.0',
  commit: newer,
  date: '2026-01-01T00:00:00Z',
  changes: ['First with `code` and <b>no markup</b>', ...Array.from({ length: 8 }, (_, index) => `Change ${index}`)],
  moreChanges: 3,
};
const found = {
  checkedAt: '2026-01-02T00:00:00Z',
  problem: null,
  stable: release,
  development: {
    ...release,
    channel: 'development' as const,
    version: '1.2.0',
    commit: main,
    changes: [],
    moreChanges: 0,
  },
};
const upgrade: Upgrade = {
  channel: 'stable',
  auto: false,
  revision: 'u1',
  installation: {
    kind: 'checkout',
    version: '1.0.0',
    commit: installed,
    folder: '/srv',
    remote: 'https://e.org/x.git',
  },
  found,
  isLooking: false,
  progress: null,
  result: null,
  liveStreams: ['live/lobby', 'live/stage'],
};
const to = { channel: 'stable' as const, version: '1.1.0', commit: newer };
const page = {
  queryUpgradeWindow: () => ({
    start: '23:00',
    end: '05:00',
    isOpen: false,
    opensAt: '2026-01-02T23:00:00Z',
    closesAt: '2026-01-03T05:00:00Z',
    serverTime: '2026-01-02T12:00:00Z',
    timeZone: 'UTC',
    liveStreams: 2,
    revision: 'w1',
  }),
  queryAdminKey: () => ({
    file: '',
    key: '',
    fingerprint: '',
    granted: false,
    otherKeys: 0,
    problem: '' as const,
    revision: '',
  }),
};
async function open(facts: Partial<Upgrade>, more: Parameters<typeof startFakeServer>[0] = {}) {
  let current: Upgrade = { ...upgrade, ...facts };
  const server = startFakeServer({ ...page, queryUpgrade: () => current, ...more });
  await renderApp('/en/routers-settings?tab=platform', 'en');
  const panel = within(await screen.findByRole('region', { name: 'Version and upgrades' }));
  return { server, panel, become: (next: Partial<Upgrade>) => (current = { ...current, ...next }) };
}

test('the confirmation names the version, interrupted streams and the closed window; then exactly that commit is requested', async () => {
  const { server, panel } = await open({}, { startUpgrade: () => null });
  await userEvent.click(await panel.findByRole('button', { name: 'Upgrade to 1.1.0' }));
  const question = within(await screen.findByRole('dialog'));
  expect(question.getByText(/First, 1\.1\.0 is prepared/)).toBeTruthy();
  expect(question.getByText(/These 2 streams will be interrupted/)).toBeTruthy();
  expect(question.getByText('live/lobby')).toBeTruthy();
  expect(question.getByText(/The upgrade window is closed/)).toBeTruthy();
  expect(server.callsOf('startUpgrade')).toHaveLength(0);
  await userEvent.click(question.getByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(server.callsOf('startUpgrade')).toHaveLength(1));
  expect(server.callsOf('startUpgrade')[0]?.body).toMatchObject({ channel: 'stable', commit: newer });
});

test('the changelog is shown as plain text, initially its first lines', async () => {
  const { panel } = await open({});
  expect((await panel.findByText(/no markup/)).textContent).toBe('First with code and <b>no markup</b>');
  expect(panel.queryByText('Change 7')).toBeNull();
  await userEvent.click(await panel.findByRole('button', { name: 'Show 7 more' }));
  expect(panel.getByText('Change 7')).toBeTruthy();
  expect(panel.getByText('and 3 more')).toBeTruthy();
});

test('the channel and auto-upgrade are saved with their revision', async () => {
  const { server, panel, become } = await open({}, { updateUpgradeSettings: () => null });
  await userEvent.click(await panel.findByRole('radio', { name: /Development/ }));
  await waitFor(() => expect(server.callsOf('updateUpgradeSettings')).toHaveLength(1));
  become({ channel: 'development', revision: 'u2' });
  expect(await panel.findByRole('button', { name: 'Upgrade to 1.2.0' })).toBeTruthy();
  await userEvent.click(panel.getByRole('switch', { name: /Upgrade automatically/ }));
  await waitFor(() => expect(server.callsOf('updateUpgradeSettings')).toHaveLength(2));
  expect(server.callsOf('updateUpgradeSettings').map(({ body }) => [body.channel, body.auto, body.revision])).toEqual([
    ['development', false, 'u1'],
    ['development', true, 'u2'],
  ]);
});

test('for the newest release, only another check is offered', async () => {
  const { server, panel } = await open(
    { installation: { ...upgrade.installation!, version: '1.1.0', commit: newer } },
    { lookForReleases: () => new Refusal('upgradeRunning') },
  );
  expect(await panel.findByText('Up to date')).toBeTruthy();
  expect(panel.queryByRole('button', { name: /Upgrade to/ })).toBeNull();
  await userEvent.click(await panel.findByRole('button', { name: 'Check for new releases' }));
  expect((await screen.findByRole('alert')).textContent).toContain('already running');
  expect(server.callsOf('lookForReleases')).toHaveLength(1);
});

test('an upgrade shows its steps, the last one also while the server does not respond, then the result', async () => {
  const progress = {
    state: 'running' as const,
    step: 'install' as const,
    startedAt: '2026-01-02T00:00:00Z',
    target: to,
    problem: null,
  };
  const { server, panel, become } = await open({ progress });
  expect(await panel.findByText(/npm installs the required packages/)).toBeTruthy();
  server.respondWith({ queryUpgrade: () => new Refusal('controlPlaneRestarting') });
  expect(await panel.findByText(/this page recovers automatically/)).toBeTruthy();
  become({
    progress: { ...progress, state: 'done', step: 'restart' },
    result: {
      outcome: 'upgraded',
      at: '2026-01-02T00:05:00Z',
      from: '1.0.0',
      to,
      problem: null,
      interruptionMs: 2_345,
    },
  });
  server.respondWith({ queryUpgrade: () => become({}) });
  expect(await panel.findByText('Upgraded from 1.0.0 to 1.1.0')).toBeTruthy();
  expect(panel.getByText(/The server was unavailable for 2\.3 s/)).toBeTruthy();
  expect(panel.getByRole('button', { name: 'Reload the page' })).toBeTruthy();
});

test('a rolled back upgrade shows the translated reason and the output of the program', async () => {
  const problem = { reason: 'ended' as const, detail: 'the migration failed' };
  const { panel } = await open({
    result: { outcome: 'rolled-back', at: '2026-01-02T00:05:00Z', from: '1.0.0', to, problem, interruptionMs: 4_000 },
  });
  expect(await panel.findByText('1.1.0 failed and was rolled back to 1.0.0')).toBeTruthy();
  expect(panel.getByText(/The release exited before it was ready/)).toBeTruthy();
  expect(panel.getByText('the migration failed')).toBeTruthy();
  expect(panel.queryByRole('button', { name: 'Reload the page' })).toBeNull();
});

test('in a container the page shows the command to run instead', async () => {
  const { panel } = await open({ installation: { ...upgrade.installation!, kind: 'container' } });
  expect(await panel.findByText(/docker build/)).toBeTruthy();
  expect(panel.queryByRole('button', { name: /Check for new releases/ })).toBeNull();
});
