import { loginSuccessDelayMs, storageKeys } from '@srs-stack/contract';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Refusal, startFakeServer, testSession } from '../../testing/fake-server.ts';
import { keepNoSession } from '../../testing/full-storage.ts';
import { renderApp } from '../../testing/render-app.tsx';

const openLogin = async () => {
  const app = await renderApp('/en/routers-login', 'en');
  return { app, field: await screen.findByLabelText<HTMLInputElement>('Password') };
};
/** Waits for resolved promises without advancing the fake clock. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });

test('the password is visible at first; the checkbox masks it and returns the focus to the field', async () => {
  startFakeServer();
  const { field } = await openLogin();
  const toggle = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Show password' });
  expect(toggle.checked).toBe(true);
  expect(field.type).toBe('text');
  await userEvent.click(toggle);
  expect(field.type).toBe('password');
  expect(document.activeElement).toBe(field);
});

test('the hint names where a forgotten password is stored', async () => {
  startFakeServer();
  await openLogin();
  expect(screen.getByText(/config\/\.env/)).toBeTruthy();
});

test('after a correct password, the session is stored 600 ms after the response, and the scenarios open', async () => {
  startFakeServer();
  const { app, field } = await openLogin();
  await userEvent.type(field, 'right');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  act(() => button('Log in').click());
  while (!screen.queryByRole('button', { name: 'Welcome back' })) await act(nextTurn);
  expect(button('Welcome back').disabled).toBe(true);
  await act(() => vi.advanceTimersByTimeAsync(loginSuccessDelayMs - 1));
  expect(localStorage.getItem(storageKeys.token)).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(JSON.parse(localStorage.getItem(storageKeys.token)!)).toEqual(testSession);
  vi.useRealTimers();
  await waitFor(() => expect(app.url()).toBe('/en/routers-scenario'));
});

test('while the request runs the button is disabled and a second submit does nothing', async () => {
  let respond = (_: typeof testSession) => {};
  const server = startFakeServer({ login: () => new Promise((resolve) => (respond = resolve)) });
  const { field } = await openLogin();
  await userEvent.type(field, 'right{enter}');
  await waitFor(() => expect(button('Logging in...').disabled).toBe(true));
  await userEvent.type(field, '{enter}');
  expect(server.callsOf('login')).toHaveLength(1);
  respond(testSession);
  await waitFor(() => expect(localStorage.getItem(storageKeys.token)).not.toBeNull());
});

test('a wrong password shows the alert, and the button works again', async () => {
  startFakeServer();
  const { field } = await openLogin();
  await userEvent.type(field, 'wrong{enter}');
  expect(await screen.findByText('The password is wrong.')).toBeTruthy();
  expect(button('Log in').disabled).toBe(false);
  await userEvent.click(button('OK'));
  await waitFor(() => expect(screen.queryByText('The password is wrong.')).toBeNull());
});

test('a stored credential is verified when the screen opens and leads to the scenarios', async () => {
  const server = startFakeServer();
  localStorage.setItem(storageKeys.token, JSON.stringify(testSession));
  const app = await renderApp('/en/routers-login', 'en');
  await waitFor(() => expect(app.url()).toBe('/en/routers-scenario'));
  expect(server.callsOf('renewToken')[0]!.body).toEqual({ token: testSession.token });
});

test('an expired credential shows the session alert with a link to the logout', async () => {
  startFakeServer({ renewToken: () => new Refusal('tokenInvalid') });
  localStorage.setItem(storageKeys.token, JSON.stringify(testSession));
  await renderApp('/en/routers-login', 'en');
  expect(await screen.findByText(/^Token expired, please login again/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Log in again' }).getAttribute('href')).toBe('/en/routers-logout');
  expect(screen.getByText('2001')).toBeTruthy();
});

test('a browser without storage is reported, and the button works again', async () => {
  const server = startFakeServer();
  keepNoSession();
  await renderApp('/en/routers-login', 'en');
  await userEvent.type(await screen.findByLabelText('Password'), 'right{enter}');
  expect((await screen.findByRole('alert')).textContent).toContain('The quota has been exceeded.');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Log in' }).disabled).toBe(false);
  expect(server.callsOf('login')).toHaveLength(1);
});

describe('the pre-rendered page, shown while the code loads', () => {
  const draw = (text: string, type = 'text') => {
    const page = document.createElement('div');
    page.id = 'drawn';
    page.innerHTML = `<form><input type="${type}"><input type="checkbox"><button disabled>Loading...</button></form>`;
    page.querySelector('input')!.value = text;
    document.body.append(page);
    return page;
  };
  afterEach(() => {
    document.getElementById('drawn')?.remove();
    delete document.documentElement.dataset.drawn;
  });

  test('passes on what was typed, hidden or not, and disappears', async () => {
    startFakeServer();
    const page = draw('half a pass', 'password');
    await renderApp('/en/routers-login', 'en');
    const field = await screen.findByLabelText<HTMLInputElement>('Password');
    expect([field.value, field.type]).toEqual(['half a pass', 'password']);
    expect(screen.getByLabelText<HTMLInputElement>('Show password').checked).toBe(false);
    expect(document.activeElement).toBe(field);
    expect(page.isConnected).toBe(false);
  });

  test('Enter pressed there logs in, once', async () => {
    const server = startFakeServer();
    draw('right').dataset.submitted = 'true';
    const app = await renderApp('/en/routers-login', 'en');
    await waitFor(() => expect(app.url()).toContain('/en/routers-scenario'));
    expect(server.callsOf('login').map(({ body }) => body.password)).toEqual(['right']);
  });

  test('stays while the init state loads, and disappears with the next screen', async () => {
    let respond: (value: { init: boolean; setupTokenRequired: boolean }) => void = () => {};
    const server = startFakeServer({ init: () => new Promise((resolve) => (respond = resolve)) });
    const page = draw('');
    await renderApp('/en/routers-login', 'en');
    await waitFor(() => expect(server.callsOf('init')).toHaveLength(1));
    expect(screen.getAllByText('Loading...')).toHaveLength(1);
    expect(page.isConnected).toBe(true);
    respond({ init: false, setupTokenRequired: false });
    await screen.findByRole('button', { name: 'Set password' });
    expect(page.isConnected).toBe(false);
  });
});
