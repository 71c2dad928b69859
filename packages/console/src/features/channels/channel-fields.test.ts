import { expect, test } from 'vitest';
import { dayName, draftOf, inOrder, moved, withDay, without } from './channel-fields.ts';

test('entries move to any place of the list', () => {
  expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
  expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
  expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b']);
  expect(moved(['a', 'b'], 1, 2)).toEqual(['a', 'b']);
  expect(without(['a', 'b'], 0)).toEqual(['b']);
});

test('days are toggled in the order of the week, and named in the language', () => {
  expect(withDay([1, 3], 2, true)).toEqual([1, 2, 3]);
  expect(withDay([1, 3], 3, false)).toEqual([1]);
  expect([1, 7].map((day) => dayName(day, 'en', 'short'))).toEqual(['Mon', 'Sun']);
  expect(dayName(1, 'zh-CN', 'short')).toBe('周一');
});

test('weekly entries are in the order of their times', () => {
  const item = { id: '', kind: 'break', source: '', name: '', minutes: 5 } as const;
  const entry = (at: string, days: number[]) => ({ at, days, minutes: 0, item });
  expect(inOrder([entry('20:00', [1]), entry('09:00', [5]), entry('09:00', [2])]).map(({ days }) => days[0])).toEqual([
    2, 5, 1,
  ]);
});

test('the form of a new channel has the time zone of the browser, that of a stored one its settings', () => {
  expect(draftOf(undefined, 'Asia/Shanghai')).toMatchObject({ zone: 'Asia/Shanghai', height: 720, playlist: [] });
  const channel = { ...draftOf(undefined, 'UTC'), id: 'c', enabled: true, title: 'News' };
  expect(draftOf(channel, 'Asia/Shanghai')).toEqual({ ...draftOf(undefined, 'UTC'), title: 'News' });
});
