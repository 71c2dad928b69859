import { type endpoints, type ResponseOf, storageKeys } from '@srs-stack/contract';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { Refusal, startFakeServer, testSession } from '../../../testing/fake-server.ts';
import { renderApp } from '../../../testing/render-app.tsx';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

const usage: ResponseOf<typeof endpoints.queryUsageLimit> = {
  totalHours: null,
  startDate: '2026-01-15',
  periodStart: '2026-01-15T00:00:00Z',
  periodEnd: '2026-02-15T00:00:00Z',
  consumedSeconds: 9_000,
  liveStreams: 1,
  isExhausted: false,
  revision: 'r1',
};
const start = () => {
  const state = { usage, limits: { vlive: 5_000, camera: 5_000, revision: 'l1' } };
  const server = startFakeServer({
    queryUsageLimit: () => state.usage,
    updateUsageLimit: ({ totalHours }) => {
      state.usage = { ...usage, totalHours, revision: 'r2', isExhausted: totalHours === 1 };
      return null;
    },
    queryLimits: () => state.limits,
    updateLimits: ({ vlive, camera }) => {
      state.limits = { vlive, camera, revision: 'l2' };
      return null;
    },
  });
  return { server, state };
};
const save = (index: number) => userEvent.click(screen.getAllByRole('button', { name: 'Save' })[index]!);

test('the hours used are shown; a limit is chosen, validated and saved with its revision', async () => {
  const { server } = start();
  await renderApp('/en/routers-settings?tab=limit', 'en');
  expect(await screen.findByText('2.5 h')).toBeTruthy();
  await userEvent.click(screen.getByRole('radio', { name: 'Limit the hours per month' }));
  const hours = screen.getByLabelText('Hours per month');
  await userEvent.clear(hours);
  await userEvent.type(hours, '0');
  await save(0);
  expect(screen.getByText('Enter hours above 0 and up to 744000')).toBeTruthy();
  expect(server.callsOf('updateUsageLimit')).toHaveLength(0);
  await userEvent.clear(hours);
  await userEvent.type(hours, '1');
  await save(0);
  expect(await screen.findByText('Used up')).toBeTruthy();
  expect(screen.getByText('of 1 h per month used')).toBeTruthy();
  expect(server.callsOf('updateUsageLimit')[0]!.body).toMatchObject({
    totalHours: 1,
    startDate: '2026-01-15',
    revision: 'r1',
  });
});

test('the limit of cameras is not shown while there are none', async () => {
  start();
  await renderApp('/en/routers-settings?tab=limit', 'en');
  await screen.findByLabelText('Virtual live');
  expect(screen.queryByLabelText('Camera')).toBeNull();
});

test('bitrates are whole positive numbers', async () => {
  const { server } = start();
  await renderApp('/en/routers-settings?tab=limit', 'en');
  const vlive = await screen.findByLabelText<HTMLInputElement>('Virtual live');
  await userEvent.clear(vlive);
  for (const wrong of ['-3', '1.5']) {
    await userEvent.clear(vlive);
    await userEvent.type(vlive, wrong);
    await save(1);
    expect(screen.getByText('Enter a whole number from 1 to 1000000')).toBeTruthy();
    expect(vlive.value).toBe(`${wrong} Kbps`);
  }
  expect(server.callsOf('updateLimits')).toHaveLength(0);
  await userEvent.clear(vlive);
  await userEvent.type(vlive, '8000');
  await save(1);
  expect(await screen.findByText('Limit updated')).toBeTruthy();
  expect(server.callsOf('updateLimits')[0]!.body).toMatchObject({ vlive: 8_000, camera: 5_000, revision: 'l1' });
});

test('the form shows a conflict, keeps the typed values, and can load the new ones', async () => {
  const { server, state } = start();
  server.respondWith({ updateLimits: () => new Refusal('settingsChanged') });
  await renderApp('/en/routers-settings?tab=limit', 'en');
  const vlive = await screen.findByLabelText<HTMLInputElement>('Virtual live');
  await userEvent.clear(vlive);
  await userEvent.type(vlive, '7000');
  state.limits = { vlive: 6_000, camera: 5_000, revision: 'l9' };
  await save(1);
  expect(await screen.findByText('Someone else saved these settings in the meantime.')).toBeTruthy();
  expect(vlive.value).toBe('7000 Kbps');
  await userEvent.click(screen.getByRole('button', { name: 'Show the new values' }));
  expect(await screen.findByDisplayValue('6000 Kbps')).toBeTruthy();
});

test('leaving with typed values requires a confirmation', async () => {
  start();
  const confirm = vi.fn(() => false);
  vi.stubGlobal('confirm', confirm);
  const app = await renderApp('/en/routers-settings?tab=limit', 'en');
  await userEvent.type(await screen.findByLabelText('Virtual live'), '1');
  await userEvent.click(screen.getByRole('tab', { name: 'HLS' }));
  expect(confirm).toHaveBeenCalledOnce();
  expect(app.url()).toContain('tab=limit');
  confirm.mockReturnValue(true);
  await userEvent.click(screen.getByRole('tab', { name: 'HLS' }));
  expect(app.url()).toContain('tab=hls');
});
