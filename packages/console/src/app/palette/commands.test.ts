import { expect, test } from 'vitest';
import { type Command, matchingCommands } from './commands.ts';

const command = (id: string, group: Command['group'], label: string, keywords = ''): Command => ({
  id,
  group,
  label,
  keywords,
  icon: null,
  run: () => {},
});
const all = [
  command('https', 'settings', 'HTTPS', 'certificate tls'),
  command('forward', 'pages', 'Forward'),
  command('dark', 'actions', 'Dark appearance'),
  command('lobby', 'streams', 'live/lobby'),
  command('record', 'pages', '本地录制', 'record'),
];
const found = (typed: string) => matchingCommands(all, typed).map(({ id }) => id);

test('an empty query offers everything, group by group', () => {
  expect(found('')).toEqual(['lobby', 'forward', 'record', 'https', 'dark']);
});

test('every word must match the label, the keywords or the English id, in any case', () => {
  expect(found('TLS')).toEqual(['https']);
  expect(found('dark app')).toEqual(['dark']);
  expect(found('录制')).toEqual(['record']);
  expect(found('record')).toEqual(['record']);
  expect(found('dark lobby')).toEqual([]);
});

test('a label that starts with the text precedes one that contains it', () => {
  const both = [command('a', 'pages', 'Step forward'), command('b', 'pages', 'Forward')];
  expect(matchingCommands(both, 'forward').map(({ id }) => id)).toEqual(['b', 'a']);
});
