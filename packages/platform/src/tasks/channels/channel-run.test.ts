import type { Channel } from '@srs-stack/contract/models/channel.ts';
import { describe, expect, it } from 'vitest';
import { ChannelRun } from './channel-run.ts';
import type { ResolvedItems } from './channel-sources.ts';

const minuteMs = 60_000;
const startMs = Date.parse('2026-06-01T10:00:00Z');
const item = (id: string) => ({ id, kind: 'file' as const, source: id, name: id, minutes: 0 });
const channel: Channel = {
  ...{ id: 'c', title: 'C', stream: 'c', zone: 'UTC', enabled: true, height: 720, fps: 25, kbps: 3_000 },
  playlist: [item('a'), item('b')],
  weekly: [{ days: [1, 2, 3, 4, 5, 6, 7], at: '12:00', minutes: 10, item: { ...item('n'), kind: 'break' } }],
};
const items: ResolvedItems = new Map(
  ['a', 'b'].map((id) => [
    id,
    { files: [{ clipId: id, title: `Title ${id}`, path: id, prepared: `/${id}` }], problem: undefined },
  ]),
);
const lengthsOf = (known: Record<string, number>, failed: string[] = []) => ({
  lengthOf: (path: string) => known[path],
  failureOf: (path: string) => (failed.includes(path) ? {} : undefined),
});
const dark = { '/dark': 8_000 };
const all = lengthsOf({ ...dark, '/a': 30 * minuteMs, '/b': 20 * minuteMs });

describe('a channel that is on', () => {
  it('has no order before there is something to show, then plays what is prepared', () => {
    const run = new ChannelRun(undefined);
    expect(run.update(channel, items, '/dark', lengthsOf({}), startMs)).toBe(false);
    expect(run.entries).toEqual([]);
    expect(run.update(channel, items, '/dark', lengthsOf(dark), startMs)).toBe(true);
    expect(run.entries[0]).toMatchObject({ id: '', file: '/dark', loops: true });
    expect(run.update(channel, items, '/dark', all, startMs + minuteMs)).toBe(true);
    expect(run.entries[0]).toMatchObject({ id: 'a', startMs: startMs + minuteMs, offsetMs: 0 });
    expect(run.now(startMs + 2 * minuteMs)).toMatchObject({ now: { title: 'Title a' }, next: { title: 'Title b' } });
  });

  it('starts with its first item once that is prepared; weekly entries do not wait', () => {
    const run = new ChannelRun(undefined);
    // The second file is ready, because another channel uses it too.
    const second = lengthsOf({ ...dark, '/b': 20 * minuteMs });
    run.update(channel, items, '/dark', second, startMs);
    expect(run.entries.map(({ id }) => id).slice(0, 2)).toEqual(['', '']);
    expect(run.entries.some(({ id }) => id === 'n')).toBe(true);
    expect(run.startsWith).toBe('Title a');
    run.update(channel, items, '/dark', all, startMs + 9 * minuteMs);
    expect(run.entries[0]).toMatchObject({ id: 'a', startMs: startMs + 9 * minuteMs, offsetMs: 0 });
    expect(run.startsWith).toBe('');
    // A missing file does not stop a playlist that has started.
    run.update(channel, items, '/dark', second, startMs + 10 * minuteMs);
    expect(run.entries[0]).toMatchObject({ id: 'b', startMs: startMs + 10 * minuteMs });
  });

  it('starts with the second item when the first one cannot be prepared', () => {
    const run = new ChannelRun(undefined);
    run.update(channel, items, '/dark', lengthsOf({ ...dark, '/b': 20 * minuteMs }, ['/a']), startMs);
    expect(run.entries[0]).toMatchObject({ id: 'b', startMs, offsetMs: 0 });
  });

  it('orders live streams with their titles, and moves the schedule when one was not published', () => {
    const studio = { ...item('s'), kind: 'live' as const, source: 'live/studio', name: '', minutes: 60 };
    const withLive = { ...channel, playlist: [studio, item('a')], weekly: [] };
    const run = new ChannelRun(undefined);
    run.update(withLive, items, '/dark', all, startMs);
    expect(run.entries[0]).toMatchObject({ id: 's', live: 'live/studio', file: '/dark', loops: true });
    expect(run.now(startMs)).toMatchObject({ now: { title: 'live/studio' }, next: { title: 'Title a' } });
    expect(run.follow({ clip: 'a', atMs: startMs + 1_000, offsetMs: 0 })).toBe(true);
    expect(run.update(withLive, items, '/dark', all, startMs + 2_000)).toBe(true);
    expect(run.entries[0]).toMatchObject({ id: 'a', startMs: startMs + 1_000, live: '' });
    expect(run.follow({ clip: 'a', atMs: startMs + 1_000, offsetMs: 0 })).toBe(false);
  });

  it('has entries without gaps for two days, of which only weekly ones are fixed', () => {
    const run = new ChannelRun(undefined);
    run.update(channel, items, '/dark', all, startMs);
    expect(run.entries.at(-1)!.endMs).toBeGreaterThanOrEqual(startMs + 48 * 60 * minuteMs);
    for (const [index, entry] of run.entries.entries()) {
      if (index > 0) expect(entry.startMs).toBe(run.entries[index - 1]!.endMs);
      expect(entry.isFixed).toBe(entry.id === 'n');
    }
    expect(run.entries.find(({ id }) => id === 'n')).toMatchObject({
      startMs: Date.parse('2026-06-01T12:00:00Z'),
      loops: true,
    });
  });

  it('keeps its order until half of it is used, and resumes at the same position in a new process', () => {
    const run = new ChannelRun(undefined);
    run.update(channel, items, '/dark', all, startMs);
    const order = run.entries;
    expect(run.update(channel, items, '/dark', all, startMs + 60 * minuteMs)).toBe(false);
    expect(run.entries).toBe(order);
    expect(run.update(channel, items, '/dark', all, startMs + 25 * 60 * minuteMs)).toBe(true);
    const at = startMs + 25 * 60 * minuteMs;
    const covering = order.find((entry) => entry.startMs <= at && at < entry.endMs)!;
    expect(run.entries[0]).toEqual(covering);
    const later = new ChannelRun(run.schedule);
    later.update(channel, items, '/dark', all, at + minuteMs);
    expect(later.entries[1]).toEqual(run.entries.find(({ startMs: start }) => start === later.entries[1]!.startMs));
  });

  it('computes its guide once for all simultaneous requests', () => {
    const run = new ChannelRun(undefined);
    run.update(channel, items, '/dark', all, startMs);
    expect(run.guide(startMs + 5_000)).toBe(run.guide(startMs + 1_000 + 5_000));
    expect(run.guide(startMs + 60_000)).not.toBe(run.guide(startMs + 5_000));
  });
});
