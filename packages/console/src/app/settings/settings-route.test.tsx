import { storageKeys } from '@srs-stack/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { startFakeServer, testSession } from '../../testing/fake-server.ts';
import { renderApp } from '../../testing/render-app.tsx';

beforeEach(() => {
  startFakeServer();
  localStorage.setItem(storageKeys.token, JSON.stringify(testSession));
});

const selected = () =>
  screen.getAllByRole('tab').find((tab) => tab.getAttribute('aria-selected') === 'true')?.textContent;

test('the first six tabs are those of the specification, and authentication comes first', async () => {
  await renderApp('/en/routers-settings', 'en');
  await screen.findByText('Publish secret');
  expect(
    screen
      .getAllByRole('tab')
      .slice(0, 6)
      .map((tab) => tab.textContent),
  ).toEqual(['Authentication', 'HTTPS', 'HLS', 'Footer & title', 'Callback', 'OpenAPI']);
  expect(selected()).toBe('Authentication');
});

test('?tab= chooses the tab, and selecting one rewrites the query', async () => {
  const app = await renderApp('/en/routers-settings?tab=hls', 'en');
  await waitFor(() => expect(selected()).toBe('HLS'));
  await userEvent.click(screen.getByRole('tab', { name: 'Footer & title' }));
  await waitFor(() => expect(app.url()).toBe('/en/routers-settings?tab=beian'));
  expect(await screen.findByText('Page title')).toBeTruthy();
});
