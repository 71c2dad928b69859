import { storageKeys } from '@srs-stack/contract';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { startFakeServer, testSession } from '../../../testing/fake-server.ts';
import { renderApp } from '../../../testing/render-app.tsx';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

const studio = {
  ...{ id: '1a2b3c4d', name: 'Studio', pattern: 'live/*', secret: 'sk-1a2b3c4d-secret', expiresAt: null },
  createdAt: '2026-01-02T03:04:05Z',
  lastUse: { at: '2026-01-03T03:04:05Z', app: 'live', stream: 'x', ip: '203.0.113.7' },
};
const start = (keys = [studio]) => {
  const state = { keys };
  return startFakeServer({
    queryStreamKeys: () => ({ keys: state.keys }),
    createStreamKey: ({ name, pattern, expiresAt = null }) => {
      const made = { ...studio, id: '5e6f7a8b', name, pattern, expiresAt: expiresAt as null };
      state.keys = [made, ...state.keys];
      return made;
    },
    revokeStreamKey: ({ id }) => {
      state.keys = state.keys.filter((key) => key.id !== id);
      return { ended: 1 };
    },
  });
};

test('a key shows its owner and its last use; revoking requires a confirmation', async () => {
  const server = start();
  await renderApp('/en/routers-settings?tab=keys', 'en');
  const list = within(await screen.findByRole('list', { name: 'Stream keys' }));
  expect(list.getByText(/last used .* for live\/x from 203\.0\.113\.7/)).toBeTruthy();
  expect(list.queryByText(/sk-1a2b3c4d/)).toBeNull();
  await userEvent.click(list.getByRole('button', { name: 'Revoke' }));
  expect(server.callsOf('revokeStreamKey')).toEqual([]);
  await userEvent.click(await screen.findByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('Key of Studio revoked, 1 publisher disconnected')).toBeTruthy();
  expect(await screen.findByText('No stream keys yet')).toBeTruthy();
});

test('a new key needs a name and a pattern', async () => {
  const server = start([]);
  await renderApp('/en/routers-settings?tab=keys', 'en');
  const create = await screen.findByRole('button', { name: 'Create key' });
  await userEvent.click(create);
  expect(screen.getByText('Enter a name')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Name'), 'Drone');
  await userEvent.click(create);
  expect(await screen.findByRole('heading', { name: 'Drone' })).toBeTruthy();
  expect(server.callsOf('createStreamKey')[0]!.body).toMatchObject({ name: 'Drone', expiresAt: null });
});

test('the guide for publishers shows its addresses with the key that is chosen', async () => {
  start();
  await renderApp('/en/routers-scenario?tab=live', 'en');
  await userEvent.click(await screen.findByRole('combobox', { name: 'Publish with' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Studio (live/*)' }));
  for (const reveal of screen.getAllByRole('button', { name: /^Show/ })) await userEvent.click(reveal);
  expect((await screen.findAllByText(/secret=sk-1a2b3c4d-secret/)).length).toBeGreaterThan(0);
});
