// Calls for access rules, keys, links and passwords. Media servers query the rules through these calls.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultVhost } from '@srs-stack/contract';
import { parseWatchSettings } from '@srs-stack/playback/access/watch-settings.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CallbackTarget, replyWith, startCallbackTarget } from '../src/testing/callback-target.ts';
import { openTestPlatform, type TestPlatform, testCallbackSecret } from '../src/testing/test-platform.ts';

let platform: TestPlatform;
beforeEach(async () => {
  platform = await openTestPlatform();
});
afterEach(() => platform.dispose());

const file = () => join(platform.dataDir, 'config', 'watching.json');
const inFile = async () => parseWatchSettings(await readFile(file(), 'utf8'));
const setRules = (rules: object[], revision?: string) =>
  platform.call('updateWatchRules', { rules, ...(revision && { revision }) });
const query = async () => (await platform.call('queryWatching')).body.data;
const play = async (stream: string, param = '') => {
  const body = {
    action: 'on_play',
    vhost: defaultVhost,
    app: 'live',
    stream,
    param,
    ip: '203.0.113.7',
    client_id: 'c',
  };
  const { status, body: response } = await platform.call('verifyStream', body, {
    'x-callback-secret': testCallbackSecret,
  });
  return status === 200 ? response.data : response.data.name;
};

describe('rules', () => {
  it('are stored, returned in the order of precedence, and written for the gateways alone', async () => {
    expect(
      (
        await setRules([
          { pattern: '*', mode: 'open' },
          { pattern: 'live/x', mode: 'signed' },
        ])
      ).status,
    ).toBe(200);
    platform = await platform.reopen();
    expect((await query()).rules).toEqual([
      { pattern: 'live/x', mode: 'signed', hasPassword: false },
      { pattern: '*', mode: 'open', hasPassword: false },
    ]);
    expect((await inFile()).rules).toHaveLength(2);
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect(await play('x')).toBe('watchRightMissing');
    expect(await play('y')).toBeNull();
  });

  it.each([
    [[{ pattern: 'live', mode: 'signed' }], 'invalidRequest'],
    [[{ pattern: 'live/x?', mode: 'signed' }], 'invalidRequest'],
    [[{ pattern: 'live/x', mode: 'later' }], 'invalidRequest'],
    [[{ pattern: `live/${'x'.repeat(300)}`, mode: 'signed' }], 'invalidRequest'],
    [Array.from({ length: 101 }, (_, index) => ({ pattern: `live/${index}`, mode: 'open' })), 'invalidRequest'],
    [[{ pattern: 'live/x', mode: 'password' }], 'watchRuleInvalid'],
    [[{ pattern: 'live/x', mode: 'verdict' }], 'watchRuleInvalid'],
    [
      [
        { pattern: 'live/x', mode: 'open' },
        { pattern: 'live/x', mode: 'signed' },
      ],
      'watchRuleInvalid',
    ],
  ])('%j are refused: %s', async (rules, name) => {
    expect((await setRules(rules)).body.data.name).toBe(name);
    expect((await query()).rules).toEqual([]);
  });

  it('the second of two operators gets a conflict', async () => {
    const { revision } = await query();
    await setRules([{ pattern: 'live/x', mode: 'signed' }], revision);
    expect((await setRules([], revision)).body.data.name).toBe('settingsChanged');
  });
});

describe('keys', () => {
  it('are at most two, shown once, never created again under the same name', async () => {
    expect((await platform.call('createWatchLink', { pattern: 'live/x', seconds: 1 })).body.data.name).toBe(
      'watchKeyMissing',
    );
    const first = (await platform.call('createWatchKey')).body.data;
    await platform.call('createWatchKey');
    expect((await platform.call('createWatchKey')).body.data.name).toBe('watchKeysTaken');
    const { keys } = await query();
    expect(keys).toMatchObject([{ id: 'k1', last4: first.secret.slice(-4) }, { id: 'k2' }]);
    expect(JSON.stringify(keys)).not.toContain(first.secret);
    await platform.call('revokeWatchKey', { id: 'k2' });
    expect((await platform.call('createWatchKey')).body.data.id).toBe('k3');
    expect((await platform.call('revokeWatchKey', { id: 'k9' })).status).toBe(404);
  });

  it('sign links that a media server queries', async () => {
    await platform.call('createWatchKey');
    await setRules([{ pattern: '*', mode: 'signed' }]);
    const link = (await platform.call('createWatchLink', { pattern: 'live/*', seconds: 60 })).body.data;
    expect(await play('x', `?${link.query}`)).toBeNull();
    expect(await play('x', `?${link.query.slice(0, -1)}`)).toBe('watchRefused');
    platform.clock.nowMs += 61_000;
    expect(await play('x', `?${link.query}`)).toBe('watchRightMissing');
    const bad = await platform.call('createWatchLink', { pattern: 'live/*', seconds: 60, address: 'nobody' });
    expect(bad.body.data.name).toBe('invalidRequest');
  });
});

describe('a password', () => {
  const unlock = (password: string, ip = '203.0.113.7') =>
    platform.call('unlockStream', { app: 'live', stream: 'x', password }, { 'x-forwarded-for': ip });
  beforeEach(async () => {
    await setRules([{ pattern: 'live/*', mode: 'password', password: 'open sesame' }]);
  });

  it('authorizes one stream for some hours, until it changes', async () => {
    const { query: opened, expiresAt } = (await unlock('open sesame')).body.data;
    expect(expiresAt).toBe(platform.clock.nowMs / 1000 + 6 * 3_600);
    expect(await play('x', opened)).toBeNull();
    expect(await play('y', opened)).toBe('watchRefused');
    await setRules([{ pattern: 'live/*', mode: 'password' }]);
    expect(await play('x', opened)).toBeNull();
    await setRules([{ pattern: 'live/*', mode: 'password', password: 'another' }]);
    expect(await play('x', opened)).toBe('watchRefused');
    expect((await unlock('open sesame')).status).toBe(401);
    expect(await readFile(file(), 'utf8')).not.toContain('another');
  });

  it('is required of viewers', async () => {
    const access = async (stream: string, app = 'live') =>
      (await platform.call('queryWatchAccess', { app, stream }, {})).body.data.mode;
    expect([await access('x'), await access('x', 'other')]).toEqual(['password', 'open']);
    expect((await platform.call('unlockStream', { app: 'other', stream: 'x', password: 'p' })).body.data.name).toBe(
      'watchPasswordUnused',
    );
  });

  it('10,000 wrong ones are throttled, and lock no other viewer out', async () => {
    await unlock('open sesame', '198.51.100.1');
    const counts = new Map<number, number>();
    for (let guess = 0; guess < 10_000; guess++) {
      const { status } = await unlock(`guess ${guess}`, '203.0.113.9');
      counts.set(status, (counts.get(status) ?? 0) + 1);
      platform.clock.nowMs += 100;
    }
    // Guesses for 1,000 seconds: four are allowed immediately, later one per minute.
    expect(counts.get(401)).toBeLessThan(40);
    expect(counts.get(429)).toBeGreaterThan(9_900);
    expect((await unlock('open sesame', '198.51.100.1')).status).toBe(200);
    expect((await unlock('open sesame', '192.0.2.77')).status).toBe(200);
    // A client with the guesser's address waits at most one minute.
    platform.clock.nowMs += 60_000;
    expect((await unlock('open sesame', '203.0.113.9')).status).toBe(200);
  });

  it('simultaneous guesses of many clients wait in one queue, and do not delay viewers who know the password', async () => {
    await unlock('open sesame');
    const crowd = Array.from({ length: 200 }, (_, index) => unlock(`no ${index}`, `198.18.${index}.1`));
    expect((await unlock('open sesame', '192.0.2.1')).status).toBe(200);
    const statuses = new Set((await Promise.all(crowd)).map(({ status }) => status));
    expect([...statuses].every((status) => [401, 503].includes(status))).toBe(true);
  });
});

describe('the verdict of the operator’s service', () => {
  let target: CallbackTarget;
  beforeEach(async () => {
    target = await startCallbackTarget();
    await platform.call('applyHooks', { all: true, target: target.url });
    await setRules([{ pattern: 'live/x', mode: 'verdict' }]);
  });
  afterEach(() => target.close());
  const playCallbacks = () => target.received.filter(({ body }) => body.action === 'on_play').length;

  it.each([
    ['0', 60],
    ['{"code":0,"cache":30}', 30],
    ['{"code":0,"cache":0}', 5],
    ['{"code":0,"cache":1e9}', 3_600],
    ['{"code":0,"cache":-1}', 60],
    ['{"code":0,"cache":"long"}', 60],
  ])('%s is valid for %i seconds', async (response, seconds) => {
    target.reply = replyWith(200, response);
    expect(await play('x', '?guest=1')).toEqual({ watchSeconds: seconds });
    platform.clock.nowMs += (seconds - 1) * 1000;
    expect(await play('x', '?guest=1')).toEqual({ watchSeconds: 1 });
    expect(playCallbacks()).toBe(1);
    platform.clock.nowMs += 1_000;
    await play('x', '?guest=1');
    expect(playCallbacks()).toBe(2);
    await play('x', '?guest=2');
    expect(playCallbacks()).toBe(3);
  });

  it('a clock that is set back does not extend it', async () => {
    target.reply = replyWith(200, '{"code":1}');
    expect(await play('x', '?guest=1')).toBe('callbackRefused');
    target.reply = replyWith(200, '0');
    platform.clock.nowMs -= 3_600_000;
    expect(await play('x', '?guest=1')).toEqual({ watchSeconds: 60 });
    platform.clock.nowMs -= 3_600_000;
    expect(await play('x', '?guest=1')).toEqual({ watchSeconds: 60 });
    expect(playCallbacks()).toBe(3);
  });

  it('a refusal, a service that does not respond, and disabled callbacks admit no viewer', async () => {
    target.reply = replyWith(200, '{"code":1}');
    expect(await play('x')).toBe('callbackRefused');
    await platform.call('applyHooks', { all: false, target: target.url });
    expect(await play('x', '?a=1')).toBe('callbackRefused');
    await platform.call('applyHooks', { all: true, target: 'http://127.0.0.1:9/' });
    expect(await play('x', '?a=2')).toBe('callbackRefused');
    const log = (await platform.call('queryHookDeliveries', {})).body.data.deliveries;
    expect(log[0]).toMatchObject({ action: 'on_play', outcome: 'failed' });
  });
});
