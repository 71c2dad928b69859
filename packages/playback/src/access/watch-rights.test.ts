import { createHmac, createSecretKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { comparePatterns, matchesPattern } from '../stream-pattern.ts';
import { canonicalText, parseWatchValue, signText, watchParameterOf, writeWatchValue } from './watch-link.ts';
import { WatchRights } from './watch-rights.ts';
import { parseWatchSettings, type WatchMode, type WatchSettings } from './watch-settings.ts';

const nowMs = 1_800_000_000_000;
const now = nowMs / 1000;
const secret = 'a-secret-of-the-operator';

function rights(mode: WatchMode, change: Partial<WatchSettings> = {}): WatchRights {
  const rules = [{ pattern: 'live/x', mode, passwordVersion: '1' }];
  return new WatchRights({ rules, keys: [{ id: 'k1', secret }], serverSecret: 'of the servers', ...change });
}

/** Signs a link from the documented format alone, like a program of an operator. */
function sign(pattern: string, expires: number, options: { starts?: number; address?: string; key?: string } = {}) {
  const { starts = '', address = '', key = secret } = options;
  return createHmac('sha256', key).update(`watch\n${pattern}\n${expires}\n${starts}\n${address}`).digest('hex');
}

const judge = (all: WatchRights, param: string, { stream = 'x', ip = '203.0.113.7', atMs = nowMs } = {}) =>
  all.judge({ app: 'live', stream, ip, param }, atMs);
const reasonOf = (judgement: ReturnType<typeof judge>) =>
  judgement.kind === 'refused' ? judgement.reason : judgement.kind;

describe('patterns', () => {
  test.each([
    ['live/x', 'live/x', true],
    ['live/x', 'live/xy', false],
    ['live/*', 'live/x', true],
    ['live/*', 'live2/x', false],
    ['*', 'a/b/c', true],
    ['*/x', 'a/b/x', true],
    ['live/a*b*c', 'live/a-b-c', true],
    ['live/a*b*c', 'live/a-c', false],
    ['live/ab*ba', 'live/aba', false],
    ['', 'live/x', false],
  ])('%s for %s: %s', (pattern, name, expected) => {
    expect(matchesPattern(pattern, name)).toBe(expected);
  });

  test('sorts rules from most to least specific, in any order of saving', () => {
    const patterns = ['*', 'live/*', 'live/x', '*/x', 'live/ab*', 'live/cd*'];
    const expected = ['live/x', 'live/ab*', 'live/cd*', 'live/*', '*/x', '*'];
    expect([...patterns].sort(comparePatterns)).toEqual(expected);
    expect([...patterns].reverse().sort(comparePatterns)).toEqual(expected);
  });

  test('matches a pattern with many stars quickly', () => {
    expect(matchesPattern(`${'a*'.repeat(128)}b`, 'a'.repeat(257))).toBe(false);
  });
});

describe('signed links', () => {
  test('a link in the documented format authorizes its stream until it expires', () => {
    const value = `k1.${now + 60}.${sign('live/x', now + 60)}`;
    expect(judge(rights('signed'), `?watch=${value}`)).toEqual({ kind: 'granted', expires: now + 60, value });
    expect(judge(rights('signed'), `a=b&watch=${value}`).kind).toBe('granted');
    expect(judge(rights('signed'), `watch=${value.replaceAll('.', '%2E')}`).kind).toBe('granted');
    expect(reasonOf(judge(rights('signed'), `watch=${value}`, { atMs: nowMs + 60_000 }))).toBe('link-expired');
  });

  test('pattern, start and address are covered by the signature', () => {
    const all = rights('signed', { rules: [{ pattern: '*', mode: 'signed', passwordVersion: '' }] });
    const signature = sign('live/*', now + 60, { starts: now - 5, address: '203.0.113.7' });
    const value = `k1.${now + 60}.s${now - 5}.a.p${Buffer.from('live/*').toString('base64url')}.${signature}`;
    expect(judge(all, `watch=${value}`, { stream: 'y' }).kind).toBe('granted');
    expect(reasonOf(judge(all, `watch=${value}`, { ip: '203.0.113.8' }))).toBe('link-wrong');
    expect(judge(all, `watch=${value}`, { ip: '::ffff:203.0.113.7' }).kind).toBe('granted');
    expect(reasonOf(judge(all, `watch=${value.replace(`.s${now - 5}`, '')}`))).toBe('link-wrong');
    expect(reasonOf(judge(all, `watch=${value.replace('.a.', '.')}`))).toBe('link-wrong');
    expect(all.judge({ app: 'other', stream: 'x', ip: '203.0.113.7', param: `watch=${value}` }, nowMs)).toMatchObject({
      kind: 'refused',
      detail: 'this link does not authorize playback: the link is for other streams',
    });
  });

  test('refuses a start in the future, but tolerates a clock that is slightly ahead', () => {
    const link = (starts: number) => `watch=k1.${now + 900}.s${starts}.${sign('live/x', now + 900, { starts })}`;
    expect(judge(rights('signed'), link(now + 29)).kind).toBe('granted');
    expect(reasonOf(judge(rights('signed'), link(now + 31)))).toBe('link-wrong');
  });

  test('refuses forged, truncated, changed and external links', () => {
    const all = rights('signed');
    const expires = now + 60;
    const good = `k1.${expires}.${sign('live/x', expires)}`;
    const bad = [
      `k1.${expires + 1}.${sign('live/x', expires)}`,
      `k2.${expires}.${sign('live/x', expires)}`,
      `k1.${expires}.${sign('live/y', expires)}`,
      `k1.${expires}.${sign('live/x', expires, { key: 'another' })}`,
      ...[1, 10, 40, 64].map((cut) => good.slice(0, -cut)),
      good.toUpperCase(),
      `${good}0`,
      `${good}.`,
      'k1',
      '....',
      '%',
      '%00',
      `k1.-1.${sign('live/x', -1)}`,
      `k1.1e9.${sign('live/x', 1e9)}`,
      'x'.repeat(2_000),
    ];
    for (const value of bad) expect(reasonOf(judge(all, `watch=${value}`)), value).toBe('link-wrong');
    expect(reasonOf(judge(all, ''))).toBe('link-missing');
    expect(reasonOf(judge(all, 'watch='))).toBe('link-missing');
    expect(reasonOf(judge(all, 'Watch=x'))).toBe('link-missing');
    expect(reasonOf(judge(all, `watch=${good}&watch=${good}`))).toBe('link-wrong');
    expect(reasonOf(judge(all, `watch=${good}&x=${'y'.repeat(1_000_000)}`))).toBe('link-wrong');
  });

  test('detects every changed character', () => {
    const good = `k1.${now + 60}.${sign('live/x', now + 60)}`;
    const all = rights('signed');
    for (let at = 0; at < good.length; at++) {
      const other = good[at] === '1' ? '2' : '1';
      const changed = good.slice(0, at) + other + good.slice(at + 1);
      expect(reasonOf(judge(all, `watch=${changed}`)), changed).not.toBe('granted');
    }
  });

  test('two keys are valid simultaneously; a revoked one authorizes nothing', () => {
    const keys = [
      { id: 'k1', secret },
      { id: 'k2', secret: 'the next' },
    ];
    const second = `watch=k2.${now + 60}.${sign('live/x', now + 60, { key: 'the next' })}`;
    expect(judge(rights('signed', { keys }), second).kind).toBe('granted');
    expect(judge(rights('signed', { keys: keys.slice(0, 1) }), second)).toMatchObject({ reason: 'link-wrong' });
  });

  test('writes values that parse to the same link', () => {
    const claims = { key: 'k1', expires: 1, starts: 2, isForAddress: true, pattern: 'live/流*' };
    const link = {
      ...claims,
      signature: signText(canonicalText({ pattern: 'p', expires: 1 }), createSecretKey(Buffer.from(secret))),
    };
    expect(parseWatchValue(writeWatchValue(link))).toEqual(link);
    expect(writeWatchValue(link)).toMatch(/^[A-Za-z0-9._-]+$/);
  });
});

describe('modes', () => {
  test('a stream without a rule is open, whatever the query', () => {
    expect(judge(rights('signed'), 'watch=x', { stream: 'y' }).kind).toBe('open');
    expect(judge(rights('open'), 'watch=%&watch=').kind).toBe('open');
  });

  test('a password authorization ends with the password and authorizes no other stream', () => {
    const value = rights('password').issue('password', { app: 'live', stream: 'x' }, now + 60);
    expect(judge(rights('password'), `watch=${value}`).kind).toBe('granted');
    const changed = [{ pattern: 'live/x', mode: 'password' as const, passwordVersion: '2' }];
    expect(reasonOf(judge(rights('password', { rules: changed }), `watch=${value}`))).toBe('link-wrong');
    expect(reasonOf(judge(rights('signed'), `watch=${value}`))).toBe('link-wrong');
    expect(reasonOf(judge(rights('password'), ''))).toBe('password-missing');
  });

  test('mode verdict queries the service, except for links signed by the servers or the operator', () => {
    const all = rights('verdict');
    expect(judge(all, '').kind).toBe('ask');
    expect(judge(all, 'watch=of-the-service').kind).toBe('ask');
    const value = all.issue('verdict', { app: 'live', stream: 'x' }, now + 60);
    expect(judge(all, `watch=${value}`).kind).toBe('granted');
    expect(judge(all, `watch=${value}`, { atMs: nowMs + 61_000 }).kind).toBe('ask');
    expect(judge(all, `watch=k1.${now + 60}.${sign('live/x', now + 60)}`).kind).toBe('granted');
  });

  test('checks an internal reader only at its start', () => {
    const all = rights('signed');
    const param = `watch=${all.issue('reader', { app: 'live', stream: 'x' }, now + 60)}`;
    const request = { app: 'live', stream: 'x', ip: '127.0.0.1', param };
    expect(all.judge(request, nowMs)).toMatchObject({ kind: 'granted', expires: undefined });
    expect(all.judge(request, nowMs + 61_000).kind).toBe('refused');
    expect(all.judge(request, nowMs + 61_000, true).kind).toBe('granted');
  });

  test('a server without a secret accepts no internal signature', () => {
    const all = rights('signed', { serverSecret: '' });
    expect(() => all.issue('console', { app: 'live', stream: 'x' }, now + 60)).toThrow('no secret');
    const forged = createHmac('sha256', createHmac('sha256', '').update('console\n').digest());
    const value = `C.${now + 60}.${forged.update(canonicalText({ pattern: 'live/x', expires: now + 60 })).digest('hex')}`;
    expect(reasonOf(judge(all, `watch=${value}`))).toBe('link-wrong');
  });
});

test('an invalid file authorizes nothing', () => {
  const good = { rules: [{ pattern: '*', mode: 'signed', passwordVersion: '' }], keys: [], serverSecret: 's' };
  const usual = { viewerReports: true, isWholeVerdict: false };
  expect(parseWatchSettings(JSON.stringify(good))).toEqual({ ...good, ...usual });
  expect(parseWatchSettings(JSON.stringify({ ...good, isWholeVerdict: 'yes' }))).toMatchObject(usual);
  expect(parseWatchSettings(JSON.stringify({ ...good, isWholeVerdict: true }))).toMatchObject({ isWholeVerdict: true });
  for (const bad of [
    '',
    '[]',
    'null',
    '{}',
    JSON.stringify({ ...good, rules: [{ pattern: '*', mode: 'later', passwordVersion: '' }] }),
    JSON.stringify({ ...good, keys: [{ id: 'k1' }] }),
  ]) {
    expect(() => parseWatchSettings(bad), bad).toThrow();
  }
});

test('reading the parameter never throws', () => {
  for (const param of ['watch=%E0%A4%A', '?watch', '&&&', '?', 'watch=a=b']) watchParameterOf(param);
});
