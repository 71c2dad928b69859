import { storageKeys } from '@srs-stack/contract';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { startFakeServer, testSession } from '../../../testing/fake-server.ts';
import { renderApp } from '../../../testing/render-app.tsx';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

const rule = { pattern: 'live/family', mode: 'password', hasPassword: true } as const;
const start = ({ rules = [] as (typeof rule)[], keys = [] as { id: string; last4: string; createdAt: string }[] }) => {
  const state = { keys, viewerReports: true };
  return startFakeServer({
    queryWatching: () => ({
      rules,
      keys: state.keys,
      renewalSeconds: 10,
      viewerReports: state.viewerReports,
      revision: 'r',
    }),
    updateWatchRules: () => null,
    createWatchKey: () => {
      state.keys = [{ id: 'k1', last4: 'cret', createdAt: '2026-01-02T03:04:05Z' }];
      return { id: 'k1', secret: 'the-secret' };
    },
    updateViewerReports: ({ enabled }) => {
      state.viewerReports = enabled;
      return null;
    },
    createWatchLink: () => ({ query: 'watch=k1.1.2', expiresAt: 1_800_000_000, keyId: 'k1' }),
  });
};

test('a stored password stays unless a new one is typed; a change warns of viewers in progress', async () => {
  const server = start({ rules: [rule] });
  await renderApp('/en/routers-settings?tab=watch', 'en');
  await userEvent.click(await screen.findByRole('button', { name: 'Add rule' }));
  expect(screen.getByText(/disconnected within 10 seconds/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText(/^Write app\/stream/)).toBeTruthy();
  await userEvent.type(screen.getAllByLabelText('Stream or pattern')[1]!, 'demo/*');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Rules updated')).toBeTruthy();
  expect(server.callsOf('updateWatchRules')[0]!.body).toMatchObject({
    rules: [
      { pattern: 'live/family', mode: 'password' },
      { pattern: 'demo/*', mode: 'signed' },
    ],
    revision: 'r',
  });
  expect(JSON.stringify(server.callsOf('updateWatchRules')[0]!.body)).not.toContain('"password":');
});

test('links need a key; the secret of a new one is shown, and links contain every address', async () => {
  start({});
  await renderApp('/en/routers-settings?tab=watch', 'en');
  expect(await screen.findByText(/First create a signing key below/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Create key' }));
  expect(await screen.findByText('the-secret')).toBeTruthy();
  await userEvent.click(await screen.findByRole('button', { name: 'Create link' }));
  const form = within(screen.getByRole('region', { name: 'Create a link' }));
  expect(await form.findByText(/livestream\.flv\?watch=k1\.1\.2$/)).toBeTruthy();
  expect(form.getByText(/r=live\/livestream,latency=20,watch=k1\.1\.2,m=request$/)).toBeTruthy();
});

test('players report until reports are disabled', async () => {
  const server = start({});
  await renderApp('/en/routers-settings?tab=watch', 'en');
  const choice = await screen.findByRole('switch', { name: /^Collect playback reports/ });
  expect((choice as HTMLInputElement).checked).toBe(true);
  await userEvent.click(choice);
  expect(await screen.findByText('Playback reports are off')).toBeTruthy();
  expect(server.callsOf('updateViewerReports')[0]!.body).toMatchObject({ enabled: false });
});
