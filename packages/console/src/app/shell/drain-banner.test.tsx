// While the server is draining, every page shows a banner with a button that ends the drain.
import { storageKeys } from '@srs-stack/contract';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { pushEvents } from '../../testing/event-source.ts';
import { quietSnapshot, startFakeServer, testSession } from '../../testing/fake-server.ts';
import { renderApp } from '../../testing/render-app.tsx';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

test('shows the connected clients, and ends the drain at a click', async () => {
  const requests: object[] = [];
  const server = startFakeServer({
    updateDrain: (request) => {
      requests.push(request);
      return { draining: false, since: '', connected: null, tasksRunning: 0 };
    },
  });
  const pushed = pushEvents(server);
  await renderApp('/en/routers-contact', 'en');
  await screen.findByRole('heading', { name: 'Contact' });
  expect(screen.queryByText(/is draining/)).toBeNull();
  const draining = { ...quietSnapshot, streams: 2, viewers: 41, drainingSince: '2026-01-02T03:04:05.000Z' };
  await waitFor(() => expect(pushed.opened).toHaveLength(1));
  act(() => pushed.snapshot(draining));
  expect(await screen.findByText(/is draining.*streams 2, viewers 41/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'End draining' }));
  await waitFor(() => expect(screen.queryByText(/is draining/)).toBeNull());
  expect(requests).toMatchObject([{ draining: false }]);
  act(() => pushed.snapshot({ ...draining, drainingSince: '2026-01-02T05:00:00.000Z' }));
  expect(await screen.findByText(/is draining/)).toBeTruthy();
});
