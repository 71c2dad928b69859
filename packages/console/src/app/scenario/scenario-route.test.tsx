import { storageKeys } from '@srs-stack/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { startFakeServer, testSession } from '../../testing/fake-server.ts';
import { renderApp } from '../../testing/render-app.tsx';

beforeEach(() => {
  startFakeServer({
    queryRecord: () => ({
      all: false,
      home: '/data/record',
      directory: '/srv/srs-stack/data/record',
      globs: [],
      processCpDir: '',
    }),
  });
  localStorage.setItem(storageKeys.token, JSON.stringify(testSession));
});

const tabNames = () => screen.getAllByRole('tab').map((tab) => tab.textContent);
const selected = () =>
  screen.getAllByRole('tab').find((tab) => tab.getAttribute('aria-selected') === 'true')?.textContent;

test('shows the seven specified tabs in order, tutorials first', async () => {
  await renderApp('/en/routers-scenario', 'en');
  await screen.findByText('Your server is ready. Publish your first stream.');
  const specified = ['Tutorials', 'Streaming', 'Forward', 'Record', 'Virtual Live', 'Transcode', 'Others'];
  const added = ['Channels', 'Sources', 'Renditions'];
  expect(tabNames()).toEqual([...specified.slice(0, 5), 'Channels', 'Sources', 'Transcode', 'Renditions', 'Others']);
  expect(tabNames().filter((name) => !added.includes(name ?? ''))).toEqual(specified);
  expect(selected()).toBe('Tutorials');
});

test('?tab= selects the tab; an unknown value selects the first', async () => {
  const app = await renderApp('/en/routers-scenario?tab=record', 'en');
  expect(await screen.findByText('Record rules')).toBeTruthy();
  expect(selected()).toBe('Record');
  app.unmount();
  await renderApp('/en/routers-scenario?tab=nonsense', 'en');
  await screen.findByText('Your server is ready. Publish your first stream.');
});

test('selecting a tab rewrites the query and keeps other parameters', async () => {
  const app = await renderApp('/en/routers-scenario?allow-lo-rtc=true&tab=others&ctab=deprecated', 'en');
  expect(await screen.findByText('On the way...')).toBeTruthy();
  await userEvent.click(screen.getByRole('tab', { name: 'Forward' }));
  await waitFor(() => expect(app.url()).toBe('/en/routers-scenario?allow-lo-rtc=true&tab=forward'));
});

test('?ctab= selects the child tab of the others tab; the default is "other"', async () => {
  const app = await renderApp('/en/routers-scenario?tab=others', 'en');
  expect(await screen.findByText('vMix over SRT')).toBeTruthy();
  await userEvent.click(screen.getByText('Deprecated'));
  await waitFor(() => expect(app.url()).toBe('/en/routers-scenario?tab=others&ctab=deprecated'));
});

test('a language without cloud recording shows local recording instead', async () => {
  const app = await renderApp('/en/routers-scenario?tab=others&ctab=deprecated', 'en');
  await userEvent.click(await screen.findByRole('link', { name: 'Record' }));
  expect(app.url()).toBe('/en/routers-scenario?tab=record');
});
