import { expect, test } from 'vitest';
import { parsePushTest, pushTestFileName } from './push-tests.ts';

const file = { server: 'rtmp://a.example/live', key: 'a/b?c', sends: 'media' } as const;

test('a file is read as it was written', () => {
  expect(parsePushTest(JSON.stringify({ ...file, more: 1 }))).toEqual(file);
});

test.each(['null', '{}', '[]', '{"server":"a","key":"b"}', '{"server":"a","key":"b","sends":"all"}', '{'])(
  '%s throws',
  (text) => {
    expect(() => parsePushTest(text)).toThrow();
  },
);

test('only random UUIDs name a file', () => {
  const id = crypto.randomUUID();
  expect(pushTestFileName(id)).toBe(`${id}.json`);
  for (const other of ['', '..', `../${id}`, `${id}/..`, 'A'.repeat(36), `${id}x`])
    expect(pushTestFileName(other)).toBeUndefined();
});
