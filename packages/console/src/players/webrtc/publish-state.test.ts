import { describe, expect, it } from 'vitest';
import { isPublishing, nextPublishState, type PublishEvent, type PublishState } from './publish-state.ts';
import type { RtcProblemKind } from './rtc-problem.ts';

/** Value of `chance` that results in a pause without jitter. */
const even = 0.5;
const problem = (kind: RtcProblemKind): PublishEvent => ({ type: 'problem', problem: { kind, detail: '' } });
const run = (events: readonly PublishEvent[], nowMs = 0): PublishState =>
  events.reduce<PublishState>((state, event) => nextPublishState(state, event, nowMs, even), { name: 'idle' });
const start: PublishEvent = { type: 'start' };
const connected: PublishEvent = { type: 'connected' };

describe('life of a publication', () => {
  it('connects, goes live and stops', () => {
    expect(run([start])).toEqual({ name: 'connecting', attempt: 0, wasLive: false });
    expect(run([start, connected], 7)).toEqual({ name: 'live', sinceMs: 7 });
    expect(run([start, connected, { type: 'stop' }])).toEqual({ name: 'idle' });
  });

  it.each(['unauthorized', 'refused', 'codec', 'invalid', 'browser', 'busy'] as const)(
    'ends immediately when %s',
    (kind) => {
      expect(run([start, problem(kind)])).toMatchObject({ name: 'failed', problem: { kind } });
    },
  );

  it.each(['network', 'unavailable', 'media-path', 'lost', 'ended'] as const)('tries again after %s', (kind) => {
    expect(run([start, problem(kind)])).toMatchObject({ name: 'waiting', retryAtMs: 1_000, attempt: 0 });
  });

  it('waits longer with every attempt, up to a limit', () => {
    let state = run([start]);
    const delays = Array.from({ length: 7 }, () => {
      state = nextPublishState(state, problem('network'), 0, even);
      const delay = state.name === 'waiting' ? state.retryAtMs : 0;
      state = nextPublishState(state, { type: 'tick' }, delay, even);
      return delay;
    });
    expect(delays).toEqual([1_000, 2_000, 3_000, 5_000, 8_000, 8_000, 8_000]);
  });

  it('treats "busy" as caused by its own old session once it was live, until it connects or is stopped', () => {
    const broken = run([start, connected, problem('lost')]);
    expect(broken).toMatchObject({ name: 'waiting', wasLive: true });
    const again = nextPublishState(broken, { type: 'tick' }, 1_000, even);
    expect(nextPublishState(again, problem('busy'), 1_000, even)).toMatchObject({ name: 'waiting', attempt: 1 });
    expect(run([start, connected, { type: 'stop' }, start, problem('busy')]).name).toBe('failed');
  });

  it('ignores events while it waits, has failed or is idle', () => {
    for (const events of [[], [start, problem('network')], [start, problem('unauthorized')]]) {
      const state = run(events);
      expect(nextPublishState(state, problem('lost'), 0, even)).toBe(state);
      expect(nextPublishState(state, connected, 0, even)).toBe(state);
      expect(nextPublishState(state, { type: 'tick' }, 0, even)).toBe(state);
      expect(isPublishing(state)).toBe(false);
    }
  });
});
