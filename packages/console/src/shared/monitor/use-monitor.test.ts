import { expect, test } from 'vitest';
import { freshnessOf } from './use-monitor.ts';

test.each([
  ['connecting', undefined, 'connecting'],
  ['broken', undefined, 'connecting'],
  ['live', 1_000, 'live'],
  ['live', 12_400, 'stale'],
  ['broken', 3_000, 'reconnecting'],
  ['broken', 9_000, 'stale'],
  ['polling', 9_000, 'polling'],
  ['polling', 20_000, 'stale'],
] as const)('%s metrics that are %s ms old are %s', (link, ageMs, state) => {
  expect(freshnessOf(link, ageMs).state).toBe(state);
});

test('the age is in whole seconds', () => expect(freshnessOf('live', 12_400).ageSeconds).toBe(12));
