import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { endpoints } from './catalogue.ts';
import type { Endpoint } from './endpoint.ts';
import { isValidAppName, isValidStreamName } from './stream-name.ts';

const all: [string, Endpoint][] = Object.entries(endpoints);

describe('the catalogue of calls', () => {
  it('has one owner per path', () => {
    const paths = all.flatMap(([, each]) => [each.path, ...each.aliases]);
    expect(new Set(paths).size).toBe(paths.length);
    for (const path of paths) expect(path).toMatch(/^\/terraform\/v1\/[a-zA-Z/-]+$/);
  });

  it.each(all)('%s takes an object, unknown fields included, and can be described', (name, each) => {
    expect(each.request).toBeInstanceOf(z.ZodObject);
    expect(each.summary, name).toMatch(/\.$/);
    expect(() => z.toJSONSchema(each.request)).not.toThrow();
    expect(() => z.toJSONSchema(each.response)).not.toThrow();
  });

  it.each(all.filter(([, each]) => each.access === 'credential'))('%s carries the token in its body', (_name, each) => {
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
  it('allow parts in apps only', () => {
    expect(isValidAppName('live/sub')).toBe(true);
    for (const app of ['', '/', 'live/', '/live', 'live//x', 'live/../x']) expect(isValidAppName(app)).toBe(false);
  });
});
