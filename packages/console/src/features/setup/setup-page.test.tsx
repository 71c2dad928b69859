import { storageKeys } from '@srs-stack/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { Refusal, startFakeServer, testSession } from '../../testing/fake-server.ts';
import { keepNoSession } from '../../testing/full-storage.ts';
import { renderApp } from '../../testing/render-app.tsx';

const fresh = { init: false, setupTokenRequired: false };
const submit = () => screen.getByRole<HTMLButtonElement>('button', { name: /password$|server|Setting/ });

test('a random password of 16 characters is suggested and sent; then the scenarios open', async () => {
  const server = startFakeServer({ init: ({ password }) => (password ? testSession : fresh) });
  const app = await renderApp('/en/routers-setup', 'en');
  const field = await screen.findByLabelText<HTMLInputElement>('Password');
  expect(field.value).toMatch(/^[0-9a-f]{16}$/);
  expect(screen.getByText('This password is random. Copy it and keep it safe, or choose your own.')).toBeTruthy();
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Set password' }).disabled).toBe(false),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Set password' }));
  await waitFor(() => expect(app.url()).toBe('/en/routers-scenario'));
  expect(await screen.findByText('The password is set')).toBeTruthy();
  expect(server.callsOf('init').at(-1)!.body).toEqual({ password: field.value });
  expect(JSON.parse(localStorage.getItem(storageKeys.token)!)).toEqual(testSession);
});

test('without a password the page requests one, and sends nothing', async () => {
  const server = startFakeServer({ init: ({ password }) => (password ? testSession : fresh) });
  await renderApp('/en/routers-setup', 'en');
  const field = await screen.findByLabelText<HTMLInputElement>('Password');
  await waitFor(() => expect(submit().disabled).toBe(false));
  await userEvent.clear(field);
  const callsBefore = server.callsOf('init').length;
  await userEvent.click(submit());
  expect(await screen.findByText('Enter a password')).toBeTruthy();
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(server.callsOf('init')).toHaveLength(callsBefore);
  await userEvent.type(field, 'mine');
  expect(field.getAttribute('aria-invalid')).not.toBe('true');
});

test('the button waits until the server is not upgrading', async () => {
  const server = startFakeServer({ init: () => fresh, check: () => ({ upgrading: true }) });
  await renderApp('/en/routers-setup', 'en');
  await screen.findByLabelText('Password');
  expect(submit().disabled).toBe(true);
  server.respondWith({ check: () => ({ upgrading: false }) });
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Set password' }).disabled).toBe(false),
  );
});

test('while the request runs the label changes and further submits are ignored; a failure lets it work again', async () => {
  let respond = (_: Refusal) => {};
  const server = startFakeServer({
    init: ({ password }) => (password ? new Promise<Refusal>((resolve) => (respond = resolve)) : fresh),
  });
  await renderApp('/en/routers-setup', 'en');
  const field = await screen.findByLabelText<HTMLInputElement>('Password');
  await waitFor(() => expect(submit().disabled).toBe(false));
  await userEvent.type(field, '{enter}');
  await screen.findByRole('button', { name: 'Setting the password...' });
  await userEvent.type(field, '{enter}');
  expect(server.callsOf('init').filter((call) => call.body.password)).toHaveLength(1);
  respond(new Refusal('alreadyInitialised'));
  expect(await screen.findByText('The admin password is already set.')).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Set password' }).disabled).toBe(false);
});

test('a browser without storage is reported; the password is set, and the login page follows', async () => {
  startFakeServer({ init: ({ password }) => (password ? testSession : fresh) });
  keepNoSession();
  await renderApp('/en/routers-setup', 'en');
  await screen.findByLabelText('Password');
  await waitFor(() => expect(submit().disabled).toBe(false));
  await userEvent.click(submit());
  expect((await screen.findByRole('alert')).textContent).toContain('The quota has been exceeded.');
  expect(await screen.findByRole('button', { name: 'Log in' })).toBeTruthy();
});

test('a server with a setup token requires it', async () => {
  const server = startFakeServer({
    init: ({ password }) => (password ? testSession : { init: false, setupTokenRequired: true }),
  });
  await renderApp('/en/routers-setup', 'en');
  await userEvent.type(await screen.findByLabelText('Setup token'), 'open sesame');
  await waitFor(() => expect(submit().disabled).toBe(false));
  await userEvent.click(submit());
  await waitFor(() => expect(server.callsOf('init').at(-1)!.body.setupToken).toBe('open sesame'));
});
