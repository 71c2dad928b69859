// Setup, login, throttling, revocation of sessions.
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { uploadPath } from '@srs-stack/contract';
import { createDecoder } from 'fast-jwt';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entryBurst } from '../src/access/failed-logins.ts';
import { firstDelayMs, freeFailures, maxDelayMs } from '../src/access/login-throttle.ts';
import { openTestPlatform, type TestPlatform, testBearer } from '../src/testing/test-platform.ts';

let platform: TestPlatform;
afterEach(() => platform.dispose());
const envPath = () => join(platform.dataDir, 'config', '.env');
const from = (ip: string) => ({ 'x-forwarded-for': ip });
const logIn = (password: string, ip = '198.51.100.1') => platform.call('login', { password }, from(ip));
const withBearer = (bearer: string) => ({ authorization: `Bearer ${bearer}` });
const statusWith = async (bearer: string) => (await platform.call('status', {}, withBearer(bearer))).status;

describe('a new installation', () => {
  beforeEach(async () => {
    platform = await openTestPlatform();
  });

  it('has no password until init sets one, once', async () => {
    expect((await platform.call('init', undefined, {})).body.data).toEqual({ init: false, setupTokenRequired: false });
    expect((await logIn('x')).body).toMatchObject({ code: 4010, data: { name: 'notInitialised' } });
    const made = await platform.call('init', { password: "it's #1" }, {});
    expect(made.status).toBe(200);
    expect(await statusWith(made.body.data.bearer)).toBe(200);
    expect((await platform.call('init', { password: '' }, {})).body.data).toEqual({
      init: true,
      setupTokenRequired: false,
    });
    expect(await platform.call('init', { password: 'other' }, {})).toMatchObject({ status: 409, body: { code: 4011 } });
    expect(await readFile(envPath(), 'utf8')).toBe('MGMT_PASSWORD="it\'s #1"\n');
    expect((await stat(envPath())).mode & 0o777).toBe(0o600);
    expect((await logIn("it's #1")).status).toBe(200);
    platform = await platform.reopen();
    expect((await logIn("it's #1")).status).toBe(200);
  });

  it('accepts exactly one of many simultaneous setups', async () => {
    const responses = await Promise.all([...'abcdef'].map((password) => platform.call('init', { password }, {})));
    expect(responses.filter((each) => each.status === 200)).toHaveLength(1);
    expect(responses.filter((each) => each.body.code === 4011)).toHaveLength(5);
  });

  it('refuses a password that the settings file cannot store, and keeps its lines', async () => {
    await writeFile(envPath(), "# mine\nRTMP_PORT=1936\nQUOTED='a b'\n");
    for (const password of ['a\nADMIN=1', 'a\u0000b', '\'"`#']) {
      const response = await platform.call('init', { password }, {});
      expect(response, JSON.stringify(password)).toMatchObject({ status: 400, body: { code: 4016 } });
    }
    expect((await platform.call('init', undefined, {})).body.data.init).toBe(false);
    expect((await platform.call('init', { password: 'fine' }, {})).status).toBe(200);
    expect(await readFile(envPath(), 'utf8')).toBe("# mine\nRTMP_PORT=1936\nQUOTED='a b'\nMGMT_PASSWORD=fine\n");
  });

  it('refuses passwords beyond the length limit', async () => {
    expect((await platform.call('init', { password: 'x'.repeat(257) }, {})).status).toBe(400);
  });
});

describe('a page of another site', () => {
  const page = { origin: 'https://evil.example', host: 'stack.example:2022' };
  const json = { 'content-type': 'application/json' };
  const text = { 'content-type': 'text/plain' };
  const setUp = (headers: Record<string, string>) => platform.call('init', { password: 'correct' }, headers);
  beforeEach(async () => {
    platform = await openTestPlatform();
  });

  it.each([
    ['plain text', { ...page, ...text }],
    ['a form', { ...page, 'content-type': 'application/x-www-form-urlencoded' }],
    ['JSON', { ...page, ...json }],
    ['a hidden origin', { ...page, ...text, origin: 'null' }],
    ['a browser that reports it', { ...page, ...text, 'sec-fetch-site': 'cross-site' }],
    ['another port', { ...page, ...text, origin: 'http://stack.example:8080' }],
  ])('cannot set the first password with %s', async (_name, headers) => {
    const response = await setUp(headers);
    expect(response).toMatchObject({ status: 403, body: { code: 4018, data: { name: 'foreignPageRefused' } } });
    expect((await platform.call('init', undefined, page)).body.data.init).toBe(false);
  });

  it.each([
    ['no page at all, as a script', text],
    ['the page of the server', { ...page, ...json, origin: 'http://stack.example:2022' }],
    ['the page of the server as older consoles do', { ...page, ...text, origin: 'http://stack.example:2022' }],
    ['behind a proxy that ends TLS', { ...json, origin: 'https://stack.example', host: 'stack.example' }],
    ['with the port that a proxy names', { ...json, origin: 'https://stack.example', host: 'stack.example:443' }],
    ['as the browser reports', { ...json, ...page, 'sec-fetch-site': 'same-origin' }],
    ['through two proxies', { ...json, origin: 'https://a.example', host: 'b', 'x-forwarded-host': 'a.example, b' }],
    ['through the gateway', { ...json, origin: 'https://a.example', host: 'b', 'x-forwarded-host': 'a.example' }],
  ])('is none of these: %s', async (_name, headers) => {
    expect((await setUp(headers as Record<string, string>)).status).toBe(200);
  });

  it('must pass a preflight request, by JSON, to log in', async () => {
    await setUp(json);
    const call = (headers: object) => platform.call('login', { password: 'correct' }, { ...page, ...headers });
    expect(await call(text)).toMatchObject({ status: 403, body: { code: 4018 } });
    expect((await call({})).status).toBe(403);
    expect((await call(json)).status).toBe(200);
    expect((await call({ 'content-type': 'Application/JSON; charset=utf-8' })).status).toBe(200);
    expect((await platform.call('login', { password: 'correct' }, text)).status).toBe(200);
  });
});

describe('a setup token', () => {
  it('is required when configured, and guessing it is throttled', async () => {
    platform = await openTestPlatform({ SETUP_TOKEN: 'one-time' });
    const setUp = (setupToken?: string) =>
      platform.call(
        'init',
        { password: 'p', ...(setupToken === undefined ? {} : { setupToken }) },
        from('198.51.100.7'),
      );
    expect((await platform.call('init', {}, {})).body.data).toEqual({ init: false, setupTokenRequired: true });
    expect(await setUp()).toMatchObject({ status: 403, body: { code: 4015 } });
    for (let i = 0; i < freeFailures; i++) await setUp('guess');
    expect(await setUp('one-time')).toMatchObject({ status: 429, body: { code: 4014 } });
    platform.clock.nowMs += maxDelayMs;
    expect((await setUp('one-time')).status).toBe(200);
    expect((await platform.call('init', {}, {})).body.data).toEqual({ init: true, setupTokenRequired: false });
  });
});

describe('with a password', () => {
  beforeEach(async () => {
    platform = await openTestPlatform({ MGMT_PASSWORD: 'correct' });
  });

  it('login returns a token of 365 days with the specified claims', async () => {
    const { body } = await logIn('correct');
    const { token, createAt, expireAt, bearer } = body.data;
    expect(bearer).not.toBe(testBearer);
    expect(createAt).toBe('2026-01-02T03:04:05.000Z');
    expect(Date.parse(expireAt) - Date.parse(createAt)).toBe(365 * 86_400_000);
    const seconds = platform.clock.nowMs / 1000;
    expect(createDecoder()(token)).toMatchObject({ v: '1.0', iat: seconds, exp: seconds + 365 * 86_400, epoch: 1 });
    expect(createDecoder()(token).nonce).toMatch(/^[0-9a-f]+$/);
    const renewed = await platform.call('renewToken', { token }, {});
    expect(renewed.status).toBe(200);
    expect(renewed.body.data.token).not.toBe(token);
    expect((await platform.call('querySecret', { token }, {})).body.data).toBe(testBearer);
  });

  it('wrong and missing passwords are distinguished and recorded', async () => {
    expect(await logIn('wrong')).toMatchObject({ status: 401, body: { code: 4013, data: { name: 'passwordWrong' } } });
    expect(await logIn('')).toMatchObject({ status: 400, body: { code: 4012 } });
    await logIn('correct');
    const { entries } = (await platform.call('queryAudit')).body.data;
    expect(entries.map((each: { action: string }) => each.action)).toEqual(['login', 'login-failed']);
    expect(entries[1]).toMatchObject({ ip: '198.51.100.1', detail: 'wrong password' });
    expect(JSON.stringify(entries)).not.toContain('correct');
    expect((await platform.call('queryAudit', { limit: 1 })).body.data.entries).toHaveLength(1);
  });

  it('each failure makes the address wait longer, and others are not affected', async () => {
    for (let i = 0; i <= freeFailures; i++) expect((await logIn('wrong')).status).toBe(401);
    const refused = await logIn('correct');
    expect(refused).toMatchObject({ status: 429, body: { data: { name: 'loginThrottled', retryAfterSeconds: 1 } } });
    expect(refused.headers['retry-after']).toBe('1');
    expect((await logIn('correct', '198.51.100.2')).status).toBe(200);
    platform.clock.nowMs += firstDelayMs;
    expect((await logIn('wrong')).status).toBe(401);
    platform.clock.nowMs += firstDelayMs;
    expect((await logIn('correct')).status).toBe(429);
    platform.clock.nowMs += firstDelayMs;
    expect((await logIn('correct')).status).toBe(200);
  });

  it('an attack from many addresses does not lock out the operator: known, unknown, behind the same router, or after a restart', async () => {
    const first = await logIn('correct', '203.0.113.50');
    const cookie = String(first.headers['set-cookie']).split(';', 1)[0] ?? '';
    platform = await platform.reopen();
    const attackers = Array.from({ length: 120 }, (_, index) => `198.18.${index}.7`);
    for (const address of attackers) await logIn('wrong', address);
    for (let i = 0; i < 20; i++) await logIn('wrong', '192.0.2.9');
    expect((await logIn('correct', '192.0.2.1')).status).toBe(200);
    expect((await logIn('correct', '203.0.113.50')).status).toBe(200);
    expect((await logIn('correct', '192.0.2.9')).status).toBe(429);
    const forged = { ...from('192.0.2.9'), cookie: `${cookie.slice(0, -4)}AAAA` };
    expect((await platform.call('login', { password: 'correct' }, forged)).status).toBe(429);
    const device = { ...from('192.0.2.9'), cookie: `other=1; ${cookie}` };
    expect((await platform.call('login', { password: 'correct' }, device)).status).toBe(200);
  });

  it('the cookie of a known browser authorizes nothing, is hidden from scripts and other sites, and ends with the sessions', async () => {
    const secure = { 'x-forwarded-proto': 'https', host: 'stack.example' };
    const { headers } = await platform.call('login', { password: 'correct' }, secure);
    const cookie = String([headers['set-cookie']].flat()[0]);
    expect(cookie).toMatch(
      /^srs_device=\S+; Path=\/terraform\/v1\/mgmt; Max-Age=31536000; HttpOnly; SameSite=Strict; Secure$/,
    );
    const value = cookie.slice('srs_device='.length).split(';', 1)[0] as string;
    expect((await platform.call('status', {}, { cookie })).status).toBe(401);
    expect((await platform.call('status', { token: value }, {})).status).toBe(401);
    expect(await statusWith(value)).toBe(401);
    for (let i = 0; i < 20; i++) await logIn('wrong', '192.0.2.9');
    await platform.call('signOutEverywhere', {});
    const device = { ...from('192.0.2.9'), cookie: `srs_device=${value}` };
    expect((await platform.call('login', { password: 'correct' }, device)).status).toBe(429);
  });

  it('a flood is recorded in part, with the number of suppressed entries', async () => {
    for (let index = 0; index < entryBurst + 30; index++) await logIn('wrong', `198.18.${index}.7`);
    await logIn('correct');
    const { entries } = (await platform.call('queryAudit')).body.data;
    const details: string[] = entries.map((each: { detail: string }) => each.detail);
    expect(details).toHaveLength(entryBurst + 2);
    expect(details[1]).toBe('wrong password; 29 earlier failed logins are not listed');
  });

  it('a password change ends every session, and needs the current password', async () => {
    const { token, bearer } = (await logIn('correct')).body.data;
    const change = (current: string, password: string) =>
      platform.call('changePassword', { token, current, password }, {});
    expect(await statusWith(bearer)).toBe(200);
    expect((await change('wrong', 'next')).status).toBe(401);
    expect((await change('correct', '')).status).toBe(400);
    const changed = await change('correct', 'next one');
    expect(changed.status).toBe(200);
    expect((await platform.call('status', { token }, {})).status).toBe(401);
    expect(await statusWith(bearer)).toBe(401);
    expect((await platform.call('status', { token: changed.body.data.token }, {})).status).toBe(200);
    expect(await statusWith(changed.body.data.bearer)).toBe(200);
    expect((await logIn('correct')).status).toBe(401);
    platform = await platform.reopen();
    expect((await logIn('next one')).status).toBe(200);
    expect((await platform.call('status', { token: changed.body.data.token }, {})).status).toBe(200);
    expect((await platform.call('status', { token }, {})).status).toBe(401);
  });

  it('its bearer is accepted wherever the API secret is, until the session ends', async () => {
    const { bearer } = (await logIn('correct')).body.data;
    const statuses = () =>
      Promise.all(
        ['/terraform/v1/mgmt/status', '/api/v1/summaries', '/metrics'].map(
          async (url) => (await platform.app.inject({ method: 'GET', url, headers: withBearer(bearer) })).statusCode,
        ),
      );
    expect(await statuses()).toEqual([200, 200, 200]);
    const post = { method: 'POST', url: `${uploadPath}a.mp4`, headers: withBearer(bearer) } as const;
    expect((await platform.app.inject(post)).statusCode).not.toBe(401);
    await platform.call('signOutEverywhere', {});
    expect(await statuses()).toEqual([401, 401, 401]);
    expect((await platform.app.inject(post)).statusCode).toBe(401);
  });

  it('a bearer ends after 365 days as its session does', async () => {
    const { bearer, token } = (await logIn('correct')).body.data;
    platform.clock.nowMs += 365 * 86_400_000 - 1_000;
    expect(await statusWith(bearer)).toBe(200);
    platform.clock.nowMs += 1_000;
    expect([await statusWith(bearer), (await platform.call('status', { token }, {})).status]).toEqual([401, 401]);
  });

  it('sign-out everywhere ends every session but the new one', async () => {
    const { token, bearer } = (await logIn('correct')).body.data;
    const response = await platform.call('signOutEverywhere', {}, withBearer(bearer));
    expect((await platform.call('status', { token }, {})).status).toBe(401);
    expect(await statusWith(bearer)).toBe(401);
    expect(await statusWith(response.body.data.bearer)).toBe(200);
    expect((await platform.call('status', { token: response.body.data.token }, {})).status).toBe(200);
    expect(await platform.call('signOutEverywhere', { rotateSecret: true })).toMatchObject({
      status: 409,
      body: { code: 4017 },
    });
  });

  it('a password changed in the settings file while stopped ends every session', async () => {
    const { token } = (await logIn('correct')).body.data;
    platform = await platform.reopen();
    expect((await platform.call('status', { token }, {})).status).toBe(200);
    await platform.close();
    await writeFile(envPath(), 'MGMT_PASSWORD=recovered\n');
    platform = await platform.reopen();
    expect((await platform.call('status', { token }, {})).status).toBe(401);
    expect((await logIn('recovered')).status).toBe(200);
  });
});

describe('the API secret', () => {
  const open = () => openTestPlatform({ SRS_PLATFORM_SECRET: '', MGMT_PASSWORD: 'correct' });
  const secretOf = async (bearer: string): Promise<string> =>
    (await platform.call('querySecret', {}, withBearer(bearer))).body.data;

  it('is created at first boot, kept, and replaced on request', async () => {
    platform = await open();
    const { bearer, token } = (await logIn('correct')).body.data;
    const secret = await secretOf(bearer);
    expect(secret).toMatch(/^srs-v2-[0-9a-f]{32}$/);
    platform = await platform.reopen();
    expect(await secretOf(secret)).toBe(secret);
    expect(await statusWith(bearer)).toBe(200);
    const next = (await platform.call('signOutEverywhere', { rotateSecret: true }, withBearer(secret))).body.data;
    expect(await secretOf(next.bearer)).not.toBe(secret);
    expect(await statusWith(secret)).toBe(401);
    expect((await platform.call('status', { token }, {})).status).toBe(401);
    expect((await platform.call('status', { token: next.token }, {})).status).toBe(200);
  });

  it('is replaced with the password on request, and otherwise stays', async () => {
    platform = await open();
    const { bearer } = (await logIn('correct')).body.data;
    const secret = await secretOf(bearer);
    const change = { current: 'correct', password: 'next one' };
    const changed = await platform.call('changePassword', change, withBearer(bearer));
    expect([await statusWith(bearer), await statusWith(secret)]).toEqual([401, 200]);
    const again = { current: 'next one', password: 'the third', rotateSecret: true };
    const { body } = await platform.call('changePassword', again, withBearer(changed.body.data.bearer));
    expect([await statusWith(secret), await statusWith(body.data.bearer)]).toEqual([401, 200]);
    const { entries } = (await platform.call('queryAudit', {}, withBearer(body.data.bearer))).body.data;
    expect(entries.map((each: { action: string }) => each.action)).toContain('api-secret-changed');
  });

  it('set by the environment refuses the change before anything is changed', async () => {
    platform = await openTestPlatform({ MGMT_PASSWORD: 'correct' });
    const change = { current: 'correct', password: 'next one', rotateSecret: true };
    expect(await platform.call('changePassword', change)).toMatchObject({ status: 409, body: { code: 4017 } });
    expect((await logIn('correct')).status).toBe(200);
  });
});
