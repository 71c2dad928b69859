import { expect, it } from 'vitest';
import { isAhead, normalStartTime } from './vlive-start-time.ts';

it.each([
  ['', ''],
  ['  ', ''],
  ['2030-01-31T20:00:00Z', '2030-01-31T20:00:00.000Z'],
  ['2030-01-31T20:00:00.250+08:00', '2030-01-31T12:00:00.250Z'],
  ['2030-01-31T20:00Z', '2030-01-31T20:00:00.000Z'],
])('%j is stored as %j', (text, kept) => {
  expect(normalStartTime(text)).toBe(kept);
});

it.each([
  'tomorrow',
  '2030-01-31',
  '2030-01-31T20:00:00',
  '2030-02-30T20:00:00Z',
  '2030-01-31T25:00:00Z',
  '1893441600000',
])('%j is refused with an example', (text) => {
  expect(() => normalStartTime(text)).toThrow(/Invalid start time .* should be like/);
});

it('a start time is pending until it is reached', () => {
  const startAt = '2030-01-31T20:00:00.000Z';
  expect(isAhead(startAt, new Date('2030-01-31T19:59:59.999Z'))).toBe(true);
  expect(isAhead(startAt, new Date(startAt))).toBe(false);
  expect(isAhead('', new Date(0))).toBe(false);
});
