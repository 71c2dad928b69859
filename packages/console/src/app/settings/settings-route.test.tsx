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

test('shows the six tabs of the specification, authentication first', async () => {
  await renderApp('/en/routers-settings', 'en');
  await screen.findByText('Publish secret');
  const names = screen.getAllByRole('tab').map((tab) => tab.textContent);
  expect(names).toEqual(
    expect.arrayContaining(['Authentication', 'HTTPS', 'HLS', 'Footer & title', 'Callback', 'OpenAPI']),
  );
  expect(names[0]).toBe('Authentication');
  expect(selected()).toBe('Authentication');
});

test('?tab= selects the tab, and selecting one rewrites the query', async () => {
  const app = await renderApp('/en/routers-settings?tab=hls', 'en');
  await waitFor(() => expect(selected()).toBe('HLS'));
  await userEvent.click(screen.getByRole('tab', { name: 'Footer & title' }));
  await waitFor(() => expect(app.url()).toBe('/en/routers-settings?tab=beian'));
  expect(await screen.findByText('Page title')).toBeTruthy();
});

const shownTabs = () => screen.getAllByRole('tab').map((tab) => tab.textContent);
const find = () => screen.getByRole('searchbox', { name: 'Find a setting' });

test('the tabs are listed by group, and each tab is described by its group', async () => {
  await renderApp('/en/routers-settings', 'en');
  const groupOf = (name: string) => {
    const id = screen.getByRole('tab', { name }).getAttribute('aria-describedby');
    return document.getElementById(id!)?.textContent;
  };
  await screen.findByText('Publish secret');
  expect(['Playback access', 'Watch page', 'Object storage', 'Upgrade & password'].map(groupOf)).toEqual([
    'Access',
    'Delivery',
    'Connect',
    'System',
  ]);
  expect(screen.getByRole('tablist').getAttribute('aria-orientation')).toBe('vertical');
});

test.each([
  ['load balancer', ['Proxy & balancer']],
  ['证书', ['HTTPS']],
  ['delivery HTTPS', ['HTTPS']],
  ['ssh', ['Upgrade & password']],
])('"%s" finds %j', async (typed, found) => {
  await renderApp('/en/routers-settings', 'en');
  await screen.findByText('Publish secret');
  await userEvent.type(find(), typed);
  await waitFor(() => expect(shownTabs()).toEqual(found));
});

test('Enter opens the first setting found; Escape clears the field; a search without result is shown', async () => {
  const app = await renderApp('/en/routers-settings', 'en');
  await screen.findByText('Publish secret');
  await userEvent.type(find(), 'bucket{Enter}');
  await waitFor(() => expect(app.url()).toBe('/en/routers-settings?tab=storage'));
  expect(shownTabs()).toHaveLength(15);
  await userEvent.type(find(), 'xyzzy');
  expect(screen.getByText('No setting matches “xyzzy”. Try another word, or fewer letters.')).toBeTruthy();
  expect(screen.queryAllByRole('tab')).toEqual([]);
  await userEvent.keyboard('{Escape}');
  expect(shownTabs()).toHaveLength(15);
});

test('arrows move the focus without opening; Enter opens', async () => {
  const app = await renderApp('/en/routers-settings', 'en');
  await screen.findByText('Publish secret');
  await userEvent.click(find());
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{End}{ArrowUp}');
  expect(document.activeElement?.textContent).toBe('Upgrade & password');
  expect(app.url()).toBe('/en/routers-settings');
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(app.url()).toBe('/en/routers-settings?tab=platform'));
  await waitFor(() => expect(selected()).toBe('Upgrade & password'));
  const panel = screen.getByRole('tabpanel', { name: 'Upgrade & password' });
  expect(screen.getByRole('tab', { selected: true }).getAttribute('aria-controls')).toBe(panel.id);
});

test('the button of a narrow page shows the setting, expands the list, and has the focus after a selection', async () => {
  await renderApp('/en/routers-settings?tab=hls', 'en');
  const fold = await screen.findByRole('button', { name: /Delivery\s*HLS/ });
  expect(fold.getAttribute('aria-expanded')).toBe('false');
  await userEvent.click(fold);
  expect(fold.getAttribute('aria-expanded')).toBe('true');
  await userEvent.click(screen.getByRole('tab', { name: 'Cluster' }));
  expect(fold.getAttribute('aria-expanded')).toBe('false');
  await waitFor(() => expect(document.activeElement?.textContent).toContain('SystemCluster'));
});
