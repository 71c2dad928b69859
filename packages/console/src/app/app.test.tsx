// Access stages, redirects and language of the console as a visitor sees them.
import { localePollIntervalMs, storageKeys } from '@srs-stack/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Refusal, startFakeServer, testSession } from '../testing/fake-server.ts';
import { renderApp } from '../testing/render-app.tsx';

const signIn = () => localStorage.setItem(storageKeys.token, JSON.stringify(testSession));
const storedLang = () => (JSON.parse(localStorage.getItem(storageKeys.locale) ?? '{}') as { lang?: string }).lang;

test('an uninitialised server shows setup under every path, with an empty navigation', async () => {
  startFakeServer({ init: () => ({ init: false, setupTokenRequired: false }) });
  await renderApp('/zh/routers-settings?tab=hls');
  expect(await screen.findByRole('heading', { name: '设置管理员密码' })).toBeTruthy();
  expect(screen.queryByRole('navigation')).toBeNull();
});

test('without a token every path shows the login, the only link', async () => {
  startFakeServer();
  await renderApp('/zh/routers-components');
  expect(await screen.findByRole('heading', { name: '登录' })).toBeTruthy();
  const links = within(screen.getByRole('navigation')).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/zh/routers-login']);
});

test('with a token the five links are there and the current one is marked', async () => {
  startFakeServer();
  signIn();
  await renderApp('/en/routers-components', 'en');
  expect(await screen.findByRole('heading', { level: 1, name: 'Components' })).toBeTruthy();
  const links = within(screen.getAllByRole('navigation')[0]!).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/en/routers-scenario',
    '/en/routers-settings',
    '/en/routers-components',
    '/en/routers-contact',
    '/en/routers-logout',
  ]);
  expect(links.filter((link) => link.getAttribute('aria-current') === 'page')).toHaveLength(1);
  expect(links[2]!.getAttribute('aria-current')).toBe('page');
});

test('the dashboard has a link of its own after the five', async () => {
  startFakeServer();
  signIn();
  await renderApp('/en/routers-dashboard', 'en');
  const further = (await screen.findAllByRole('navigation', { name: 'More pages' }))[0]!;
  const link = within(further).getByRole('link', { name: 'Dashboard' });
  expect(link.getAttribute('href')).toBe('/en/routers-dashboard');
  expect(link.getAttribute('aria-current')).toBe('page');
});

test('"/" redirects to the login of the stored language and keeps the query', async () => {
  startFakeServer();
  localStorage.setItem(storageKeys.locale, JSON.stringify({ lang: 'en' }));
  const app = await renderApp('/?from=mail', 'en');
  await screen.findByRole('heading', { name: 'Log in' });
  expect(app.url()).toBe('/en/routers-login?from=mail');
});

test('a path without a language gets the stored one and keeps the query', async () => {
  startFakeServer();
  const app = await renderApp('/routers-scenario?tab=live');
  await screen.findByRole('heading', { name: '登录' });
  expect(app.url()).toBe('/zh/routers-scenario?tab=live');
});

test('a language in the URL that differs from the stored one is shown and stored', async () => {
  startFakeServer();
  localStorage.setItem(storageKeys.locale, JSON.stringify({ lang: 'zh' }));
  await renderApp('/en/routers-login');
  expect(await screen.findByRole('heading', { name: 'Log in' })).toBeTruthy();
  expect(storedLang()).toBe('en');
  expect(document.documentElement.lang).toBe('en');
});

test('the language menu replaces the language segment and keeps the query', async () => {
  startFakeServer();
  signIn();
  const app = await renderApp('/zh/routers-settings?tab=beian');
  await userEvent.click(await screen.findByRole('button', { name: '语言: 中' }));
  await userEvent.click(screen.getByRole('menuitemradio', { name: 'English' }));
  expect(await screen.findByRole('heading', { name: 'Settings' })).toBeTruthy();
  expect(app.url()).toBe('/en/routers-settings?tab=beian');
  expect(storedLang()).toBe('en');
});

test('a language stored by another tab is followed within 300 ms', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setInterval', 'clearInterval'] });
  startFakeServer();
  const app = await renderApp('/zh/routers-login?x=1');
  await screen.findByRole('heading', { name: '登录' });
  localStorage.setItem(storageKeys.locale, JSON.stringify({ lang: 'en' }));
  await act(() => vi.advanceTimersByTimeAsync(localePollIntervalMs));
  expect(await screen.findByRole('heading', { name: 'Log in' })).toBeTruthy();
  expect(app.url()).toBe('/en/routers-login?x=1');
});

test('until the server responds, "Loading..." is shown; a failed init shows only the message', async () => {
  let refuse = (_: Refusal) => {};
  startFakeServer({ init: () => new Promise<Refusal>((resolve) => (refuse = resolve)) });
  await renderApp('/en/routers-login', 'en');
  expect(await screen.findByText('Loading...')).toBeTruthy();
  await waitFor(() => refuse(new Refusal('internal')));
  expect((await screen.findByRole('alert')).textContent).toContain('internal error');
});

test('logging out deletes the credential and opens the login page', async () => {
  startFakeServer();
  signIn();
  const app = await renderApp('/zh/routers-logout');
  expect(await screen.findByRole('heading', { name: '登录' })).toBeTruthy();
  expect(app.url()).toBe('/zh/routers-login');
  expect(localStorage.getItem(storageKeys.token)).toBeNull();
});

test('title and footer come from the filing settings; the title has a default', async () => {
  const server = startFakeServer({ queryBeian: () => ({ icp: '京ICP备1号' }) });
  const app = await renderApp('/zh/routers-login');
  expect((await screen.findByRole('link', { name: '京ICP备1号' })).getAttribute('href')).toContain('beian.miit.gov.cn');
  await waitFor(() => expect(document.title).toBe('SRS Stack'));
  expect(screen.getByText('v1.2.3')).toBeTruthy();
  app.unmount();
  server.respondWith({ queryBeian: () => ({ title: '我的直播' }) });
  await renderApp('/zh/routers-login');
  await waitFor(() => expect(document.title).toBe('我的直播'));
});
