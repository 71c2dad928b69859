import type { ChannelEntry } from '@srs-stack/process/channel-orders.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { LivePlan } from './live-plan.ts';

const second = 1000;
const item: ChannelEntry = {
  ...{ id: 'x', file: '/dark.flv', startMs: 100 * second, endMs: 200 * second },
  ...{ offsetMs: 0, loops: true, isFixed: false, live: 'live/x' },
};
const none = { takeover: undefined, liveItems: ['x'] };
const takeover = { ...none, takeover: { id: 't1', live: 'live/guest' } };

let plan: LivePlan;
beforeEach(() => {
  plan = new LivePlan();
});
const namesAt = (seconds: number, onAir?: string) =>
  plan.wanted(onAir, seconds * second, seconds * second).map(({ live }) => live);

describe('the live streams of a channel', () => {
  it('are none until an item begins, and none after its time', () => {
    plan.change(none, 0);
    expect(namesAt(99)).toEqual([]);
    plan.open(item, 100 * second);
    expect(plan.wanted(undefined, 0, 100 * second)).toEqual([{ live: 'live/x', fromLast: true }]);
    plan.noteLate();
    expect(plan.wanted(undefined, 0, 150 * second)).toEqual([{ live: 'live/x', fromLast: false }]);
    expect(namesAt(200)).toEqual([]);
  });

  it('are those of a takeover first', () => {
    plan.change(takeover, 0);
    plan.open(item, 100 * second);
    expect(plan.wanted(undefined, 1, 100 * second).map(({ live }) => live)).toEqual(['live/guest', 'live/x']);
    expect([plan.itemOf('live/guest'), plan.itemOf('live/x')]).toEqual([undefined, item]);
    plan.change(none, 1);
    expect(namesAt(101)).toEqual(['live/x']);
  });

  it('end a takeover when its stream was down for 30 seconds, until another one is ordered', () => {
    plan.change(takeover, 0);
    expect(namesAt(29)).toEqual(['live/guest']);
    expect(namesAt(50, 'live/guest')).toEqual(['live/guest']);
    expect(namesAt(79)).toEqual(['live/guest']);
    expect([namesAt(80), plan.overTakeover]).toEqual([[], 't1']);
    plan.change(takeover, 81 * second);
    expect(namesAt(82)).toEqual([]);
    plan.change({ ...none, takeover: { id: 't2', live: 'live/guest' } }, 83 * second);
    expect(namesAt(84)).toEqual(['live/guest']);
  });

  it('keep the state of an item whose time is changed', () => {
    plan.open(item, 100 * second);
    plan.noteLate();
    plan.open({ ...item, startMs: item.startMs - 400, endMs: item.endMs + 60_000 }, 101 * second);
    expect([plan.isLate, namesAt(250)]).toEqual([true, ['live/x']]);
    plan.open({ ...item, startMs: 260 * second, endMs: 300 * second }, 260 * second);
    expect(plan.isLate).toBe(false);
  });

  it('have no item that was removed from the schedule', () => {
    plan.open(item, 100 * second);
    plan.change({ ...none, liveItems: [] }, 0);
    expect(namesAt(101)).toEqual([]);
  });

  it('are awaited for three seconds while they arrive from another gateway', () => {
    plan.open(item, 100 * second);
    expect(plan.awaits(false, 100 * second)).toBe(false);
    expect(plan.awaits(true, 102 * second)).toBe(true);
    expect(plan.awaits(true, 103 * second)).toBe(false);
    plan.noteLate();
    expect(plan.awaits(true, 101 * second)).toBe(false);
  });
});
