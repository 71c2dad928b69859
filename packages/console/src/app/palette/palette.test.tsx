// The command palette and the shortcuts in the whole console, operated by keyboard.
import { storageKeys } from '@srs-stack/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { demoStreamFixture, startFakeServer, testSession } from '../../testing/fake-server.ts';
import { liveStreamFixture } from '../../testing/live-stream-fixture.ts';
import { type RenderedApp, renderApp } from '../../testing/render-app.tsx';

const withLobby = () => ({
  mediaServer: true,
  streams: [liveStreamFixture({ stream: 'lobby', viewers: 3 })],
  refusals: [],
});

let app: RenderedApp;
const open = async (locale: 'zh' | 'en' = 'en') => {
  app = await renderApp(`/${locale}/routers-components`, locale);
  await screen.findByRole('heading', { level: 1 });
};
const press = (key: string, options: object = {}) => fireEvent.keyDown(document.body, { key, ...options });
const openPalette = async () => {
  press('k', { ctrlKey: true });
  return screen.findByRole('combobox');
};
const activeOption = () => {
  const id = screen.getByRole('combobox').getAttribute('aria-activedescendant');
  return document.getElementById(id ?? '')?.textContent;
};

beforeEach(() => {
  startFakeServer();
  localStorage.setItem(storageKeys.token, JSON.stringify(testSession));
});

describe('the palette', () => {
  test('opens by Ctrl+K, by ⌘K, by "/" and by its button, and Escape closes it', async () => {
    await open();
    for (const way of [
      () => press('k', { ctrlKey: true }),
      () => press('k', { metaKey: true }),
      () => press('/'),
      () => screen.getByRole('button', { name: 'Search' }).click(),
    ]) {
      way();
      await userEvent.type(await screen.findByRole('combobox'), '{Escape}');
      await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
    }
  });

  test('finds a setting by a word and opens it with Enter', async () => {
    await open();
    await userEvent.type(await openPalette(), 'https');
    expect(activeOption()).toBe('HTTPS');
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(app.url()).toBe('/en/routers-settings?tab=https'));
    expect(screen.queryByRole('combobox')).toBeNull();
  });

  test('moves with the arrows, wraps, and announces the selection', async () => {
    await open();
    await userEvent.type(await openPalette(), 'trans');
    const options = screen.getAllByRole('option').map((option) => option.textContent);
    expect(activeOption()).toBe(options[0]);
    await userEvent.keyboard('{ArrowUp}');
    expect(activeOption()).toBe(options.at(-1));
    await userEvent.keyboard('{ArrowDown}');
    expect(activeOption()).toBe(options[0]);
    expect(screen.getAllByRole('option', { selected: true })).toHaveLength(1);
  });

  test('shows that no command matches', async () => {
    await open();
    await userEvent.type(await openPalette(), 'zzzz');
    expect(screen.getByText(/No results for “zzzz”/)).toBeTruthy();
    expect(screen.getByRole('combobox').getAttribute('aria-expanded')).toBe('false');
  });

  test('lists the live streams first and opens the details of one', async () => {
    startFakeServer({ queryLive: withLobby });
    await open();
    await openPalette();
    const streams = await screen.findByRole('group', { name: 'Live streams' });
    await userEvent.click(within(streams).getByRole('option', { name: /live\/lobby/ }));
    await waitFor(() => expect(app.url()).toBe('/en/routers-streams?stream=live%2Flobby'));
  });

  test('starts the demo stream, and copies the stream key with the secret in it', async () => {
    const server = startFakeServer({ startDemoStream: () => demoStreamFixture() });
    const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    vi.stubGlobal('isSecureContext', true);
    await open();
    await userEvent.type(await openPalette(), 'stream key');
    await userEvent.click(await screen.findByRole('option', { name: /Copy RTMP stream key/ }));
    await waitFor(() => expect(written).toHaveBeenCalledWith('livestream?secret=old-secret'));
    await userEvent.type(await openPalette(), 'demo');
    await userEvent.click(await screen.findByRole('option', { name: 'Play a demo stream' }));
    await waitFor(() => expect(server.callsOf('startDemoStream')).toHaveLength(1));
    expect(app.url()).toBe('/en/routers-scenario?tab=tutorials');
  });

  test('is available in Chinese, and finds pages by their English names too', async () => {
    await open('zh');
    await userEvent.type(await openPalette(), 'record');
    expect(activeOption()).toContain('本地录制');
    await userEvent.clear(screen.getByRole('combobox'));
    await userEvent.type(screen.getByRole('combobox'), 'english');
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(app.url()).toBe('/en/routers-components'));
  });
});

describe('contents of the settings pages', () => {
  test.each([
    ['en', 'secret', 'Authentication'],
    ['en', '证书', 'HTTPS'],
    ['en', 'webhook', 'Callback'],
    ['zh', 'certificate', 'HTTPS'],
    ['zh', '推流密码', '鉴权'],
    ['zh', 'callback', '回调'],
  ] as const)('in %s "%s" finds %s', async (locale, typed, label) => {
    await open(locale);
    await userEvent.type(await openPalette(), typed);
    expect(await screen.findByRole('option', { name: new RegExp(label) })).toBeTruthy();
  });
});

describe('shortcuts', () => {
  test('"g" and a letter open a page, "?" lists all shortcuts', async () => {
    await open();
    press('?');
    const sheet = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
    expect(within(sheet).getByText('Streaming')).toBeTruthy();
    press('g');
    press('s');
    expect(app.url()).toBe('/en/routers-components');
    await userEvent.click(within(sheet).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    press('g');
    press('s');
    await waitFor(() => expect(app.url()).toBe('/en/routers-settings'));
  });

  test('typing in a field is no shortcut', async () => {
    app = await renderApp('/en/routers-settings?tab=beian', 'en');
    const field = (await screen.findAllByRole('textbox'))[0]!;
    await userEvent.type(field, '?gs/');
    expect(field).toHaveProperty('value', '?gs/');
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

test('the browser tab shows that a stream is live, and the number of viewers', async () => {
  document.head.insertAdjacentHTML('beforeend', '<link rel="icon" href="/mgmt/favicon.svg">');
  const sign = document.querySelector<HTMLLinkElement>('link[rel="icon"]')!;
  const server = startFakeServer({ queryLive: withLobby });
  await open();
  await waitFor(() => expect(document.title).toBe('● 3 – SRS Stack'));
  const unwatched = withLobby().streams.map((stream) => ({ ...stream, viewers: 0 }));
  server.respondWith({ queryLive: () => ({ ...withLobby(), streams: unwatched }) });
  app.unmount();
  await open();
  await waitFor(() => expect(document.title).toBe('● SRS Stack'));
  expect(sign.href).toMatch(/favicon-live\.svg$/);
  app.unmount();
  expect(sign.href).toMatch(/favicon\.svg$/);
  server.respondWith({ queryLive: () => ({ ...withLobby(), streams: [] }) });
  await open();
  await screen.findByText('Media server up');
  await waitFor(() => expect(document.title).toBe('SRS Stack'));
  sign.remove();
});
