// Playback authorization in one gateway: with the rules file, with the control plane unavailable, and for connected viewers that are
// checked again.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EnginePorts, SessionInfo, Verdict } from '@srs-stack/engine';
import { WatchRights, watchQuery } from '@srs-stack/playback/access/watch-rights.ts';
import type { WatchMode } from '@srs-stack/playback/access/watch-settings.ts';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WatchGate } from './watching.ts';

let folder: string;
let file: string;
let nowMs: number;
let queries: SessionInfo[];
let notices: SessionInfo[];
let hostQueries: number;
let stopped: number;
let reported: { verdict: Verdict; seconds: number };
/** The operator's service responds after this promise has resolved. */
let waitForService: Promise<void> | undefined;
let kicked: string[];
/** Ids of sessions that the engine can end; undefined means all sessions. */
let playing: Set<string> | undefined;
let gate: WatchGate;
let ports: EnginePorts;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'srs-watch-'));
  file = join(folder, 'watching.json');
  nowMs = 1_800_000_000_000;
  queries = [];
  notices = [];
  [hostQueries, stopped] = [0, 0];
  kicked = [];
  waitForService = undefined;
  playing = undefined;
  reported = { verdict: { allowed: true }, seconds: 60 };
  const query = async (session: SessionInfo) => {
    queries.push(session);
    await waitForService;
    return reported;
  };
  const notify = (one: SessionInfo) => notices.push(one);
  gate = new WatchGate({ file, query, notify, log: pino({ level: 'silent' }), now: () => nowMs });
  const host = {
    authorizePlay: async () => {
      hostQueries += 1;
      return { allowed: true } as const;
    },
    onStop: () => {
      stopped += 1;
    },
  };
  ports = gate.guard(host as unknown as EnginePorts);
});
afterEach(() => {
  gate.close();
  rmSync(folder, { recursive: true });
});

const start = () => gate.start({ kick: (clientId) => (playing?.has(clientId) ?? true) && kicked.push(clientId) > 0 });
const settings = (mode: WatchMode, revision = '') => ({
  rules: [{ pattern: 'live/x', mode, passwordVersion: revision }],
  keys: [],
  serverSecret: 'secret',
});
const write = (mode: WatchMode, revision = '') => writeFileSync(file, JSON.stringify(settings(mode, revision)));
const session = (param = '', clientId = 'c1'): SessionInfo => ({
  ...{ vhost: '__defaultVhost__', app: 'live', stream: 'x', clientId, type: 'flv-play', ip: '203.0.113.7', param },
  ...{ tcUrl: '', pageUrl: '' },
});
const consoleQuery = (seconds: number) =>
  watchQuery(
    new WatchRights(settings('signed')).issue('console', { app: 'live', stream: 'x' }, nowMs / 1000 + seconds),
  );
const reasonOf = (verdict: Verdict) => (verdict.allowed ? 'allowed' : verdict.reason);
const review = (param: string, isSegment: boolean) =>
  ports.reviewPlay?.({ ...session(param), isSegment }) as Verdict | Promise<Verdict>;

test('without a file all streams are open; an unreadable one admits no viewer, and a previous valid one stays in effect', async () => {
  await start();
  expect(reasonOf(await ports.authorizePlay(session()))).toBe('allowed');
  writeFileSync(file, '{"rules":[{"pattern":"*","mode":"later"}]}');
  await gate.reload();
  expect(reasonOf(await ports.authorizePlay(session()))).toBe('control-plane-away');
  write('signed');
  await gate.reload();
  expect(reasonOf(await ports.authorizePlay(session()))).toBe('link-missing');
  writeFileSync(file, 'damaged again');
  await gate.reload();
  expect(reasonOf(await ports.authorizePlay(session()))).toBe('link-missing');
  rmSync(file);
  await gate.reload();
  expect(reasonOf(await ports.authorizePlay(session()))).toBe('link-missing');
});

test('a session ends when its authorization expires, and is not checked after its end', async () => {
  write('signed');
  await start();
  expect(await ports.authorizePlay(session(consoleQuery(60)))).toMatchObject({ allowed: true });
  await ports.authorizePlay(session(consoleQuery(60), 'left'));
  ports.onStop(session('', 'left'));
  nowMs += 59_000;
  gate.renew();
  expect(kicked).toEqual([]);
  nowMs += 1_000;
  gate.renew();
  expect(kicked).toEqual(['c1']);
});

test('new rules apply to current players, and to HLS at its next request', async () => {
  write('open');
  await start();
  for (const each of [session(), session('', 'left'), { ...session('', 'hls'), type: 'hls-play' as const }]) {
    await ports.authorizePlay(each);
  }
  ports.onStop(session('', 'left'));
  write('signed', 'longer');
  await gate.reload();
  expect(kicked).toEqual(['c1']);
  expect(reasonOf(await review('', false))).toBe('link-missing');
});

test('a viewer that was admitted but not playing yet, as while WebRTC connects, is ended once it plays', async () => {
  playing = new Set();
  write('signed');
  await start();
  await ports.authorizePlay(session(consoleQuery(5)));
  nowMs += 6_000;
  gate.renew();
  playing.add('c1');
  gate.renew();
  expect(kicked).toEqual(['c1']);
  write('open', 'longer');
  await gate.reload();
  await ports.authorizePlay(session('', 'c2'));
  write('signed', 'longer still');
  await gate.reload();
  playing.add('c2');
  gate.renew();
  gate.renew();
  expect(kicked).toEqual(['c1', 'c2']);
});

test('viewers of an open stream are checked regularly once a service decides', async () => {
  write('open');
  await start();
  await ports.authorizePlay(session());
  write('verdict', 'longer');
  await gate.reload();
  await expect.poll(() => queries.length).toBe(1);
  nowMs += 61_000;
  reported = { verdict: { allowed: false, reason: 'callback-refused', detail: '' }, seconds: 0 };
  gate.renew();
  await expect.poll(() => kicked).toEqual(['c1']);
});

test('rules that change during a query apply to the viewers it admits', async () => {
  write('verdict');
  await start();
  const response = Promise.withResolvers<void>();
  waitForService = response.promise;
  const verdict = ports.authorizePlay(session());
  await expect.poll(() => queries.length).toBe(1);
  write('signed', 'longer');
  await gate.reload();
  response.resolve();
  expect(reasonOf(await verdict)).toBe('link-missing');
});

test('an approval of the service authorizes segments through a query parameter, and is renewed when it expires', async () => {
  write('verdict');
  await start();
  const playlist = (await review('?guest=1', false)) as { allowed: true; carry: string };
  expect(playlist.carry).toMatch(/^watch=D\./);
  expect(reasonOf(await review(`?${playlist.carry}`, true))).toBe('allowed');
  expect(reasonOf(await review('?guest=1', true))).toBe('link-wrong');
  await review('?guest=1', false);
  await ports.authorizePlay(session('?guest=1'));
  expect(queries).toHaveLength(1);
  nowMs += 61_000;
  reported = { verdict: { allowed: false, reason: 'control-plane-away', detail: '' }, seconds: 0 };
  gate.renew();
  await expect.poll(() => queries.length).toBe(2);
  expect(kicked).toEqual([]);
  nowMs += 11_000;
  reported = { verdict: { allowed: false, reason: 'callback-refused', detail: '' }, seconds: 0 };
  gate.renew();
  await expect.poll(() => kicked).toEqual(['c1']);
  expect(reasonOf(await review('?guest=2', false))).toBe('callback-refused');
});

test('a clock that is set back does not extend a verdict', async () => {
  write('verdict');
  await start();
  reported = { verdict: { allowed: false, reason: 'control-plane-away', detail: '' }, seconds: 0 };
  expect(reasonOf(await review('?guest=1', false))).toBe('control-plane-away');
  nowMs -= 3_600_000;
  reported = { verdict: { allowed: true }, seconds: 60 };
  expect(reasonOf(await review('?guest=1', false))).toBe('allowed');
  await ports.authorizePlay(session('?guest=1'));
  gate.renew();
  nowMs -= 3_600_000;
  reported = { verdict: { allowed: false, reason: 'callback-refused', detail: '' }, seconds: 0 };
  expect(gate.mayWatch(session('?guest=1'))).toBe('no');
  gate.renew();
  await expect.poll(() => kicked).toEqual(['c1']);
});

test('concurrent equal requests cause one query', async () => {
  write('verdict');
  await start();
  const all = await Promise.all(
    Array.from({ length: 50 }, (_, index) => ports.authorizePlay(session('?a=1', `c${index}`))),
  );
  expect(all.every(({ allowed }) => allowed)).toBe(true);
  expect(queries).toHaveLength(1);
});

test('a control plane with all rules in the file gets notices of viewers, any other one is queried', async () => {
  await start();
  await ports.authorizePlay(session());
  ports.onStop(session());
  expect([hostQueries, notices.length, stopped]).toEqual([1, 0, 1]);
  writeFileSync(file, JSON.stringify({ ...settings('open'), isWholeVerdict: true }));
  await gate.reload();
  expect(reasonOf(await ports.authorizePlay(session('', 'c2')))).toBe('allowed');
  await ports.authorizePlay({ ...session('', 'c3'), stream: 'x~720p' });
  ports.onStop(session('', 'c2'));
  expect([hostQueries, notices.map(({ clientId }) => clientId), stopped]).toEqual([1, ['c2'], 1]);
});

test('if the control plane gets only notices, a rule change applies to the next viewer, before the next check of the file', async () => {
  const writeWhole = (mode: WatchMode) =>
    writeFileSync(file, JSON.stringify({ ...settings(mode), isWholeVerdict: true }));
  writeWhole('open');
  await start();
  const rush = () =>
    Promise.all(Array.from({ length: 200 }, (_, index) => ports.authorizePlay(session('', `c${index}`))));
  expect(new Set((await rush()).map(reasonOf))).toEqual(new Set(['allowed']));
  writeWhole('signed');
  expect(new Set((await rush()).map(reasonOf))).toEqual(new Set(['link-missing']));
  expect([hostQueries, notices.length]).toEqual([0, 200]);
  writeFileSync(file, 'damaged');
  expect(reasonOf(await ports.authorizePlay(session()))).toBe('link-missing');
});

test('rules that change while the service responds apply to the waiting playlist request', async () => {
  write('verdict');
  await start();
  const service = Promise.withResolvers<void>();
  waitForService = service.promise;
  const response = review('', false);
  write('signed');
  await gate.reload();
  service.resolve();
  expect(reasonOf(await response)).toBe('link-missing');
});
