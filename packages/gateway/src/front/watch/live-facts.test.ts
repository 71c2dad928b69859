import type { WatchFacts } from '@srs-stack/engine';
import { expect, test } from 'vitest';
import { LiveFacts } from './live-facts.ts';

const stream = { app: 'live', stream: 'show' };
const outputs = { whep: true, flv: true, lowLatencyHls: false, hls: true };
const away: WatchFacts = { isHere: false, viewers: 0, outputs };
const copied: WatchFacts = { isHere: true, viewers: 3, outputs };
const published: WatchFacts = { ...copied, publishedForMs: 60_000 };
const now = Date.parse('2026-01-01T12:00:00Z');

test('counts the viewers of all gateways; the start time is that of the gateway with the publisher', async () => {
  const queries = { times: 0 };
  const others = {
    publishedSince: () => now - 60_000,
    watchFactsOfOthers: async () => {
      queries.times++;
      return [{ ...published, viewers: 4, outputs: { ...outputs, whep: false } }];
    },
  };
  const facts = new LiveFacts({ engine: { watchFacts: () => copied }, others, off: () => new Set(), now: () => now });
  const expected = { live: true, since: '2026-01-01T11:59:00.000Z', viewers: 7, ways: ['flv', 'hls'] };
  expect(await Promise.all([facts.of(stream), facts.of(stream)])).toEqual([expected, expected]);
  expect(queries.times).toBe(1);
});

test('the rewind window is that of the gateway that has it', async () => {
  const others = { publishedSince: () => now, watchFactsOfOthers: async () => [{ ...published, rewindMs: 31_900 }] };
  const facts = new LiveFacts({ engine: { watchFacts: () => copied }, others, off: () => new Set(), now: () => now });
  expect(await facts.of(stream)).toMatchObject({ rewindSeconds: 31 });
});

test('a response is at most a second old', async () => {
  const clock = { ms: now };
  const seen = { viewers: 1 };
  const engine = { watchFacts: () => ({ ...published, ...seen }) };
  const facts = new LiveFacts({ engine, others: undefined, off: () => new Set(), now: () => clock.ms });
  expect(await facts.of(stream)).toMatchObject({ viewers: 1 });
  seen.viewers = 2;
  expect(await facts.of(stream)).toMatchObject({ viewers: 1 });
  clock.ms += 1_000;
  expect(await facts.of(stream)).toMatchObject({ viewers: 2 });
  // The clock was set back, so cached responses must not be used.
  clock.ms -= 3_600_000;
  seen.viewers = 3;
  expect(await facts.of(stream)).toMatchObject({ viewers: 3 });
});

test('does not list a switched-off protocol, and queries nothing for streams that are not live', async () => {
  const others = {
    publishedSince: () => undefined,
    watchFactsOfOthers: () => Promise.reject(new Error('other gateways must not be queried')),
  };
  const facts = new LiveFacts({ engine: { watchFacts: () => away }, others, off: () => new Set(['hls']) });
  expect(await facts.of(stream)).toEqual({ live: false, since: null, viewers: 0, ways: ['webrtc', 'flv'] });
});

test('a stream on demand is neither live nor down while nobody watches', async () => {
  const engine = { watchFacts: (): WatchFacts => ({ ...away, isOnDemand: true }) };
  const facts = new LiveFacts({ engine, others: undefined, off: () => new Set() });
  expect(await facts.of(stream)).toMatchObject({ live: null, viewers: 0 });
});

test('does not query an external media server', async () => {
  const facts = new LiveFacts({ engine: undefined, others: undefined, off: () => new Set() });
  expect(await facts.of(stream)).toEqual({ live: null, since: null, viewers: null, ways: ['webrtc', 'flv', 'hls'] });
});
