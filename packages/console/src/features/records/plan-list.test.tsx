import { type PlanRow, storageKeys } from '@srs-stack/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { startFakeServer, testSession } from '../../testing/fake-server.ts';
import { renderApp } from '../../testing/render-app.tsx';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

const entry: PlanRow = {
  ...{ id: 'a', title: 'Service', glob: '/live/stage', repeat: 'weekly', days: [7], date: '' },
  ...{ start: '10:00', end: '11:30', zone: 'Europe/Berlin', enabled: true, state: 'running' },
  ...{ recording: ['live/stage'], current: { from: '2026-01-04T09:00:00Z', to: '2026-01-04T10:30:00Z' } },
  next: { from: '2026-01-11T09:00:00Z', to: '2026-01-11T10:30:00Z' },
};

async function openPlan(entries: PlanRow[]) {
  const server = startFakeServer({
    queryRecord: () => ({ all: false, home: '/data/record', directory: '/data/record', globs: [], processCpDir: '' }),
    queryRecordRetention: () => ({ keepDays: 0, maxBytes: 0, removals: [] }),
    queryRecordSplit: () => ({ maxSeconds: 0, maxBytes: 0 }),
    queryRecordPlan: () => ({ entries, zone: 'Asia/Shanghai' }),
    saveRecordPlanEntry: () => ({ id: 'b' }),
    removeRecordPlanEntry: () => null,
  });
  await renderApp('/en/routers-scenario?tab=record', 'en');
  await userEvent.click(await screen.findByRole('button', { name: /^Recording plan/ }));
  return server;
}

test('an entry shows its times, the current and next window, and what it records', async () => {
  await openPlan([entry]);
  const item = (await screen.findByText('Service')).closest('li');
  expect(item?.textContent).toContain('Sun 10:00–11:30 (Europe/Berlin)');
  expect(item?.textContent).toContain('live/stage');
  expect(item?.textContent).toMatch(/Next2026-01-11 \d\d:00:00 – 2026-01-11 \d\d:30:00/);
});

test('an entry whose times are past shows an explanation', async () => {
  await openPlan([
    { ...entry, repeat: 'once', days: [], date: '2026-01-01', state: 'over', current: null, next: null },
  ]);
  expect(await screen.findByText(/All times of this entry are in the past/)).toBeTruthy();
});

test('a new entry needs streams, days and a zone that exists; it is sent with the zone of the server', async () => {
  const server = await openPlan([]);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Add entry' }));
  await user.clear(screen.getByLabelText('Time zone', { selector: 'input' }));
  await user.type(screen.getByLabelText('Time zone', { selector: 'input' }), 'Europe/Nowhere');
  await user.click(screen.getByRole('button', { name: 'Save entry' }));
  for (const wrong of [/^Start with \//, /^Choose at least one day/, /^Choose a time zone/])
    expect(screen.getByText(wrong)).toBeTruthy();
  expect(server.callsOf('saveRecordPlanEntry')).toEqual([]);
  await user.type(screen.getByLabelText('Streams'), '/live/camera-*');
  await user.click(screen.getByLabelText('Fri'));
  await user.click(screen.getByLabelText('Mon'));
  await user.clear(screen.getByLabelText('Time zone', { selector: 'input' }));
  await user.type(screen.getByLabelText('Time zone', { selector: 'input' }), 'Asia/Shanghai');
  await user.click(screen.getByRole('button', { name: 'Save entry' }));
  await waitFor(() =>
    expect(server.callsOf('saveRecordPlanEntry')[0]?.body).toMatchObject({
      ...{ glob: '/live/camera-*', repeat: 'weekly', days: [1, 5], date: '', start: '20:00', end: '22:00' },
      ...{ zone: 'Asia/Shanghai', enabled: true },
    }),
  );
  expect(await screen.findByRole('button', { name: 'Add entry' })).toBeTruthy();
});

test('an entry is switched off, and removed after a confirmation', async () => {
  const server = await openPlan([entry]);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('switch', { name: 'Enable the plan of Service' }));
  await waitFor(() =>
    expect(server.callsOf('saveRecordPlanEntry')[0]?.body).toMatchObject({ id: 'a', enabled: false, days: [7] }),
  );
  expect(server.callsOf('saveRecordPlanEntry')[0]?.body).not.toHaveProperty('state');
  await user.click(screen.getByRole('button', { name: 'Remove the plan of Service' }));
  await user.click(await screen.findByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(server.callsOf('removeRecordPlanEntry')[0]?.body).toMatchObject({ id: 'a' }));
});
