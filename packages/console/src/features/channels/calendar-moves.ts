// Positions of weekly entries in a calendar, and changes by moving or resizing entries. Times are minutes from midnight. Pure.
import { maxChannelMinutes } from '@srs-stack/contract/limits.ts';
import type { WeeklyEntry } from './queries.ts';

export const dayMinutes = 1_440;
/** Step in which times and lengths change, minutes. */
export const stepMinutes = 15;
/** Displayed length of an entry without a set length, minutes. */
const openMinutes = 30;

/** A position in the week; day 1 is Monday. */
export interface CalendarPlace {
  readonly day: number;
  readonly minute: number;
}

export interface ChangedWeek {
  readonly entries: WeeklyEntry[];
  readonly index: number;
}

export function minuteOf({ at }: Pick<WeeklyEntry, 'at'>): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Formats minutes from midnight as `HH:MM`. */
export function timeOf(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Length of an entry, minutes. `isOpen`: the entry has no set length and ends after its files. */
export function lengthOf({ minutes, item }: Pick<WeeklyEntry, 'minutes' | 'item'>): {
  minutes: number;
  isOpen: boolean;
} {
  const known = minutes || item.minutes;
  return { minutes: known || openMinutes, isOpen: known === 0 };
}

export function snapped(minute: number): number {
  return Math.round(minute / stepMinutes) * stepMinutes;
}

/**
 * Moves an entry that was dragged from day `from` to position `to`. A new time on day `from` applies to all days of the
 * entry.
 * A move to another day affects only day `from`.
 */
export function movedTo(entries: readonly WeeklyEntry[], index: number, from: number, to: CalendarPlace): ChangedWeek {
  const entry = entries[index];
  if (!entry) return { entries: [...entries], index };
  const at = timeOf(Math.min(Math.max(0, to.minute), dayMinutes - 1));
  const day = Math.min(Math.max(1, to.day), 7);
  if (day === from) return { entries: replaced(entries, index, { ...entry, at }), index };
  const others = entry.days.filter((each) => each !== from);
  if (others.length === 0) return { entries: replaced(entries, index, { ...entry, at, days: [day] }), index };
  if (others.includes(day) && at === entry.at) return { entries: [...entries], index };
  const rest = replaced(entries, index, { ...entry, days: others });
  // The new entry has no id: the server assigns one.
  const alone = { ...entry, at, days: [day], item: { ...entry.item, id: '' } };
  return { entries: [...rest, alone], index: entries.length };
}

export function lengthened(entries: readonly WeeklyEntry[], index: number, minutes: number): WeeklyEntry[] {
  const entry = entries[index];
  if (!entry) return [...entries];
  return replaced(entries, index, { ...entry, minutes: Math.min(Math.max(stepMinutes, minutes), maxChannelMinutes) });
}

function replaced(entries: readonly WeeklyEntry[], index: number, entry: WeeklyEntry): WeeklyEntry[] {
  return entries.map((each, place) => (place === index ? entry : each));
}
