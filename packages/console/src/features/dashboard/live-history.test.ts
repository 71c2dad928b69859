import { type MonitorEvent, type MonitorHistory, type MonitorSeries, monitorSeries } from '@srs-stack/contract';
import { expect, test } from 'vitest';
import { quietSnapshot } from '../../testing/fake-server.ts';
import { mergedEvents, withSnapshots } from './live-history.ts';

const columns = (values: number[]) =>
  Object.fromEntries(monitorSeries.map((name) => [name, values])) as Record<MonitorSeries, number[]>;
const history: MonitorHistory = {
  range: '5m',
  fromMs: 0,
  toMs: 300_000,
  stepMs: 5_000,
  timesMs: [0, 100_000, 295_000],
  mean: columns([1, 2, 3]),
  peak: columns([1, 2, 3]),
  events: [],
};
const at = (atMs: number, viewers: number) => ({
  ...quietSnapshot,
  atMs,
  viewers,
  viewersByProtocol: { flv: viewers },
});

test('pushed metrics extend the line, and old ones are dropped', () => {
  const shown = withSnapshots(history, [at(290_000, 9), at(302_000, 4), at(304_000, 5)]);
  expect(shown).toMatchObject({ fromMs: 4_000, toMs: 304_000, timesMs: [100_000, 295_000, 302_000, 304_000] });
  expect(shown.mean.viewers).toEqual([2, 3, 4, 5]);
  expect(shown.mean.viewersFlv).toEqual([2, 3, 4, 5]);
});

test('without newer metrics the history is unchanged', () => {
  expect(withSnapshots(history, [])).toMatchObject({ fromMs: 0, toMs: 300_000, mean: { viewers: [1, 2, 3] } });
});

test('while the engine is down its metrics are unknown, not zero', () => {
  const shown = withSnapshots(history, [{ ...at(302_000, 0), engine: 'away' }]);
  expect(shown.mean.viewers.at(-1)).toBeNull();
  expect(shown.mean.machineCpu.at(-1)).toBe(quietSnapshot.cpu.machine);
});

test('an event that was fetched and pushed is listed once, in order', () => {
  const event = (id: number) => ({ id }) as MonitorEvent;
  expect(mergedEvents([event(1), event(2)], [event(3), event(2)]).map(({ id }) => id)).toEqual([1, 2, 3]);
});
