import type { SessionInfo, Verdict } from '@srs-stack/engine';
import { beforeEach, expect, test } from 'vitest';
import { type ConnectingViewer, PlaybackVerdicts } from './playback-verdicts.ts';

let nowMs: number;
let queries: SessionInfo[];
let reported: { verdict: Verdict; seconds: number };
/** The operator's service responds after this promise has resolved. */
let service: Promise<void>;
let verdicts: PlaybackVerdicts;

beforeEach(() => {
  nowMs = 1_800_000_000_000;
  queries = [];
  reported = { verdict: { allowed: true }, seconds: 60 };
  service = Promise.resolve();
  const query = async (session: SessionInfo) => {
    queries.push(session);
    const result = reported;
    await service;
    return result;
  };
  verdicts = new PlaybackVerdicts({ query, now: () => nowMs });
});

const no = { allowed: false, reason: 'callback-refused', detail: '' } as const;
const viewer = (param = '', stream = 'x'): ConnectingViewer => ({
  ...{ vhost: '__defaultVhost__', app: 'live', stream, ip: '203.0.113.7', param, pageUrl: '' },
});

test('an approval is valid as long as the service states, a refusal only briefly', async () => {
  expect(await verdicts.of(viewer())).toMatchObject({ verdict: { allowed: true }, untilMs: nowMs + 60_000 });
  reported = { verdict: no, seconds: 60 };
  nowMs += 59_999;
  expect((await verdicts.of(viewer())).verdict.allowed).toBe(true);
  nowMs += 1;
  expect(await verdicts.of(viewer())).toMatchObject({ verdict: no, untilMs: nowMs + 2_000 });
  expect(queries).toHaveLength(2);
});

test('requests with another stream, address or query are separate', async () => {
  const others = [viewer('?a=1'), viewer('', 'y'), { ...viewer(), ip: '203.0.113.8' }];
  await Promise.all([viewer(), ...others].map((each) => verdicts.of(each)));
  expect(queries).toHaveLength(4);
});

test('concurrent equal requests share one query, and there is no verdict before its response', async () => {
  const response = Promise.withResolvers<void>();
  service = response.promise;
  const all = Array.from({ length: 20 }, () => verdicts.of(viewer()));
  await expect.poll(() => queries.length).toBe(1);
  expect(verdicts.known(viewer())).toBeUndefined();
  response.resolve();
  expect(new Set(await Promise.all(all)).size).toBe(1);
  expect(queries).toHaveLength(1);
});

test('an expired verdict is still known, one from before a rule change is not', async () => {
  const { untilMs } = await verdicts.of(viewer());
  nowMs += 3_600_000;
  expect(verdicts.known(viewer())?.untilMs).toBe(untilMs);
  verdicts.clear();
  expect(verdicts.known(viewer())).toBeUndefined();
});

test('a request without a session is checked as an HLS viewer, a session as its protocol', async () => {
  await verdicts.of(viewer());
  await verdicts.of({ ...viewer('?a=1'), clientId: 'c1', type: 'rtc-play' });
  expect(queries).toMatchObject([
    { clientId: '', type: 'hls-play', tcUrl: '' },
    { clientId: 'c1', type: 'rtc-play' },
  ]);
});

test('keeps at most twenty thousand verdicts and removes the oldest first', async () => {
  for (let index = 0; index <= 20_000; index++) await verdicts.of(viewer(`?a=${index}`));
  expect(verdicts.known(viewer('?a=0'))).toBeUndefined();
  expect(verdicts.known(viewer('?a=1'))).toBeDefined();
  expect(verdicts.known(viewer('?a=20000'))).toBeDefined();
});

test('a verdict that was requested before a rule change is not kept', async () => {
  const response = Promise.withResolvers<void>();
  service = response.promise;
  const before = verdicts.of(viewer());
  await expect.poll(() => queries.length).toBe(1);
  verdicts.clear();
  response.resolve();
  expect((await before).verdict.allowed).toBe(true);
  expect(verdicts.known(viewer())).toBeUndefined();
  reported = { verdict: no, seconds: 60 };
  expect((await verdicts.of(viewer())).verdict).toEqual(no);
});
