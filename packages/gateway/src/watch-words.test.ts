import type { SessionInfo, Verdict } from '@srs-stack/engine';
import { beforeEach, expect, test } from 'vitest';
import { type AskingViewer, WatchWords } from './watch-words.ts';

let nowMs: number;
let asked: SessionInfo[];
let word: { verdict: Verdict; seconds: number };
/** Until then the service says nothing. */
let service: Promise<void>;
let words: WatchWords;

beforeEach(() => {
  nowMs = 1_800_000_000_000;
  asked = [];
  word = { verdict: { allowed: true }, seconds: 60 };
  service = Promise.resolve();
  const ask = async (session: SessionInfo) => {
    asked.push(session);
    const said = word;
    await service;
    return said;
  };
  words = new WatchWords({ ask, now: () => nowMs });
});

const no = { allowed: false, reason: 'callback-refused', detail: '' } as const;
const viewer = (param = '', stream = 'x'): AskingViewer => ({
  ...{ vhost: '__defaultVhost__', app: 'live', stream, ip: '203.0.113.7', param, pageUrl: '' },
});

test('a yes holds as long as the service says, a no for a moment', async () => {
  expect(await words.of(viewer())).toMatchObject({ verdict: { allowed: true }, untilMs: nowMs + 60_000 });
  word = { verdict: no, seconds: 60 };
  nowMs += 59_999;
  expect((await words.of(viewer())).verdict.allowed).toBe(true);
  nowMs += 1;
  expect(await words.of(viewer())).toMatchObject({ verdict: no, untilMs: nowMs + 2_000 });
  expect(asked).toHaveLength(2);
});

test('who differs in stream, address or query is asked about by itself', async () => {
  const others = [viewer('?a=1'), viewer('', 'y'), { ...viewer(), ip: '203.0.113.8' }];
  await Promise.all([viewer(), ...others].map((each) => words.of(each)));
  expect(asked).toHaveLength(4);
});

test('all who ask while the service thinks are one question, and nothing is known until it has answered', async () => {
  const answer = Promise.withResolvers<void>();
  service = answer.promise;
  const all = Array.from({ length: 20 }, () => words.of(viewer()));
  await expect.poll(() => asked.length).toBe(1);
  expect(words.known(viewer())).toBeUndefined();
  answer.resolve();
  expect(new Set(await Promise.all(all)).size).toBe(1);
  expect(asked).toHaveLength(1);
});

test('an old word is still known, one of before the rules changed is not', async () => {
  const { untilMs } = await words.of(viewer());
  nowMs += 3_600_000;
  expect(words.known(viewer())?.untilMs).toBe(untilMs);
  words.clear();
  expect(words.known(viewer())).toBeUndefined();
});

test('a request that is no session yet is asked about as a viewer of HLS, a session as what it is', async () => {
  await words.of(viewer());
  await words.of({ ...viewer('?a=1'), clientId: 'c1', type: 'rtc-play' });
  expect(asked).toMatchObject([
    { clientId: '', type: 'hls-play', tcUrl: '' },
    { clientId: 'c1', type: 'rtc-play' },
  ]);
});

test('no more than twenty thousand are remembered, the oldest go first', async () => {
  for (let index = 0; index <= 20_000; index++) await words.of(viewer(`?a=${index}`));
  expect(words.known(viewer('?a=0'))).toBeUndefined();
  expect(words.known(viewer('?a=1'))).toBeDefined();
  expect(words.known(viewer('?a=20000'))).toBeDefined();
});
