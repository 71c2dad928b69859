import { expect, test } from 'vitest';
import { loggedName, loggedStreamId } from './logged-name.ts';

test.each([
  ['livestream', 'livestream'],
  ['app/sub-1_x.y~720p', 'app/sub-1_x.y~720p'],
  ['a:b', 'a:b'],
  ['s?secret=X', 's…'],
  ['s&secret=X', 's…'],
  ['s secret=X', 's…'],
  ['secret=X', 'secret…'],
  ['s#token', 's…'],
  ['x'.repeat(200), `${'x'.repeat(128)}…`],
])('%s is logged as %s', (name, logged) => {
  expect(loggedName(name)).toBe(logged);
});

test.each([
  ['#!::r=live/s,m=publish,secret=X', '#!::r=live/s,m=publish,…'],
  ['#!::h=live/s?secret=X,m=sideways', '#!::h=live/s…,m=sideways'],
  ['#!::u=admin,X,m=publish&secret=X', '#!::…,…,m=publish…'],
  ['live/s?secret=X', 'live/s…'],
  ['', ''],
])('stream id %s is logged as %s', (streamId, logged) => {
  expect(loggedStreamId(streamId)).toBe(logged);
});
