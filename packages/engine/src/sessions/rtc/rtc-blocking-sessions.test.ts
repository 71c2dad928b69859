import { describe, expect, it } from 'vitest';
import { blockingSessions, type RtcSessionState } from './rtc-blocking-sessions.ts';

const viewer = (change: Partial<RtcSessionState> = {}): RtcSessionState => ({
  ip: '192.0.2.1',
  ports: new Set([40_000]),
  connectingMs: 0,
  silentMs: 0,
  ...change,
});
const connecting = viewer({ connectingMs: 600 });
const dead = viewer({ silentMs: 3_100 });

describe('a silent session is ended early', () => {
  it('when a new session of the same address cannot connect', () => {
    expect(blockingSessions([dead, viewer(), connecting])).toEqual([dead]);
  });

  it.each([
    ['no session is connecting', [dead, viewer()]],
    ['the new session has just started', [dead, viewer({ connectingMs: 100 })]],
    ['the new session has another address', [dead, viewer({ connectingMs: 600, ip: '192.0.2.2' })]],
    ['the new session has another port', [dead, viewer({ connectingMs: 600, ports: new Set([40_001]) })]],
    ['the new session has no port', [dead, viewer({ connectingMs: 600, ports: new Set() })]],
    ['it is silent for a short time only', [viewer({ silentMs: 2_000 }), connecting]],
    ['it is itself connecting', [viewer({ connectingMs: 9_000, silentMs: 9_000 }), connecting]],
  ])('not when %s', (_name, sessions) => {
    expect(blockingSessions(sessions)).toEqual([]);
  });
});

it('checks each port of each session once', () => {
  let looks = 0;
  class CountedPorts extends Set<number> {
    override has(port: number): boolean {
      looks++;
      return super.has(port);
    }
    override values() {
      looks++;
      return super.values();
    }
    override [Symbol.iterator]() {
      return this.values();
    }
  }
  const counted = (change: Partial<RtcSessionState>, index: number) =>
    viewer({ ports: new CountedPorts([20_000 + index]), ...change });
  const silent = Array.from({ length: 700 }, (_, index) => counted({ silentMs: 9_000 }, index));
  const waiting = Array.from({ length: 500 }, (_, index) => counted({ connectingMs: 900 }, 690 + index));
  expect(blockingSessions([...silent, ...waiting])).toEqual(silent.slice(690));
  expect(looks).toBeLessThanOrEqual(silent.length + waiting.length);
});
