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
      admit: async (session) => {
        await verdict;
        return { ok: true, play: new AdmittedPlay(session, { hub, ports }) };
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

/** The first playlist; null when there is no room. */
async function begin(sessions: HlsSessions, name: string, ip?: string) {
  const session = sessions.begin(viewer(name, ip), name);
  await session?.admission;
  if (session) sessions.touch(session, targetMs, false);
  return session ?? null;
}

/** The first playlist and one under the viewer's own id. */
async function play(sessions: HlsSessions, name: string, ip?: string) {
  const session = await begin(sessions, name, ip);
  if (session) sessions.touch(session, targetMs, true);
  return session;
}

const roomFor = (count: number): number => count * 5 * 1024;

describe('HLS sessions', () => {
  it('of one address that never come back make room for its newest, and not those that play', async () => {
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

  it('that nobody plays any more make room when the memory is used up', async () => {
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

  it('cost what their requests say as well', async () => {
    const sessions = startSessions(roomFor(10));
    const long = { ...viewer('long'), pageUrl: 'x'.repeat(15_000) };
    expect(sessions.begin(long, 'a')).toBeDefined();
    expect(sessions.begin(long, 'b')).toBeDefined();
    expect(sessions.size).toBe(1);
  });

  it('give all their memory back', async () => {
    const sessions = startSessions(roomFor(2));
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

  it('that ended before the host answered are not played, and the host is told', async () => {
    const { promise, resolve } = Promise.withResolvers<Verdict>();
    verdict = promise;
    const sessions = startSessions(roomFor(1));
    const first = sessions.begin(viewer('first'), 'first');
    sessions.begin(viewer('second'), 'second');
    resolve({ allowed: true });
    await first?.admission;
    sessions.touch(first!, targetMs, false);
    expect([playing.size, stopped]).toEqual([0, ['first']]);
  });
});
