import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Clip,
  continuedAnchor,
  followed,
  positionAt,
  type Schedule,
  slotAt,
  slotsFrom,
  type WeeklyClips,
} from './schedule.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const yearMs = 366 * dayMs;
const startMs = Date.parse('2026-01-01T00:00:00Z');
const clip = (id: string, durationMs: number): Clip => ({
  ...{ id, file: `${id}.flv`, durationMs, loops: false },
  live: '',
});
const filler: Clip = { ...clip('filler', 8_000), loops: true };
const everyDay = [1, 2, 3, 4, 5, 6, 7];

function schedule(part: Partial<Schedule>): Schedule {
  return {
    zone: 'Europe/Berlin',
    playlist: [],
    weekly: [],
    filler,
    ended: [],
    anchor: { atMs: startMs, positionMs: 0 },
    ...part,
  };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** Clip and position after playing the repeating playlist for this time. */
function placeOf(playlist: readonly Clip[], playedMs: number): string {
  let leftMs = playedMs % playlist.reduce((sum, { durationMs }) => sum + durationMs, 0);
  for (const { id, durationMs } of playlist) {
    if (leftMs < durationMs) return `${id}+${leftMs}`;
    leftMs -= durationMs;
  }
  return '';
}

const lengths = fc.integer({ min: 100, max: 5 * 3600 }).map((seconds) => seconds * 320);
const clips = (name: string, minLength: number) =>
  fc
    .array(lengths, { minLength, maxLength: 5 })
    .map((all) => all.map((durationMs, index) => clip(`${name}${index}`, durationMs)));
const weeklyEntry: fc.Arbitrary<WeeklyClips> = fc.record({
  days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
  minuteOfDay: fc.integer({ min: 0, max: 1439 }),
  clips: clips('w', 0),
  longestMs: fc.constantFrom(0, 20 * minuteMs, 3 * hourMs),
});
const schedules = fc
  .record({
    zone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Shanghai'),
    playlist: clips('p', 0),
    weekly: fc.array(weeklyEntry, { maxLength: 4 }),
  })
  .map(schedule);

describe('schedule of a channel', () => {
  it('plays the playlist in order and repeats it', () => {
    const plan = schedule({ playlist: [clip('a', hourMs), clip('b', 2 * hourMs)] });
    const slots = slotsFrom(plan, startMs, startMs + 6 * hourMs, 100);
    expect(slots.map((slot) => slot.clip.id)).toEqual(['a', 'b', 'a', 'b']);
    expect(slotAt(plan, startMs + 90 * minuteMs)).toMatchObject({
      clip: { id: 'b' },
      startMs: startMs + hourMs,
      offsetMs: 0,
    });
  });

  it('pauses the playlist during a weekly entry and resumes it where it was', () => {
    const news = { days: everyDay, minuteOfDay: 20 * 60, clips: [clip('news', 15 * minuteMs)], longestMs: 0 };
    const plan = schedule({ playlist: [clip('film', 3 * hourMs)], weekly: [news] });
    const from = Date.parse('2026-01-01T18:30:00Z');
    const slots = slotsFrom(plan, from, from + 3 * hourMs, 100);
    expect(slots.map((slot) => [slot.clip.id, isoOf(slot.startMs), slot.offsetMs / minuteMs])).toEqual([
      ['film', '2026-01-01T18:00:00.000Z', 0],
      ['news', '2026-01-01T19:00:00.000Z', 0],
      ['film', '2026-01-01T19:15:00.000Z', 60],
      ['film', '2026-01-01T21:15:00.000Z', 0],
    ]);
  });

  it('starts weekly entries at the same local time before and after both changes of the clock', () => {
    const news = { days: [7], minuteOfDay: 2 * 60 + 30, clips: [clip('news', 15 * minuteMs)], longestMs: 0 };
    const plan = schedule({ playlist: [clip('film', hourMs)], weekly: [news] });
    const starts = slotsFrom(plan, startMs, startMs + yearMs, 100_000)
      .filter(({ cause }) => cause === 'weekly')
      .map((slot) => isoOf(slot.startMs));
    expect(starts).toHaveLength(52);
    expect(starts).toContain('2026-03-22T01:30:00.000Z');
    // 02:30 does not exist on this day: clocks jump to 03:30.
    expect(starts).toContain('2026-03-29T01:30:00.000Z');
    expect(starts).toContain('2026-04-05T00:30:00.000Z');
    // 02:30 occurs twice on this day.
    expect(starts).toContain('2026-10-25T00:30:00.000Z');
    expect(starts).toContain('2026-11-01T01:30:00.000Z');
  });

  it('ends an entry when a later one starts, and plays the first of two with the same start', () => {
    const long = { days: everyDay, minuteOfDay: 600, clips: [clip('long', 5 * hourMs)], longestMs: 0 };
    const late = { days: everyDay, minuteOfDay: 660, clips: [clip('late', hourMs)], longestMs: 0 };
    const hidden = { days: everyDay, minuteOfDay: 660, clips: [clip('hidden', 9 * hourMs)], longestMs: 0 };
    const from = Date.parse('2026-06-01T08:00:00Z');
    const slots = slotsFrom(schedule({ weekly: [long, late, hidden] }), from, from + 3 * hourMs, 100);
    expect(slots.map((slot) => [slot.clip.id, isoOf(slot.startMs)])).toEqual([
      ['long', '2026-06-01T08:00:00.000Z'],
      ['late', '2026-06-01T09:00:00.000Z'],
      ['filler', '2026-06-01T10:00:00.000Z'],
    ]);
  });

  it('covers a year without gap or overlap, whatever the schedule', () => {
    fc.assert(
      fc.property(schedules, (plan) => {
        const slots = slotsFrom(plan, startMs, startMs + yearMs, 20_000);
        const wrong: object[] = [];
        let expectedMs = slots[0]!.startMs;
        let playedMs = 0;
        for (const slot of slots) {
          const { offsetMs, clip: played, cause } = slot;
          const lengthMs = slot.endMs - slot.startMs;
          const longestMs = cause === 'filler' ? hourMs : played.durationMs;
          if (slot.startMs !== expectedMs || lengthMs <= 0 || offsetMs + lengthMs > longestMs) wrong.push(slot);
          // No part of the playlist may be skipped or repeated.
          if (cause === 'playlist' && placeOf(plan.playlist, playedMs) !== `${played.id}+${offsetMs}`) wrong.push(slot);
          if (cause === 'playlist') playedMs += lengthMs;
          expectedMs = slot.endMs;
        }
        expect(wrong).toEqual([]);
      }),
      { numRuns: 5 },
    );
  });

  it('returns for one instant the same slot as the list, at any time of the year', () => {
    fc.assert(
      fc.property(schedules, fc.integer({ min: 0, max: yearMs - dayMs }), (plan, laterMs) => {
        const at = startMs + laterMs;
        const [first, second] = slotsFrom(plan, at, at + dayMs, 2);
        expect(first!.startMs).toBeLessThanOrEqual(at);
        expect(first!.endMs).toBeGreaterThan(at);
        const middle = Math.floor((Math.max(first!.startMs, at) + first!.endMs) / 2);
        expect(slotAt(plan, middle)).toEqual(first);
        if (second) expect(slotAt(plan, first!.endMs)).toEqual(second);
      }),
      { numRuns: 200 },
    );
  });

  it('continues with the same clip at the same position when the playlist changes', () => {
    const before = schedule({ playlist: [clip('a', hourMs), clip('b', hourMs), clip('c', hourMs)] });
    const at = startMs + 80 * minuteMs;
    const moved = { ...before, playlist: [clip('b', hourMs), clip('new', hourMs), clip('a', hourMs)] };
    const after = { ...moved, anchor: continuedAnchor(before, moved, at) };
    expect(slotAt(after, at)).toMatchObject({ clip: { id: 'b' }, startMs: startMs + hourMs });
    expect(positionAt(after, at)).toBe(20 * minuteMs);
  });

  it('continues with the next remaining clip when the clip on air is removed', () => {
    const before = schedule({ playlist: [clip('a', hourMs), clip('b', hourMs), clip('c', hourMs)] });
    const at = startMs + 80 * minuteMs;
    const less = { ...before, playlist: [clip('a', hourMs), clip('c', hourMs)] };
    const after = { ...less, anchor: continuedAnchor(before, less, at) };
    expect(slotAt(after, at)).toMatchObject({ clip: { id: 'c' }, startMs: at, offsetMs: 0 });
    expect(continuedAnchor(before, { ...before, playlist: [] }, at)).toEqual({ atMs: at, positionMs: 0 });
  });
});

describe('a schedule with live streams', () => {
  const live = (id: string, durationMs: number): Clip => ({ ...clip(id, durationMs), loops: true, live: `live/${id}` });
  const shownFrom = (plan: Schedule, from: number, hours: number) =>
    slotsFrom(plan, from, from + hours * hourMs, 100).map((slot) => [
      ...[slot.clip.id, isoOf(slot.startMs).slice(11, 16), slot.offsetMs / minuteMs],
    ]);

  it('starts the following items earlier when the stream of the playlist was not published', () => {
    const plan = schedule({ playlist: [clip('a', hourMs), live('x', hourMs), clip('b', 2 * hourMs)] });
    expect(followed(plan, { clip: 'a', atMs: startMs + 2_000, offsetMs: 0 })).toBe(plan);
    const moved = followed(plan, { clip: 'b', atMs: startMs + hourMs, offsetMs: 0 });
    expect(shownFrom(moved, startMs + hourMs, 4)).toEqual([
      ['b', '01:00', 0],
      ['a', '03:00', 0],
      ['x', '04:00', 0],
    ]);
  });

  it('resumes the file that a late stream interrupted', () => {
    const plan = schedule({ playlist: [clip('a', hourMs), live('x', hourMs), clip('b', 2 * hourMs)] });
    const absent = followed(plan, { clip: 'b', atMs: startMs + hourMs, offsetMs: 0 });
    const resumed = followed(absent, { clip: 'b', atMs: startMs + 2 * hourMs, offsetMs: 10 * minuteMs });
    expect(shownFrom(resumed, startMs + 2 * hourMs, 2)).toEqual([
      ['b', '01:50', 0],
      ['a', '03:50', 0],
    ]);
  });

  it('continues with the playlist when the stream of a weekly entry has ended early, on that day only', () => {
    const show = { days: everyDay, minuteOfDay: 20 * 60, clips: [live('x', hourMs)], longestMs: hourMs };
    const plan = schedule({ zone: 'UTC', playlist: [clip('film', 24 * hourMs)], weekly: [show] });
    const moved = followed(plan, { clip: 'film', atMs: startMs + 20.5 * hourMs, offsetMs: 20 * hourMs });
    expect(shownFrom(moved, startMs + 20.5 * hourMs, 25)).toEqual([
      ['film', '20:30', 20 * 60],
      ['film', '00:30', 0],
      ['x', '20:00', 0],
      ['film', '21:00', 19.5 * 60],
    ]);
    expect(followed(moved, { clip: 'film', atMs: startMs + 20.5 * hourMs, offsetMs: 20 * hourMs })).toBe(moved);
  });

  it('is not moved by items outside the playlist; without live streams it is never moved', () => {
    const news = { days: everyDay, minuteOfDay: 20 * 60, clips: [clip('news', hourMs)], longestMs: 0 };
    const plan = schedule({ zone: 'UTC', playlist: [clip('a', hourMs), clip('b', hourMs)], weekly: [news] });
    for (const beginning of [
      { clip: 'b', atMs: startMs + 10 * minuteMs, offsetMs: 0 },
      { clip: 'b', atMs: startMs + 20.5 * hourMs, offsetMs: 0 },
      { clip: 'news', atMs: startMs + 10 * minuteMs, offsetMs: 0 },
    ])
      expect(followed(plan, beginning)).toBe(plan);
  });
});
