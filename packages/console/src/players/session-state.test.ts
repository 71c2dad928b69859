import { describe, expect, it } from 'vitest';
import type { PlaybackProblem } from './playback.ts';
import {
  connectTimeoutMs,
  firstState,
  isActive,
  nextState,
  retryDelaysMs,
  retryInSeconds,
  type SessionEvent,
  type SessionState,
  stallNoticeMs,
  stallReconnectMs,
} from './session-state.ts';

/** Value of `chance` that results in a pause without jitter. */
const middle = 0.5;
const notLive: SessionEvent = { type: 'problem', problem: { kind: 'not-live' } };

function after(state: SessionState, event: SessionEvent['type'], nowMs: number): SessionState {
  return nextState(state, { type: event } as SessionEvent, nowMs, middle);
}

describe('live session', () => {
  it('plays as soon as the video advances', () => {
    expect(after(firstState(0), 'progress', 700)).toEqual({ name: 'playing', lastProgressMs: 700, stalled: false });
  });

  it('waits longer after each failed attempt, then steadily', () => {
    let state = firstState(0);
    let nowMs = 0;
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 7; attempt++) {
      state = nextState(state, notLive, nowMs, middle);
      expect(state.name).toBe('waiting');
      if (state.name !== 'waiting') return;
      pauses.push(state.retryAtMs - nowMs);
      nowMs = state.retryAtMs;
      state = after(state, 'tick', nowMs);
      expect(state).toMatchObject({ name: 'connecting', attempt: attempt + 1 });
    }
    expect(pauses).toEqual([...retryDelaysMs, 8_000, 8_000]);
  });

  it('starts with the shortest pause again once it has played', () => {
    const playing: SessionState = { name: 'playing', lastProgressMs: 0, stalled: false };
    const ended = nextState(playing, { type: 'problem', problem: { kind: 'ended' } }, 100, middle);
    expect(ended).toEqual({ name: 'waiting', problem: { kind: 'ended' }, attempt: 0, retryAtMs: 1_100 });
  });

  it('spreads the viewers of one stream over half a pause', () => {
    const pauses = [0, 1].map((chance) => nextState(firstState(0), notLive, 0, chance));
    expect(pauses.map((state) => state.name === 'waiting' && state.retryAtMs)).toEqual([750, 1_250]);
  });

  it('marks a stall, recovers from it, and reconnects when it lasts', () => {
    let state: SessionState = { name: 'playing', lastProgressMs: 0, stalled: false };
    expect(after(state, 'tick', stallNoticeMs - 1)).toBe(state);
    state = after(state, 'tick', stallNoticeMs);
    expect(state).toMatchObject({ name: 'playing', stalled: true });
    expect(after(state, 'progress', stallNoticeMs + 1)).toMatchObject({ name: 'playing', stalled: false });
    expect(after(state, 'tick', stallReconnectMs)).toMatchObject({ name: 'waiting', problem: { kind: 'stalled' } });
  });

  it('gives up a connection without a frame', () => {
    expect(after(firstState(0), 'tick', connectTimeoutMs - 1).name).toBe('connecting');
    expect(after(firstState(0), 'tick', connectTimeoutMs)).toMatchObject({
      name: 'waiting',
      problem: { kind: 'not-live' },
    });
  });

  it.each<PlaybackProblem>([{ kind: 'codec', codec: 'hvc1' }, { kind: 'browser' }, { kind: 'not-allowed' }])(
    'does not retry permanent errors: $kind',
    (problem) => {
      const failed = nextState(firstState(0), { type: 'problem', problem }, 0, middle);
      expect(failed).toEqual({ name: 'failed', problem });
      expect(after(failed, 'tick', 1e9)).toBe(failed);
      expect(isActive(failed)).toBe(false);
      expect(after(failed, 'retry', 5)).toEqual(firstState(5));
    },
  );

  it('ignores late events of an ended playback', () => {
    const waiting = nextState(firstState(0), notLive, 0, middle);
    expect(nextState(waiting, { type: 'problem', problem: { kind: 'ended' } }, 10, middle)).toBe(waiting);
    expect(after(waiting, 'progress', 10)).toBe(waiting);
  });

  it('counts down whole seconds and never shows zero while waiting', () => {
    const waiting = nextState(firstState(0), notLive, 0, middle);
    expect([0, 400, 999, 5_000].map((nowMs) => retryInSeconds(waiting, nowMs))).toEqual([1, 1, 1, 1]);
    const longer: SessionState = { name: 'waiting', problem: { kind: 'not-live' }, attempt: 4, retryAtMs: 8_000 };
    expect([0, 500, 7_000].map((nowMs) => retryInSeconds(longer, nowMs))).toEqual([8, 8, 1]);
    expect(retryInSeconds(firstState(0), 0)).toBe(0);
  });
});
