import { expect, test } from 'vitest';
import { lengthened, lengthOf, minuteOf, movedTo, snapped, timeOf } from './calendar-moves.ts';

const item = { id: 'i', kind: 'file', source: 'vlive/a.mp4', name: 'A', minutes: 0 } as const;
const entry = (at: string, days: number[], minutes = 0) => ({ at, days, minutes, item });

test('times are minutes from midnight, in steps of a quarter of an hour', () => {
  expect(minuteOf({ at: '20:07' })).toBe(1_207);
  expect([timeOf(1_207), timeOf(0)]).toEqual(['20:07', '00:00']);
  expect([snapped(7), snapped(8)]).toEqual([0, 15]);
});

test('an entry without a maximum time is shown as half an hour, a break with its own length', () => {
  expect(lengthOf(entry('20:00', [1]))).toEqual({ minutes: 30, isOpen: true });
  expect(lengthOf({ minutes: 0, item: { ...item, kind: 'break', minutes: 5 } })).toEqual({ minutes: 5, isOpen: false });
});

test('an entry moved within a day is moved on all of its days', () => {
  const entries = [entry('20:00', [1, 2])];
  expect(movedTo(entries, 0, 2, { day: 2, minute: 600 })).toEqual({ entries: [entry('10:00', [1, 2])], index: 0 });
});

test('an entry moved to another day keeps its other days', () => {
  const entries = [entry('20:00', [1, 2]), entry('08:00', [3])];
  const { entries: moved, index } = movedTo(entries, 0, 2, { day: 5, minute: 600 });
  expect(moved.map(({ at, days }) => [at, days])).toEqual([
    ['20:00', [1]],
    ['08:00', [3]],
    ['10:00', [5]],
  ]);
  expect([index, moved[2]!.item.id]).toEqual([2, '']);
  expect(movedTo(entries, 1, 3, { day: 4, minute: 480 }).entries[1]).toEqual(entry('08:00', [4]));
  expect(movedTo(entries, 0, 1, { day: 2, minute: 1_200 }).entries).toEqual(entries);
});

test('an entry cannot leave the week or its limits', () => {
  const entries = [entry('20:00', [1])];
  expect(movedTo(entries, 0, 1, { day: 9, minute: 5_000 }).entries[0]).toMatchObject({ at: '23:59', days: [7] });
  expect(movedTo(entries, 0, 1, { day: -1, minute: -5 }).entries[0]).toMatchObject({ at: '00:00', days: [1] });
  expect(lengthened(entries, 0, -5)[0]!.minutes).toBe(15);
  expect(lengthened(entries, 0, 9_000)[0]!.minutes).toBe(1_440);
  expect(movedTo(entries, 4, 1, { day: 2, minute: 0 }).entries).toEqual(entries);
});
