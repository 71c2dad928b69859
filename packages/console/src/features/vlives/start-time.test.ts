import { expect, it } from 'vitest';
import { fromFieldText, isAhead, toFieldText } from './start-time.ts';

it('a start time is converted to the field and back, in the time zone of the browser', () => {
  const startAt = new Date(2030, 0, 31, 20, 5).toISOString();
  expect(toFieldText(startAt)).toBe('2030-01-31T20:05');
  expect(fromFieldText('2030-01-31T20:05')).toBe(startAt);
});

it.each(['', 'soon'])('%j is no time', (text) => {
  expect([toFieldText(text), fromFieldText(text)]).toEqual(['', '']);
});

it('a start time is ahead until it is reached', () => {
  expect(isAhead('2030-01-31T20:00:00Z', Date.parse('2030-01-31T19:59:59Z'))).toBe(true);
  expect(isAhead('2030-01-31T20:00:00Z', Date.parse('2030-01-31T20:00:00Z'))).toBe(false);
  expect(isAhead('', 0)).toBe(false);
});
