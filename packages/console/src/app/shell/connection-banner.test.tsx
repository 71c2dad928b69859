// What the banner shows when the network or server is down or slow.
import { storageKeys } from '@srs-stack/contract';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { startFakeServer, testSession } from '../../testing/fake-server.ts';
import { renderApp } from '../../testing/render-app.tsx';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

test('reports a lost network and that streams continue, and disappears when the network is back', async () => {
  startFakeServer();
  await renderApp('/en/routers-contact', 'en');
  await screen.findByRole('heading', { name: 'Contact' });
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  expect(await screen.findByText(/This device is offline/)).toBeTruthy();
  online.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(screen.queryByText(/This device is offline/)).toBeNull());
});

test('a slow first response is reported until it arrives', async () => {
  let respond = (_: { title?: string }) => {};
  startFakeServer({ queryBeian: () => new Promise((resolve) => (respond = resolve)) });
  await renderApp('/zh/routers-contact', 'zh');
  await screen.findByRole('heading', { name: '联系我们' });
  expect(screen.queryByText(/响应较慢/)).toBeNull();
  expect(await screen.findByText(/响应较慢/)).toBeTruthy();
  respond({});
  await waitFor(() => expect(screen.queryByText(/响应较慢/)).toBeNull());
});
