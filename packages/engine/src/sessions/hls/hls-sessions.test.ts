import { beforeEach, describe, expect, it } from 'vitest';
import type { PlayerHandle } from '../../hub/stream-hub.ts';
import type { Verdict } from '../../ports.ts';
import type { SessionInfo } from '../../session-info.ts';
import { recordingLog } from '../../testing/recorders.ts';
import { AdmittedPlay } from '../gate/admitted-play.ts';
import { HlsSessions, maxPerAddress, maxUnusedPerAddress } from './hls-sessions.ts';

const targetMs = 2_000;
let nowMs: number;
let playing: Set<SessionInfo>;
let stopped: string[];
let verdict: Promise<Verdict>;

beforeEach(() => {
  nowMs = 0;
  playing = new Set();
  stopped = [];
  verdict = Promise.resolve({ allowed: true });
});

function startSessions(maxBytes?: number): HlsSessions {
  const hub = {
    addPlayer(session: SessionInfo) {
      playing.add(session);
      return { countSent: () => {}, close: () => void playing.delete(session) } as unknown as PlayerHandle;
    },
  };
  const ports = { log: recordingLog(), onStop: ({ clientId }: SessionInfo) => void stopped.push(clientId) };
  return new HlsSessions({
    gate: {
      admit: async (session, _terms, kept = session) => {
        const { allowed } = await verdict;
        if (!allowed) return { ok: false, rule: 'host', reason: 'link-wrong', detail: '' };
        return { ok: true, play: new AdmittedPlay(kept, { hub, ports }) };
      },
    },
    clock: () => nowMs,
    ...(maxBytes !== undefined && { maxBytes }),
  });
}

function viewer(name: string, ip = '192.0.2.1'): SessionInfo {
  const key = { vhost: '__defaultVhost__', app: 'live', stream: 's' };
  return { ...key, clientId: name, type: 'hls-play', ip, param: '', tcUrl: '', pageUrl: '' };
}

async function begin(sessions: HlsSessions, name: string, ip?: string) {
  return admitted(sessions, viewer(name, ip));
}

async function admitted(sessions: HlsSessions, info: SessionInfo) {
  const session = sessions.begin(info, info.clientId);
  const { ok } = await session.admission;
  if (!ok) sessions.forget(session);
  if (session.hasEnded) return null;
  sessions.touch(session, targetMs, false);
  return session;
}

async function play(sessions: HlsSessions, name: string, ip?: string) {
  const session = await begin(sessions, name, ip);
  if (session) sessions.touch(session, targetMs, true);
  return session;
}

const roomFor = (count: number): number => count * 5 * 1024;
/** As long as a request permits, to use as much memory as possible. */
const longText = 'x'.repeat(14_000);
async function fill(sessions: HlsSessions, name: string, ip: string) {
  const info = { ...viewer(name, ip), pageUrl: longText, param: `?${longText}`, tcUrl: longText };
  const session = await admitted(sessions, info);
  if (session) sessions.touch(session, targetMs, true);
  return session;
}

describe('HLS sessions', () => {
  it('of one address that never return are replaced by its newest, but not those that play', async () => {
    const sessions = startSessions();
    const watching = await play(sessions, 'watching');
    const other = await begin(sessions, 'other', '198.51.100.1');
    const begun = [];
    for (let index = 0; index < maxUnusedPerAddress + 2; index++) begun.push(await begin(sessions, `x${index}`));
    expect(begun.map((session) => session?.hasEnded).slice(0, 3)).toEqual([true, true, false]);
    expect([watching?.hasEnded, other?.hasEnded]).toEqual([false, false]);
    expect(stopped).toEqual(['x0', 'x1']);
    expect([...playing].map(({ clientId }) => clientId)).toEqual(['watching']);
  });

  it('of one address are bounded when all of them play', async () => {
    const sessions = startSessions();
    const other = await play(sessions, 'other', '198.51.100.1');
    for (let index = 0; index < maxPerAddress + 3; index++) expect(await play(sessions, `x${index}`)).not.toBeNull();
    expect(stopped).toEqual(['x0', 'x1', 'x2']);
    expect(other?.hasEnded).toBe(false);
  });

  it('that are no longer played are replaced when the memory is used up', async () => {
    const sessions = startSessions(roomFor(3));
    await play(sessions, 'gone', '192.0.2.1');
    nowMs = 5_000;
    await play(sessions, 'here', '192.0.2.2');
    await play(sessions, 'here too', '192.0.2.3');
    nowMs = 6_000;
    sessions.sweep(nowMs, 60_000);
    expect(await play(sessions, 'new', '192.0.2.4')).not.toBeNull();
    expect(stopped).toEqual(['gone']);
    expect(await play(sessions, 'one more', '192.0.2.5')).toBeNull();
    expect(sessions.size).toBe(3);
  });

  it('of one address, with requests of any length, leave room for viewers of other addresses', async () => {
    const sessions = startSessions();
    for (let index = 0; index < 4_050; index++) await fill(sessions, `x${index}`, `2001:db8::${index.toString(16)}`);
    for (let index = 0; index < 100; index++)
      expect(await play(sessions, `y${index}`, `198.51.100.${index}`)).not.toBeNull();
    expect([...playing].filter(({ ip }) => ip.startsWith('198'))).toHaveLength(100);
  });

  it('of a few addresses that fill the memory lose their least active ones to viewers of others', async () => {
    const sessions = startSessions(roomFor(400));
    const addresses = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'];
    for (let index = 0; index < 400; index++) await play(sessions, `x${index}`, addresses[index % 4]);
    expect([sessions.size, stopped]).toEqual([400, []]);
    expect(await play(sessions, 'equal', addresses[0])).toBeNull();
    sessions.touch(sessions.find(viewer('x0'), 'x0')!, targetMs, true);
    stopped = [];
    for (let index = 0; index < 4; index++) expect(await play(sessions, `y${index}`, '198.51.100.1')).not.toBeNull();
    expect(stopped.toSorted()).toEqual(['x1', 'x2', 'x3', 'x4']);
  });

  it('that are idle are replaced before any that plays', async () => {
    const sessions = startSessions(roomFor(100));
    for (let index = 0; index < 40; index++) {
      await play(sessions, `idle${index}`, `192.0.2.${index}`);
      nowMs += 1;
    }
    nowMs = 10_000;
    sessions.sweep(nowMs, 60_000);
    for (let index = 0; index < 60; index++) await play(sessions, `x${index}`, `198.51.100.${index % 4}`);
    stopped = [];
    for (let index = 0; index < 40; index++) await play(sessions, `y${index}`, `203.0.113.${index}`);
    expect(stopped).toEqual(Array.from({ length: 40 }, (_, index) => `idle${index}`));
  });

  it('that the host refuses displace no others', async () => {
    const sessions = startSessions(roomFor(8));
    for (let index = 0; index < 8; index++) await begin(sessions, `x${index}`, `192.0.2.${index}`);
    verdict = Promise.resolve({ allowed: false, reason: 'link-wrong', detail: '' });
    for (let index = 0; index < 20; index++) expect(await begin(sessions, `y${index}`, '198.51.100.1')).toBeNull();
    expect([sessions.size, stopped]).toEqual([8, []]);
  });

  it('keep a bounded part of their requests, and the host gets all of it', async () => {
    const session = await fill(startSessions(), 'long', '192.0.2.1');
    const { param, pageUrl, tcUrl } = session!.info;
    expect([param.length, pageUrl.length, tcUrl.length]).toEqual([2_048, 1_024, 512]);
    expect(session!.play?.session).toBe(session!.info);
  });

  it('release all their memory', async () => {
    const sessions = startSessions(roomFor(6));
    for (let round = 0; round < 5; round++) {
      const [ended, refused] = [await play(sessions, 'a'), await begin(sessions, 'b')];
      expect(refused).not.toBeNull();
      sessions.forget(refused!);
      sessions.forget(refused!);
      sessions.close();
      sessions.close();
      expect([ended?.hasEnded, sessions.size]).toEqual([true, 0]);
    }
  });

  it('that ended before the host responded are not played, and their end is reported', async () => {
    const { promise, resolve } = Promise.withResolvers<Verdict>();
    verdict = promise;
    const sessions = startSessions();
    const first = sessions.begin(viewer('first'), 'first');
    for (let index = 0; index < maxUnusedPerAddress; index++) sessions.begin(viewer(`x${index}`), `x${index}`);
    resolve({ allowed: true });
    await first.admission;
    sessions.touch(first, targetMs, false);
    expect([playing.size, stopped]).toEqual([0, ['first']]);
  });
});
