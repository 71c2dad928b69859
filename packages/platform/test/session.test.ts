// Setup, login, throttling, revocation: who gets in and who stays in.
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDecoder } from 'fast-jwt';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { firstDelayMs, freeFailures, globalBurst, maxDelayMs } from '../src/services/login-throttle.ts';
import { openTestPlatform, type TestPlatform, testBearer } from '../src/testing/test-platform.ts';

let platform: TestPlatform;
afterEach(() => platform.dispose());
const envPath = () => join(platform.dataDir, 'config', '.env');
const from = (ip: string) => ({ 'x-forwarded-for': ip });
const logIn = (password: string, ip = '198.51.100.1') => platform.call('login', { password }, from(ip));

describe('a new installation', () => {
  beforeEach(async () => {
    platform = await openTestPlatform();
  });

  it('has no password until init sets one, once', async () => {
    expect((await platform.call('init', undefined, {})).body.data).toEqual({ init: false, setupTokenRequired: false });
    expect((await logIn('x')).body).toMatchObject({ code: 4010, data: { name: 'notInitialised' } });
    const made = await platform.call('init', { password: "it's #1" }, {});
    expect(made.status).toBe(200);
    expect(made.body.data.bearer).toBe(testBearer);
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

  it('lets exactly one of many simultaneous setups win', async () => {
    const answers = await Promise.all([...'abcdef'].map((password) => platform.call('init', { password }, {})));
    expect(answers.filter((each) => each.status === 200)).toHaveLength(1);
    expect(answers.filter((each) => each.body.code === 4011)).toHaveLength(5);
  });

  it('refuses a password that the settings file cannot carry, and keeps its lines', async () => {
    await writeFile(envPath(), "# mine\nRTMP_PORT=1936\nQUOTED='a b'\n");
    for (const password of ['a\nADMIN=1', 'a\u0000b', '\'"`#']) {
      const answer = await platform.call('init', { password }, {});
      expect(answer, JSON.stringify(password)).toMatchObject({ status: 400, body: { code: 4016 } });
    }
    expect((await platform.call('init', undefined, {})).body.data.init).toBe(false);
    expect((await platform.call('init', { password: 'fine' }, {})).status).toBe(200);
    expect(await readFile(envPath(), 'utf8')).toBe("# mine\nRTMP_PORT=1936\nQUOTED='a b'\nMGMT_PASSWORD=fine\n");
  });

  it('refuses passwords beyond the length limit', async () => {
    expect((await platform.call('init', { password: 'x'.repeat(257) }, {})).status).toBe(400);
  });
});

describe('a setup token', () => {
  it('is needed when the operator asked for it, and guessing it is slowed', async () => {
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
    expect(bearer).toBe(testBearer);
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

  it('wrong and missing passwords are told apart and recorded', async () => {
    expect(await logIn('wrong')).toMatchObject({ status: 401, body: { code: 4013, data: { name: 'passwordWrong' } } });
    expect(await logIn('')).toMatchObject({ status: 400, body: { code: 4012 } });
    await logIn('correct');
    const { entries } = (await platform.call('queryAudit')).body.data;
    expect(entries.map((each: { action: string }) => each.action)).toEqual(['login', 'login-failed']);
    expect(entries[1]).toMatchObject({ ip: '198.51.100.1', detail: 'wrong password' });
    expect(JSON.stringify(entries)).not.toContain('correct');
    expect((await platform.call('queryAudit', { limit: 1 })).body.data.entries).toHaveLength(1);
  });

  it('each failure makes the address wait longer, others are not affected', async () => {
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

  it('an attack from many addresses cannot lock out an owner who logged in before, even after a restart', async () => {
    expect((await logIn('correct', '203.0.113.50')).status).toBe(200);
    platform = await platform.reopen();
    for (let i = 0; i < globalBurst; i++) await logIn('wrong', `198.51.${100 + (i >> 8)}.${i & 255}`);
    expect((await logIn('correct', '192.0.2.1')).status).toBe(429);
    expect((await logIn('correct', '203.0.113.50')).status).toBe(200);
  });

  it('a password change ends every session, and needs the current password', async () => {
    const { token } = (await logIn('correct')).body.data;
    const change = (current: string, password: string) =>
      platform.call('changePassword', { token, current, password }, {});
    expect((await change('wrong', 'next')).status).toBe(401);
    expect((await change('correct', '')).status).toBe(400);
    const changed = await change('correct', 'next one');
    expect(changed.status).toBe(200);
    expect((await platform.call('status', { token }, {})).status).toBe(401);
    expect((await platform.call('status', { token: changed.body.data.token }, {})).status).toBe(200);
    expect((await logIn('correct')).status).toBe(401);
    platform = await platform.reopen();
    expect((await logIn('next one')).status).toBe(200);
    expect((await platform.call('status', { token: changed.body.data.token }, {})).status).toBe(200);
    expect((await platform.call('status', { token }, {})).status).toBe(401);
  });

  it('sign-out everywhere ends every session but the new one', async () => {
    const { token } = (await logIn('correct')).body.data;
    const answer = await platform.call('signOutEverywhere', { token }, {});
    expect((await platform.call('status', { token }, {})).status).toBe(401);
    expect((await platform.call('status', { token: answer.body.data.token }, {})).status).toBe(200);
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
  it('is made at first boot, kept, and replaced on demand', async () => {
    platform = await openTestPlatform({ SRS_PLATFORM_SECRET: '', MGMT_PASSWORD: 'correct' });
    const { bearer, token } = (await logIn('correct')).body.data;
    expect(bearer).toMatch(/^srs-v2-[0-9a-f]{32}$/);
    platform = await platform.reopen();
    const headers = { authorization: `Bearer ${bearer}` };
    expect((await platform.call('querySecret', {}, headers)).body.data).toBe(bearer);
    const next = (await platform.call('signOutEverywhere', { rotateSecret: true }, headers)).body.data;
    expect(next.bearer).not.toBe(bearer);
    expect((await platform.call('status', {}, headers)).status).toBe(401);
    expect((await platform.call('status', { token }, {})).status).toBe(401);
    expect((await platform.call('status', { token: next.token }, {})).status).toBe(200);
  });
});
