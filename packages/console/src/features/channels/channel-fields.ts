// The form values of a channel, and changes of its lists. Pure.
import type { Channel, ChannelDraft, WeeklyEntry } from './queries.ts';

export const everyDay = [1, 2, 3, 4, 5, 6, 7] as const;

export function draftOf(channel: Channel | undefined, zone: string): ChannelDraft {
  const shape = { height: 720, fps: 25, kbps: 3_000 } as const;
  if (!channel) return { title: '', stream: '', zone, ...shape, playlist: [], weekly: [] };
  const { id: _, enabled: __, ...draft } = channel;
  return draft;
}

/** Returns the list with the entry at index `from` moved to index `to`, or unchanged for invalid positions. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const next = [...list];
  const [entry] = next.splice(from, 1);
  if (entry === undefined || to < 0 || to >= list.length) return [...list];
  next.splice(to, 0, entry);
  return next;
}

export function without<T>(list: readonly T[], index: number): T[] {
  return list.filter((_, each) => each !== index);
}

/** Weekly entries sorted by time, then by first day. */
export function inOrder(weekly: readonly WeeklyEntry[]): WeeklyEntry[] {
  return [...weekly].sort((a, b) => a.at.localeCompare(b.at) || (a.days[0] ?? 0) - (b.days[0] ?? 0));
}

export function withDay(days: readonly number[], day: number, isOn: boolean): number[] {
  const others = days.filter((each) => each !== day);
  return (isOn ? [...others, day] : others).sort((a, b) => a - b);
}

/** Name of a day in a language. Day 1 is Monday. */
export function dayName(day: number, language: string, width: 'short' | 'long'): string {
  // 1 January 2024 was a Monday.
  return new Intl.DateTimeFormat(language, { weekday: width, timeZone: 'UTC' }).format(Date.UTC(2024, 0, day));
}
