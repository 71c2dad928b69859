import { endpoints, pollIntervalMs, storageKeys } from '@srs-stack/contract';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { call } from '../../api/api-client.ts';
import { watchControlPlane } from '../../api/control-plane.ts';
import { quietSnapshot, Refusal, startFakeServer, testSession } from '../../testing/fake-server.ts';
import { renderApp } from '../../testing/render-app.tsx';

const restarting = () => new Refusal('controlPlaneRestarting');

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

test('the host card shows version, stable and latest; the latest links to the releases', async () => {
  startFakeServer();
  await renderApp('/en/routers-components', 'en');
  expect(await screen.findByText('v1.2.3', { selector: 'dd' })).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Host' })).toBeTruthy();
  expect(screen.getByText('v1.2.0')).toBeTruthy();
  expect(screen.getByRole('link', { name: /v1\.3\.0/ }).getAttribute('href')).toMatch(/releases$/);
});

test('before the first check for releases, no version is shown as stable or latest', async () => {
  startFakeServer({
    status: () => ({
      version: 'v1.2.3',
      releases: { version: 'v1.2.3', stable: 'v1.2.3', latest: 'v1.2.3', checkedAt: null },
      upgrading: false,
      strategy: 'manual',
    }),
  });
  await renderApp('/en/routers-components', 'en');
  expect(await screen.findAllByText('v1.2.3', { selector: 'dd' })).toHaveLength(1);
  expect(screen.getByText('Not checked yet', { selector: 'dd' })).toBeTruthy();
  expect(screen.getByRole('link', { name: /Not checked yet/ }).getAttribute('href')).toMatch(/releases$/);
});

test('the status strip counts streams and viewers and shows whether the engine responds', async () => {
  const server = startFakeServer();
  const app = await renderApp('/en/routers-components', 'en');
  expect(await screen.findByText('Media server up')).toBeTruthy();
  app.unmount();
  server.respondWith({ queryMonitor: () => ({ snapshot: { ...quietSnapshot, engine: 'away' }, events: [] }) });
  await renderApp('/en/routers-components', 'en');
  expect(await screen.findByText('Media server not responding')).toBeTruthy();
});

test('status is polled every 10 s, and a failed poll is not reported', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const server = startFakeServer();
  await renderApp('/en/routers-components', 'en');
  await screen.findByText('v1.2.3', { selector: 'dd' });
  const before = server.callsOf('status').length;
  server.respondWith({ status: () => new Refusal('internal') });
  await act(() => vi.advanceTimersByTimeAsync(pollIntervalMs));
  expect(server.callsOf('status').length).toBe(before + 1);
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByText('v1.2.3', { selector: 'dd' })).toBeTruthy();
});

test('the banner is shown while the control plane is down, and disappears by itself', async () => {
  const server = startFakeServer();
  const stop = watchControlPlane();
  await renderApp('/en/routers-components', 'en');
  await screen.findByText('Media server up');
  server.respondWith({ status: restarting, queryMonitor: restarting, queryVersion: restarting });
  await act(() => call(endpoints.status, {}).catch(() => {}));
  expect(await screen.findByText(/management service is restarting/)).toBeTruthy();
  server.respondWith({ queryVersion: () => ({ version: '1.2.3' }) });
  await waitFor(() => expect(screen.queryByText(/management service is restarting/)).toBeNull());
  stop();
});
