import type { ComboboxParsedItem } from '@mantine/core';
import { expect, test } from 'vitest';
import { offeredChoices } from './offered-choices.ts';

const item = (value: string) => ({ value, label: value });
const options: ComboboxParsedItem[] = [
  { group: 'A', items: [item('rtmp://a/x'), item('rtmp://a/y')] },
  { group: 'B', items: [item('rtmp://b/z')] },
  item('lobby'),
];
const offered = (search: string) =>
  offeredChoices({ options, search, limit: 100 }).flatMap((option) =>
    'group' in option ? option.items.map(({ value }) => value) : [option.value],
  );

test.each([
  ['', ['rtmp://a/x', 'rtmp://a/y', 'rtmp://b/z', 'lobby']],
  ['rtmp://b/z', ['rtmp://a/x', 'rtmp://a/y', 'rtmp://b/z', 'lobby']],
  ['RTMP://A', ['rtmp://a/x', 'rtmp://a/y']],
  ['lob', ['lobby']],
  ['srt://mine', []],
])('"%s"', (search, values) => {
  expect(offered(search)).toEqual(values);
});
