import { storageKeys } from '@srs-stack/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { Refusal, startFakeServer, testSession } from '../../../testing/fake-server.ts';
import { renderApp } from '../../../testing/render-app.tsx';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

test('the secret is masked, can be shown, and is replaced by the typed one', async () => {
  let publish = 'old-secret';
  const server = startFakeServer({
    queryPublishSecret: () => ({ publish, pubNoAuth: false, revision: 'r1' }),
    updatePublishSecret: ({ secret }) => {
      publish = secret;
      return null;
    },
  });
  await renderApp('/en/routers-settings', 'en');
  await screen.findByText('Current secret');
  expect(screen.queryByText('old-secret')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Show Current secret' }));
  expect(screen.getByText('old-secret')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('New secret'), 'new-secret');
  await userEvent.click(screen.getByRole('button', { name: 'Update secret' }));
  expect(await screen.findByText('Publish secret updated')).toBeTruthy();
  expect(server.callsOf('updatePublishSecret')[0]!.body).toMatchObject({ secret: 'new-secret', token: 'test-token' });
  await userEvent.click(screen.getByRole('button', { name: 'Show Current secret' }));
  expect(screen.getByText('new-secret')).toBeTruthy();
});

test('before a secret in use is replaced, the affected keys and publishers are listed, and the operator can cancel', async () => {
  const server = startFakeServer({
    queryPublishSecretUses: () => ({
      follows: [
        { kind: 'transcode', name: '', label: '' },
        { kind: 'forward', name: 'forwarding-1', label: 'Partner' },
      ],
      others: [
        { kind: 'vlive', name: 'bilibili', label: '', reason: 'elsewhere' },
        { kind: 'publisher', name: 'live/camera', label: '', reason: 'publishing' },
      ],
    }),
    updatePublishSecret: () => null,
  });
  await renderApp('/en/routers-settings', 'en');
  await userEvent.type(await screen.findByLabelText('New secret'), 'next');
  await userEvent.click(screen.getByRole('button', { name: 'Update secret' }));
  const question = await screen.findByRole('alert');
  const items = within(question)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
  expect(items).toEqual([
    'Virtual live: Twitch: its address is not recognized as an address of this server',
    'The encoder of live/camera, which is live now',
    'Transcode',
    'Forward: Partner',
  ]);
  await userEvent.click(within(question).getByRole('button', { name: 'Abort' }));
  expect(screen.queryByText('Transcode', { selector: 'li *' })).toBeNull();
  expect(server.callsOf('updatePublishSecret')).toHaveLength(0);
  await userEvent.click(screen.getByRole('button', { name: 'Update secret' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('Publish secret updated')).toBeTruthy();
  expect(server.callsOf('updatePublishSecret')[0]!.body).toMatchObject({ secret: 'next', revision: 'r1' });
});

test('an empty secret is refused with a message and nothing is sent', async () => {
  const server = startFakeServer();
  await renderApp('/en/routers-settings', 'en');
  await userEvent.click(await screen.findByRole('button', { name: 'Update secret' }));
  expect(screen.getByText('Enter the new secret')).toBeTruthy();
  expect(server.callsOf('updatePublishSecret')).toHaveLength(0);
});

test('a generated secret has 128 random bits', async () => {
  startFakeServer();
  await renderApp('/en/routers-settings', 'en');
  await userEvent.click(await screen.findByRole('button', { name: 'Generate' }));
  expect(screen.getByLabelText<HTMLInputElement>('New secret').value).toMatch(/^[0-9a-f]{32}$/);
});

test('authentication can be switched off only with ?allow-noauth=true, after a confirmation', async () => {
  const server = startFakeServer();
  const app = await renderApp('/en/routers-settings', 'en');
  await screen.findByText('Current secret');
  expect(screen.queryByText('Publish authentication')).toBeNull();
  app.unmount();
  await renderApp('/en/routers-settings?allow-noauth=true', 'en');
  await userEvent.click(await screen.findByRole('button', { name: 'Turn authentication off' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Abort' }));
  expect(server.callsOf('disablePublishSecret')).toHaveLength(0);
  await userEvent.click(screen.getByRole('button', { name: 'Turn authentication off' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Continue' }));
  await waitFor(() =>
    expect(server.callsOf('disablePublishSecret')[0]!.body).toMatchObject({ pubNoAuth: true, revision: 'r1' }),
  );
});

test('while authentication is off, the page shows a button that turns it on, even without the query', async () => {
  const server = startFakeServer({ queryPublishSecret: () => ({ publish: 'x', pubNoAuth: true, revision: 'r1' }) });
  await renderApp('/en/routers-settings', 'en');
  await userEvent.click(await screen.findByRole('button', { name: 'Turn authentication on' }));
  await waitFor(() =>
    expect(server.callsOf('disablePublishSecret')[0]!.body).toMatchObject({ pubNoAuth: false, revision: 'r1' }),
  );
});

test('an expired session is reported and leads to the logout page', async () => {
  startFakeServer({ queryPublishSecret: () => new Refusal('tokenInvalid') });
  await renderApp('/en/routers-settings', 'en');
  expect(await screen.findByText(/^Token expired, please login again/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Log in again' }).getAttribute('href')).toBe('/en/routers-logout');
});

test('a failed save shows the error alert and keeps what was typed', async () => {
  startFakeServer({ updatePublishSecret: () => new Refusal('internal') });
  await renderApp('/en/routers-settings', 'en');
  await userEvent.type(await screen.findByLabelText('New secret'), 'abc{enter}');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('You got an error!');
  expect(alert.textContent).toContain('req-1');
  expect(screen.getByLabelText<HTMLInputElement>('New secret').value).toBe('abc');
});
