import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { endpoints } from './catalogue.ts';
import type { Endpoint } from './endpoint.ts';
import { isValidAppName, isValidStreamName } from './stream-name.ts';

const all: [string, Endpoint][] = Object.entries(endpoints);

describe('the catalogue of calls', () => {
  it('defines each path once', () => {
    const paths = all.flatMap(([, each]) => [each.path, ...each.aliases]);
    expect(new Set(paths).size).toBe(paths.length);
    for (const path of paths) expect(path).toMatch(/^\/terraform\/v1\/[a-zA-Z/-]+$/);
  });

  it.each(all)('%s accepts an object with unknown fields and has a JSON schema', (name, each) => {
    expect(each.request).toBeInstanceOf(z.ZodObject);
    expect(each.summary, name).toMatch(/\.$/);
    expect(() => z.toJSONSchema(each.request)).not.toThrow();
    expect(() => z.toJSONSchema(each.response)).not.toThrow();
  });

  it.each(all.filter(([, each]) => each.access === 'credential'))('%s accepts the token in its body', (_name, each) => {
    expect((each.request as z.ZodObject).shape).toHaveProperty('token');
  });
});

describe('stream names', () => {
  it.each(['livestream', 'a', 'A-b_c.d', '直播', 'x'.repeat(128)])('allow %s', (name) => {
    expect(isValidStreamName(name)).toBe(true);
  });
  it.each(['', '.', '..', '.a', 'a/b', 'a b', 'a\\b', 'a?b', 'a\n', 'x'.repeat(129), '<b>', 'a%2f'])(
    'refuse %j',
    (name) => {
      expect(isValidStreamName(name)).toBe(false);
    },
  );
  it('are limited in bytes too', () => {
    expect([isValidStreamName('直'.repeat(66)), isValidStreamName('直'.repeat(67))]).toEqual([true, false]);
    expect([isValidStreamName('直'.repeat(80)), isValidAppName('直'.repeat(80))]).toEqual([false, false]);
    expect([isValidStreamName('𠮷'.repeat(50)), isValidStreamName('𠮷'.repeat(51))]).toEqual([true, false]);
    expect(isValidAppName(`${'直'.repeat(60)}/${'播'.repeat(60)}`)).toBe(true);
  });
  it.each(['live/conf.m3u8', 'conf.m3u8', 'live/a-1-1700000000000.ts', 'live/a.FLV', 'a.mp4/b', 'live/a.m3u8.tmp'])(
    'refuse the app %s, whose folder would collide with a file',
    (app) => {
      expect(isValidAppName(app)).toBe(false);
    },
  );
  it('allow a dot in an app without a file extension', () => {
    expect([isValidAppName('live.v2'), isValidAppName('rts'), isValidAppName('example.com/live')]).toEqual([
      true,
      true,
      true,
    ]);
  });
  it('allow slashes in apps only', () => {
    expect(isValidAppName('live/sub')).toBe(true);
    for (const app of ['', '/', 'live/', '/live', 'live//x', 'live/../x']) expect(isValidAppName(app)).toBe(false);
  });
});
