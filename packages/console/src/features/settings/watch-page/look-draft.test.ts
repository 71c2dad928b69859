import { emptyWatchPageLook } from '@srs-stack/contract/values/watch-page.ts';
import { expect, test } from 'vitest';
import { exampleOf, fromLocalTime, previewed, toLocalTime, toStored, withServer } from './look-draft.ts';

const look = (part: object) => ({ ...emptyWatchPageLook, ...part });

test('the server always has an entry, which is saved only if it is not empty', () => {
  const looks = withServer([look({ pattern: 'live/show' })]);
  expect(looks.map(({ pattern }) => pattern)).toEqual(['*', 'live/show']);
  expect(toStored(looks).map(({ pattern }) => pattern)).toEqual(['live/show']);
});

test('an entry is previewed on the page of a stream to which it applies', () => {
  expect(exampleOf('live/show', 'live/x')).toBe('live/show');
  expect(exampleOf('*', 'live/x')).toBe('live/x');
  expect(exampleOf('club/*', 'live/x')).toBe('club/1');
  expect(exampleOf('club*', 'live/x')).toBe('live/x');
});

test('an entry inherits empty fields from the server', () => {
  const looks = [look({ pattern: '*', name: 'Our TV', accent: '#c0392b' })];
  expect(previewed(looks, look({ pattern: 'live/show', name: 'Show' }))).toMatchObject({
    ...{ pattern: 'live/show', name: 'Show', accent: '#c0392b' },
  });
});

test('a time is typed in the zone of the browser and kept in UTC', () => {
  const utc = fromLocalTime('2027-01-01T20:00');
  expect(utc).toBe(new Date(2027, 0, 1, 20).toISOString());
  expect(toLocalTime(utc)).toBe('2027-01-01T20:00');
  expect([toLocalTime(''), fromLocalTime('')]).toEqual(['', '']);
});
