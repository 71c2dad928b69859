import { expect, test } from 'vitest';
import { spanOf } from './formats.ts';

test.each([
  [59, { unit: 'minutes', first: 0, second: 0 }],
  [3_700, { unit: 'hours', first: 1, second: 1 }],
  [273_600, { unit: 'days', first: 3, second: 4 }],
])('%d seconds are %j', (seconds, span) => expect(spanOf(seconds)).toEqual(span));
