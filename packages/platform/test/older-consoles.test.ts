// Compatibility with console pages of earlier and later releases: calls that carry only the page cookie, and calls of features that do not
// exist here.
import { type EndpointName, endpoints, uploadPath } from '@srs-stack/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pageCookieLifetimeMs } from '../src/access/sessions.ts';
import { openTestPlatform, type TestPlatform, testBearer } from '../src/testing/test-platform.ts';

const host = 'stack.example:2022';
const page = { host, origin: `http://${host}` };
const { vliveServerFile, vliveStreamUrl } = endpoints;
const cookiePaths = [
  uploadPath.slice(0, -1),
  vliveServerFile.path,
  '/terraform/v1/ffmpeg/vlive/streamUrl',
  '/terraform/v1/ffmpeg/vlive/stream-url',
];
const bareCalls = [
  `${uploadPath}a.mp4`,
  `${vliveServerFile.path}?file=upload/none.mp4`,
  `${vliveStreamUrl.path}?url=rtmp://h/live/s?secret=x`,
  `${vliveStreamUrl.aliases[0]}?url=rtmp://h/live/s`,
];

let platform: TestPlatform;
beforeEach(async () => {
  platform = await openTestPlatform({ MGMT_PASSWORD: 'correct' });
});
afterEach(() => platform.dispose());

const pageCookiesOf = (headers: Record<string, unknown>) =>
  [headers['set-cookie'] ?? []].flat().filter((each) => /^(?:__Secure-)?srs_page=/.test(String(each))) as string[];
const logIn = (headers: Record<string, string> = page) => platform.call('login', { password: 'correct' }, headers);
const shownCookie = (headers: Record<string, unknown>) => pageCookiesOf(headers)[0]?.split(';', 1)[0] ?? '';
const statusOf = async (url: string, headers: Record<string, string>) =>
  (await platform.callPath(url, undefined, headers)).status;
/** An authenticated upload fails because its form is missing, so every status except 401 means authenticated. */
const isAuthenticated = async (url: string, headers: Record<string, string>) => (await statusOf(url, headers)) !== 401;

describe('the cookie of pages', () => {
  it('is set at login for exactly the calls that older consoles send without credential, and hidden from scripts and other sites', async () => {
    const { headers } = await logIn({ host, 'x-forwarded-proto': 'https' });
    const cookies = pageCookiesOf(headers);
    const paths = cookies.map((each) => /Path=([^;]+)/.exec(each)?.[1]);
    expect(paths.sort()).toEqual([...cookiePaths].sort());
    for (const cookie of cookies) expect(cookie).toMatch(/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/);
    expect(pageCookiesOf((await logIn({ host })).headers).every((each) => !each.includes('Secure'))).toBe(true);
  });

  it('is valid over HTTPS only when it was set over HTTPS, and vice versa', async () => {
    const https = { host, origin: `https://${host}`, 'x-forwarded-proto': 'https' };
    const [overHttps, overHttp] = [shownCookie((await logIn(https)).headers), shownCookie((await logIn()).headers)];
    for (const url of bareCalls) {
      expect(await isAuthenticated(url, { ...https, cookie: overHttps }), url).toBe(true);
      expect(await isAuthenticated(url, { ...https, cookie: overHttp }), url).toBe(false);
      expect(await isAuthenticated(url, { ...page, cookie: overHttps }), url).toBe(false);
      // A browser has both cookies after a change from HTTP to HTTPS.
      expect(await isAuthenticated(url, { ...page, cookie: `${overHttps}; ${overHttp}` }), url).toBe(true);
    }
  });

  it('lets a page of this server send each of these calls without a credential', async () => {
    const cookie = shownCookie((await logIn()).headers);
    for (const url of bareCalls) {
      expect(await isAuthenticated(url, page), `${url} without`).toBe(false);
      expect(await isAuthenticated(url, { ...page, cookie }), url).toBe(true);
      expect(await isAuthenticated(url, { host, 'sec-fetch-site': 'same-origin', cookie }), url).toBe(true);
    }
    const found = await platform.callPath(bareCalls[2] as string, undefined, { ...page, cookie });
    expect(found.body.data.target).toBe('rtmp://h/live/s?secret=x');
  });

  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['another port of this host', { origin: 'http://stack.example:8080' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['what the browser calls cross-site', { origin: `http://${host}`, 'sec-fetch-site': 'cross-site' }],
    ['a sibling domain', { origin: `http://${host}`, 'sec-fetch-site': 'same-site' }],
    ['an address that was typed', { 'sec-fetch-site': 'none' }],
    ['no browser', {}],
  ])('is worthless from %s', async (_name, headers) => {
    const cookie = shownCookie((await logIn()).headers);
    for (const url of bareCalls)
      expect(await isAuthenticated(url, { host, cookie, ...(headers as object) }), url).toBe(false);
  });

  it('authorizes no other call, is not accepted in place of a credential, and nothing else authorizes these calls', async () => {
    const { headers, body } = await logIn();
    const cookie = shownCookie(headers);
    const value = cookie.slice('srs_page='.length);
    const bare = new Set<string>([vliveServerFile.path, vliveStreamUrl.path]);
    for (const name of Object.keys(endpoints) as EndpointName[]) {
      const { access, path, aliases } = endpoints[name];
      if (access !== 'credential' || bare.has(path)) continue;
      for (const url of [path, ...aliases]) expect(await statusOf(url, { ...page, cookie }), url).toBe(401);
    }
    expect(await statusOf('/terraform/v1/ffmpeg/vlive/uploads', { ...page, cookie })).toBe(401);
    expect(await statusOf('/api/v1/summaries', { ...page, cookie })).toBe(401);
    expect((await platform.call('status', { token: value }, page)).status).toBe(401);
    expect(await statusOf(endpoints.status.path, { ...page, authorization: `Bearer ${value}` })).toBe(401);
    const device = String([headers['set-cookie']].flat()[0]).split(';', 1)[0]?.split('=')[1];
    for (const other of [body.data.token, body.data.bearer, device, testBearer, 'x', '']) {
      for (const url of bareCalls) {
        expect(await isAuthenticated(url, { ...page, cookie: `srs_page=${other}` }), `${url} ${other}`).toBe(false);
      }
    }
  });

  it('does not override a wrong credential', async () => {
    const cookie = shownCookie((await logIn()).headers);
    for (const url of bareCalls) {
      expect(await isAuthenticated(url, { ...page, cookie, authorization: 'Bearer wrong' }), url).toBe(false);
    }
    expect((await platform.call('vliveServerFile', { token: 'wrong' }, { ...page, cookie })).status).toBe(401);
    expect(await isAuthenticated(`${uploadPath}a.mp4?token=wrong`, { ...page, cookie })).toBe(false);
  });

  it.each([
    ['a password change', 'changePassword', { current: 'correct', password: 'next' }],
    ['sign-out everywhere', 'signOutEverywhere', {}],
  ] as const)('ends with %s, and the page that did it has a new one', async (_name, call, request) => {
    const { headers, body } = await logIn();
    const cookie = shownCookie(headers);
    const made = await platform.call(call, { ...request, token: body.data.token }, page);
    for (const url of bareCalls) {
      expect(await isAuthenticated(url, { ...page, cookie }), url).toBe(false);
      expect(await isAuthenticated(url, { ...page, cookie: shownCookie(made.headers) }), url).toBe(true);
    }
  });

  it('is removed by logout, and expires when a console logs out without a call', async () => {
    const { headers, body } = await logIn();
    const cookie = shownCookie(headers);
    const left = pageCookiesOf((await platform.call('logOut', { token: body.data.token }, page)).headers);
    expect(left.map((each) => /Path=([^;]+)/.exec(each)?.[1]).sort()).toEqual([...cookiePaths].sort());
    for (const each of left) expect(each).toMatch(/^srs_page=; .*; Max-Age=0; HttpOnly; SameSite=Strict$/);
    platform.clock.nowMs += pageCookieLifetimeMs - 1_000;
    expect(await isAuthenticated(bareCalls[1] as string, { ...page, cookie })).toBe(true);
    platform.clock.nowMs += 2_000;
    expect(await isAuthenticated(bareCalls[1] as string, { ...page, cookie })).toBe(false);
  });

  it('is renewed only when a page of this server opens with a session', async () => {
    const { token } = (await logIn()).body.data;
    platform.clock.nowMs += 30 * 86_400_000;
    const opened = await platform.call('vliveSecret', { token }, page);
    expect(await isAuthenticated(bareCalls[0] as string, { ...page, cookie: shownCookie(opened.headers) })).toBe(true);
    const byScript = await platform.call('vliveSecret', { token }, { host });
    expect(pageCookiesOf(byScript.headers)).toEqual([]);
    const byStranger = await platform.call('vliveSecret', {}, page);
    expect([byStranger.status, pageCookiesOf(byStranger.headers)]).toEqual([401, []]);
  });
});

describe('calls of later releases that a page needs to open', () => {
  it.each([
    ['/terraform/v1/live/room/list', { rooms: [] }],
    ['/terraform/v1/mgmt/openai/query', { aiSecretKey: '', aiBaseURL: '', aiOrganization: '' }],
    ['/terraform/v1/ffmpeg/camera/secret', {}],
    ['/terraform/v1/ffmpeg/camera/streams', []],
    [
      '/terraform/v1/ai/transcript/query',
      {
        config: {
          ...{ all: false, secretKey: '', baseURL: '', organization: '', lang: '', forceStyle: '' },
          ...{ videoCodecParams: '', overlayEnabled: false, webvttEnabled: false },
        },
        task: { uuid: '' },
      },
    ],
    [
      '/terraform/v1/ai/ocr/query',
      {
        config: {
          ...{ all: false, aiProvider: '', aiSecretKey: '', aiOrganization: '', aiBaseURL: '', aiChatEnabled: false },
          ...{ aiChatModel: '', aiChatPrompt: '', aiChatMaxWindow: 0, aiChatMaxWords: 0 },
        },
        task: { uuid: '' },
      },
    ],
  ])('%s returns an empty result, only with a credential', async (path, data) => {
    expect((await platform.callPath(path, {})).body).toEqual({ code: 0, server: process.pid, data });
    expect((await platform.callPath(path, {}, {})).status).toBe(401);
  });
});
