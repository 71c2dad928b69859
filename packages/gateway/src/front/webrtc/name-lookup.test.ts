import { lookup as systemLookup } from 'node:dns/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createNameLookup, type NameSources, parseHosts } from './name-lookup.ts';

/** Starts name servers for a test. Only the test advances the clock. */
function startNames(answers: Record<string, string | 'never'> = {}) {
  const queried: string[] = [];
  const clock = { nowMs: 0 };
  const sources: NameSources = {
    resolve(name) {
      queried.push(name);
      const response = answers[name];
      if (response === 'never') return new Promise(() => {});
      return response === undefined ? Promise.reject(new Error('ENOTFOUND')) : Promise.resolve(response);
    },
    readHosts: async () => '10.0.0.7 box.lan box # ours',
    ownName: () => 'server',
    now: () => clock.nowMs,
  };
  return { answers, queried, clock, lookup: createNameLookup(sources) };
}

afterEach(() => vi.useRealTimers());

describe('a name', () => {
  it('is queried once and cached, found or not', async () => {
    const { lookup, queried, clock } = startNames({ 'live.example': '203.0.113.9' });
    for (let call = 0; call < 3; call++) expect(await lookup('live.example')).toBe('203.0.113.9');
    for (let call = 0; call < 3; call++) expect(await lookup('Other.Example.')).toBeUndefined();
    expect(queried).toEqual(['live.example', 'other.example']);
    clock.nowMs = 10_000;
    await lookup('other.example');
    await lookup('live.example');
    clock.nowMs = 60_000;
    await lookup('live.example');
    expect(queried).toEqual(['live.example', 'other.example', 'other.example', 'live.example']);
  });

  it('of the hosts file, or of this machine, is not queried', async () => {
    const { lookup, queried } = startNames();
    expect(await Promise.all(['BOX', 'box.lan', 'server', 'server.local'].map(lookup))).toEqual([
      '10.0.0.7',
      '10.0.0.7',
      'own',
      'own',
    ]);
    expect(queried).toEqual([]);
  });

  it.each(['', '.', 'a b', '-x', 'x'.repeat(254), 'x'.repeat(40_000), 'a\u0000b', 'a/b', '[::1', '..'])(
    '%j is invalid',
    async (text) => {
      const { lookup, queried } = startNames();
      expect(await lookup(text)).toBeUndefined();
      expect(queried).toEqual([]);
    },
  );
});

describe('name servers that never respond', () => {
  it('delay a call by 300 ms', async () => {
    vi.useFakeTimers();
    const { lookup } = startNames({ slow: 'never' });
    const response = vi.fn();
    void lookup('slow').then(response);
    await vi.advanceTimersByTimeAsync(299);
    expect(response).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(response).toHaveBeenCalledExactlyOnceWith(undefined);
  });

  it('get at most 32 queries, each once; cached names are returned meanwhile', async () => {
    vi.useFakeTimers();
    const { lookup, queried, answers, clock } = startNames({ known: '203.0.113.9' });
    await lookup('known');
    const names = Array.from({ length: 5_000 }, (_, index) => `x${index}`);
    for (const name of names) answers[name] = 'never';
    const calls = Promise.all([...names, ...names].map(lookup));
    await vi.advanceTimersByTimeAsync(300);
    expect(new Set(await calls)).toEqual(new Set([undefined]));
    expect(queried).toHaveLength(1 + 32);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(queried).toHaveLength(1 + 32);
    clock.nowMs = 3_600_000;
    expect(await lookup('known')).toBe('203.0.113.9'); // the cached address, since no server responds
  });
});

it('names invented by callers do not evict one that is in use', async () => {
  const { lookup, queried } = startNames({ used: '203.0.113.9' });
  for (let index = 0; index < 3_000; index++) {
    await lookup(`x${index}`);
    await lookup('used');
  }
  expect(queried.filter((name) => name === 'used')).toHaveLength(1);
});

it('parses a hosts file as the system does', () => {
  const text = '# c\n\n::1 a b\n127.0.0.1\ta  B # x\n192.0.2.1 a\nbroken\n';
  expect(Object.fromEntries(parseHosts(text))).toEqual({ a: '127.0.0.1', b: '127.0.0.1' });
});

it('reads the hosts file of this machine', async () => {
  expect(await systemLookup('localhost', 4)).toMatchObject({ address: '127.0.0.1' });
  const lookup = createNameLookup();
  // Repeats, because the lookup on a busy machine may take longer than a call waits.
  await vi.waitFor(async () => expect(await lookup('localhost')).toBe('127.0.0.1'), { timeout: 10_000 });
});
