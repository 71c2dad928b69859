// Adds an invented language with marked texts, then finds words without the mark. A language needs text files and a line in `languages`.
import { productName, storageKeys } from '@srs-stack/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { startFakeServer, testSession } from '../testing/fake-server.ts';
import { liveStreamFixture } from '../testing/live-stream-fixture.ts';
import { type RenderedApp, renderApp } from '../testing/render-app.tsx';
import type { Locale } from './languages.ts';

vi.mock('../shared/stream-image.tsx', () => ({ default: () => null }));
vi.mock('@srs-stack/contract/constants.ts', async (original) => {
  const constants = await original<typeof import('@srs-stack/contract/constants.ts')>();
  const languages = { ...constants.languages, qps: { name: 'Pseudo', short: 'PS', htmlLang: 'qps' } };
  return { ...constants, languages, supportedLocales: Object.keys(languages) };
});
vi.mock('./text-files.ts', async (original) => {
  const { textFiles } = await original<typeof import('./text-files.ts')>();
  const marked = (text: unknown): unknown =>
    typeof text === 'string'
      ? `⟦${text}⟧`
      : Object.fromEntries(Object.entries(text as object).map(([key, value]) => [key, marked(value)]));
  const folder = [...textFiles].flatMap(([key, load]) =>
    key.startsWith('en/') ? [[`qps/${key.slice(3)}`, async () => marked(await load())] as const] : [],
  );
  return { textFiles: new Map([...textFiles, ...folder]) };
});

const pseudo = 'qps' as Locale;
/** Names, addresses and sizes that no language translates. */
const names = new RegExp(
  `^(${productName}.*|v?[\\d.]+|live/.*|livestream|[a-z]+:\\/\\/.*|[\\d.,]+ [KMGT]?B|OBS|FFmpeg|HTTPS|PS|SRS)$`,
);

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

const open = (path: string) => renderApp(`/${pseudo}/${path}`, pseudo);

/** Words on the page without the mark of the invented language, for example hard-coded words. */
function foreignWords({ container }: RenderedApp): string[] {
  const found: string[] = [];
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent?.trim() ?? '';
    const place = node.parentElement?.closest('a, button, p, li, h1, h2, h3, dt, dd, label, output, span, div');
    if (/\p{L}{2,}/u.test(text) && !place?.textContent?.includes('⟦') && !names.test(text)) found.push(text);
  }
  return found;
}

test('the menu offers the new language by its own name; the URL contains it, and it is stored', async () => {
  startFakeServer();
  const app = await renderApp('/en/routers-contact?x=1', 'en');
  await userEvent.click(await screen.findByRole('button', { name: /^Language/ }));
  await userEvent.click(screen.getByRole('menuitemradio', { name: 'Pseudo' }));
  expect(await screen.findByRole('heading', { name: '⟦Contact⟧' })).toBeTruthy();
  expect(app.url()).toBe('/qps/routers-contact?x=1');
  expect(localStorage.getItem(storageKeys.locale)).toBe('{"lang":"qps"}');
  await waitFor(() => expect(document.documentElement.lang).toBe('qps'));
});

test.each([
  ['routers-contact', '⟦Contact⟧'],
  ['routers-settings?tab=beian', '⟦Settings⟧'],
  ['routers-scenario?tab=live', '⟦Scenarios⟧'],
])('every word of %s comes from its texts', async (path, title) => {
  startFakeServer();
  const app = await open(path);
  await screen.findByRole('heading', { name: title });
  await waitFor(() => expect(document.querySelector('[aria-busy="true"], [class*="Skeleton"]')).toBeNull());
  expect(foreignWords(app)).toEqual([]);
});

test('every word of the first page comes from its texts, without a live stream and with one', async () => {
  const server = startFakeServer();
  const app = await open('routers-scenario');
  await screen.findByText('⟦Your server is ready. Publish your first stream.⟧');
  // Excludes titles and authors of tutorials, which are not translated.
  const ownWords = () =>
    foreignWords(app).filter(
      (text) => !document.querySelector('ul a[data-media]')?.closest('ul')?.textContent?.includes(text),
    );
  expect(ownWords()).toEqual([]);
  app.unmount();
  server.respondWith({
    queryLive: () => ({
      mediaServer: true,
      streams: [liveStreamFixture({ stream: 'lobby', viewers: 1 })],
      refusals: [],
    }),
  });
  const again = await open('routers-scenario');
  await screen.findByText('⟦You are live⟧');
  expect(screen.getByText('⟦1 viewer⟧')).toBeTruthy();
  expect(again.url()).toBe('/qps/routers-scenario');
});
