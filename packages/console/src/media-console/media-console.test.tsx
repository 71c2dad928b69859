// Tests the media server console with recorded responses of SRS.
import { storageKeys } from '@srs-stack/contract';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '../api/query-client.ts';
import { startI18n } from '../i18n/i18n.ts';
import type { Locale } from '../i18n/languages.ts';
import { CurrentLocale } from '../navigation/current-locale.ts';
import { Providers } from '../shared/providers.tsx';
import { testSession } from '../testing/fake-server.ts';
import { MediaConsole } from './media-console.tsx';

const client = (id: string, type: string) => ({
  id,
  stream: 'vid-1',
  ip: `10.0.0.${id.length}`,
  type,
  publish: type.endsWith('publish'),
  url: '/live/show',
  alive: 12.5,
  send_bytes: 5_000,
  recv_bytes: 9_000,
  kbps: { recv_30s: 800, send_30s: 790 },
});

/** State of a fake SRS 7 with one stream. */
let srs: { clients: ReturnType<typeof client>[]; requests: { url: string; authorization: string | null }[] };

beforeEach(() => {
  srs = { clients: [client('pub', 'fmle-publish'), client('view', 'flv-play')], requests: [] };
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    init.signal?.throwIfAborted();
    srs.requests.push({ url, authorization: new Headers(init.headers).get('authorization') });
    return Response.json(respond(new URL(url), init.method ?? 'GET'));
  });
});

function respond(url: URL, method: string): object {
  if (method === 'DELETE') {
    srs.clients = srs.clients.filter(({ id }) => !url.pathname.endsWith(`/${id}`));
    return { code: 0 };
  }
  const common = { code: 0, server: 'vid-x', service: 's', pid: '1' };
  switch (url.pathname) {
    case '/api/v1/versions':
      return { ...common, data: { major: 7, minor: 0, revision: 18, version: '7.0.18' } };
    case '/api/v1/summaries':
      return { ...common, data: { ok: true, self: { srs_uptime: 90_061 }, system: { cpus: 4, conn_srs: 2 } } };
    case '/api/v1/vhosts/':
      return {
        ...common,
        vhosts: [
          { id: 'vid-v', name: '__defaultVhost__', streams: 1, clients: 2, hls: { enabled: true, fragment: 10 } },
        ],
      };
    case '/api/v1/clients/':
      return { ...common, clients: srs.clients };
    default:
      return { ...common, streams: [stream()] };
  }
}

function stream(): object {
  return {
    id: 'vid-1',
    name: 'show',
    app: 'live',
    url: '/live/show',
    clients: srs.clients.length,
    send_bytes: 5_000,
    recv_bytes: 9_000,
    kbps: { recv_30s: 800, send_30s: 790 },
    publish: { active: true, cid: 'pub' },
    video: { codec: 'HEVC', profile: 'Main', level: '4', width: 1920, height: 1080 },
    audio: { codec: 'AAC', sample_rate: 48_000, channel: 2, profile: 'LC' },
  };
}

async function open(path: string, locale: Locale = 'en') {
  await startI18n(locale, ['common', 'media-console', 'streams', 'stream-health']);
  return render(
    <Providers client={createQueryClient()} env="test">
      <CurrentLocale value={locale}>
        <MemoryRouter initialEntries={[path]}>
          <MediaConsole />
        </MemoryRouter>
      </CurrentLocale>
    </Providers>,
  );
}

const other = '?api=http://srs.example:1985&http=8080';

test('shows the streams of another SRS, which never gets a credential', async () => {
  localStorage.setItem(storageKeys.token, JSON.stringify(testSession));
  await open(`/streams${other}`);
  const row = await screen.findByRole('button', { name: 'live/show' });
  expect(row.closest('li')!.textContent).toMatch(/RTMP.*HEVC.*Main.*1920×1080.*800 kbps.*1 viewer.*FLV 1/);
  expect(row.closest('li')!.textContent).toContain('Not all browsers and devices play HEVC');
  expect(screen.getByText('http://srs.example:1985')).toBeTruthy();
  expect(
    srs.requests.every(({ url, authorization }) => url.startsWith('http://srs.example:1985/') && !authorization),
  ).toBe(true);
});

test('requests its own server with the credential of the login', async () => {
  localStorage.setItem(storageKeys.token, JSON.stringify(testSession));
  await open('/summaries?port=2022&http=2022');
  expect(await screen.findByText('7.0.18')).toBeTruthy();
  expect(screen.getByText('1 day, 01:01:01')).toBeTruthy();
  expect(srs.requests[0]).toMatchObject({ authorization: `Bearer ${testSession.bearer}` });
});

test('disconnects a viewer through the API of the SRS and removes it from the list', async () => {
  const user = userEvent.setup();
  await open(`/streams${other}&stream=live/show`);
  const details = await screen.findByRole('dialog', { name: 'live/show' });
  await user.click(await within(details).findByRole('button', { name: 'Disconnect 10.0.0.4' }));
  await user.click(await screen.findByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(within(details).queryByText('10.0.0.4')).toBeNull());
  expect(srs.requests.some(({ url }) => url === 'http://srs.example:1985/api/v1/clients/view')).toBe(true);
});

test('lists all clients with their stream, and the virtual hosts', async () => {
  const page = await open(`/clients${other}`, 'zh');
  expect(await screen.findAllByText('live/show')).toHaveLength(2);
  page.unmount();
  await open(`/vhosts${other}`, 'zh');
  expect(await screen.findByText('__defaultVhost__')).toBeTruthy();
  expect(screen.getByText('开启，切片 10 秒')).toBeTruthy();
});

test('redirects to the login of the console without a session', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ code: 2001, data: { message: 'no token' } }, { status: 401 }));
  await open('/streams');
  expect((await screen.findByRole('link', { name: 'Log in' })).getAttribute('href')).toBe('/mgmt/en/routers-login');
});

test.each(['/summaries', '/streams', '/clients', '/vhosts'])('%s sends no requests after a 401', async (path) => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const refuse = vi.fn(async () => Response.json({ code: 2001, data: { message: 'no token' } }, { status: 401 }));
  vi.stubGlobal('fetch', refuse);
  await open(path);
  await screen.findByRole('link', { name: 'Log in' });
  const before = refuse.mock.calls.length;
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect(refuse.mock.calls.length).toBe(before);
  vi.useRealTimers();
});

test('explains an address that cannot be used and a server that does not respond', async () => {
  const page = await open('/streams?api=ftp://x');
  expect(await screen.findByText('The SRS API address is invalid')).toBeTruthy();
  page.unmount();
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
  await open(`/streams${other}`);
  expect(await screen.findByText(/Check that http:\/\/srs\.example:1985 is an SRS HTTP API/)).toBeTruthy();
});
