// Computes what a channel plays at an instant. Weekly entries start at their time; the playlist fills the gaps, pauses during weekly
// entries and repeats. Pure: lengths of clips are known, time is a parameter.
import { type DayNumber, dayAt, instantOf, weekdayOf } from './calendar-days.ts';

/** An item with a known length. */
export interface Clip {
  /** Unique in its schedule. */
  readonly id: string;
  /** The prepared file. */
  readonly file: string;
  readonly durationMs: number;
  /** Whether the file repeats until `durationMs` is over. */
  readonly loops: boolean;
  /** A live stream that plays in place of the file, `app/stream`; '' for a file. */
  readonly live: string;
}

export interface WeeklyClips {
  /** 1 (Monday) to 7 (Sunday). */
  readonly days: readonly number[];
  readonly minuteOfDay: number;
  /** Clips that are played once, in this order. Without clips the entry is ignored. */
  readonly clips: readonly Clip[];
  /** Maximum duration of the entry, milliseconds, even if clips remain; 0: no limit. */
  readonly longestMs: number;
}

export interface Anchor {
  readonly atMs: number;
  /** Position in the playlist at `atMs`, milliseconds. */
  readonly positionMs: number;
}

/** A weekly entry that was cut short at `endMs`, because its live stream was not published or has ended. */
interface EndedEntry {
  readonly startMs: number;
  readonly endMs: number;
}

export interface Schedule {
  readonly zone: string;
  readonly playlist: readonly Clip[];
  readonly weekly: readonly WeeklyClips[];
  readonly anchor: Anchor;
  /** Newest last. */
  readonly ended: readonly EndedEntry[];
  /** Plays in a loop while nothing else is scheduled. */
  readonly filler: Clip;
}

/** The operator's settings. */
export type ScheduleContent = Omit<Schedule, 'anchor' | 'ended'>;

export interface Slot {
  readonly clip: Clip;
  readonly cause: 'weekly' | 'playlist' | 'filler';
  /** The clip starts at `offsetMs` and plays from `startMs` to `endMs`, the time of the next change. */
  readonly startMs: number;
  readonly offsetMs: number;
  readonly endMs: number;
}

interface Window {
  readonly startMs: number;
  readonly endMs: number;
  readonly clips: readonly Clip[];
}

/** Longest weekly entry, milliseconds. */
const maxEntryMs = 24 * 3_600_000;
/** Slot length of the filler if there is neither playlist nor weekly entry, milliseconds. */
const fillerSlotMs = 3_600_000;
/** Maximum number of ended entries that are kept; lookups need those of the last two days. */
const maxEnded = 200;
/** Deviation from the scheduled time up to which the schedule is not moved, milliseconds: gateways continue without a cut. */
const toleranceMs = 5_000;
/** Maximum number of cached days of weekly entries per schedule; every slot needs them. */
const maxKeptDays = 400;

/** The slot that contains the instant; its start may be before the instant. */
export function slotAt(schedule: Schedule, atMs: number): Slot {
  const current = windows(schedule, atMs, atMs).find(({ startMs, endMs }) => startMs <= atMs && atMs < endMs);
  if (current) return slotInWindow(current, atMs);
  const slot = gapSlot(schedule, atMs);
  const next = windows(schedule, atMs, slot.endMs).find(({ startMs }) => startMs > atMs);
  return { ...slot, endMs: Math.min(slot.endMs, next?.startMs ?? slot.endMs) };
}

/** Slots in order without gaps, starting with the one that contains `fromMs`; at most `most`. */
export function slotsFrom(schedule: Schedule, fromMs: number, untilMs: number, most: number): Slot[] {
  const slots: Slot[] = [];
  // The position is passed along; computing it from the anchor for every slot would be slow.
  let at = fromMs;
  let current = schedule;
  while (at < untilMs && slots.length < most) {
    const slot = slotAt(current, at);
    slots.push(slot);
    current = { ...current, anchor: { atMs: slot.endMs, positionMs: positionAt(current, slot.endMs) } };
    at = slot.endMs;
  }
  return slots;
}

/** Position in the playlist at the instant, milliseconds. */
export function positionAt(schedule: Schedule, atMs: number): number {
  const { anchor } = schedule;
  if (atMs <= anchor.atMs) return anchor.positionMs - (anchor.atMs - atMs);
  const covered = windows(schedule, anchor.atMs, atMs).reduce(
    (sum, { startMs, endMs }) => sum + Math.max(0, Math.min(endMs, atMs) - Math.max(startMs, anchor.atMs)),
    0,
  );
  return anchor.positionMs + (atMs - anchor.atMs) - covered;
}

/** Anchor for a changed schedule that continues at the position of the previous one: in the same clip, or in the next remaining one. */
export function continuedAnchor(before: Schedule, after: ScheduleContent, atMs: number): Anchor {
  const { clip: current, offsetMs } = clipAt(before.playlist, positionAt(before, atMs)) ?? {};
  if (!current) return { atMs, positionMs: 0 };
  const index = before.playlist.indexOf(current);
  const following = [...before.playlist.slice(index), ...before.playlist.slice(0, index)];
  const kept = following.find(({ id }) => after.playlist.some((clip) => clip.id === id));
  if (!kept) return { atMs, positionMs: 0 };
  const startMs = startOf(after.playlist, kept.id);
  return { atMs, positionMs: kept === current ? startMs + offsetMs! : startMs };
}

/** The start of a clip, as reported by a gateway: at `atMs`, from the position `offsetMs` of the clip. */
export interface Beginning {
  /** Id of the clip. */
  readonly clip: string;
  readonly atMs: number;
  readonly offsetMs: number;
}

/**
 * The schedule after a clip of the playlist started at another time than planned, because a live stream was missing, ended early or arrived
 * late. The following items are moved. Returns the same object when nothing is moved.
 */
export function followed(schedule: Schedule, { clip, atMs, offsetMs }: Beginning): Schedule {
  const { playlist, anchor, ended } = schedule;
  if (atMs <= anchor.atMs || !playlist.some(({ id }) => id === clip)) return schedule;
  const positionMs = startOf(playlist, clip) + offsetMs;
  const moved = { ...schedule, anchor: { atMs, positionMs } };
  const entry = windows(schedule, atMs, atMs).find(({ startMs, endMs }) => startMs <= atMs && atMs < endMs);
  if (entry) {
    const isCut = entry.clips.some(({ live }) => live !== '') && entry.endMs - atMs > toleranceMs;
    return isCut ? { ...moved, ended: [...ended, { startMs: entry.startMs, endMs: atMs }].slice(-maxEnded) } : schedule;
  }
  if (!hasLive(schedule)) return schedule;
  const totalMs = lengthOfAll(playlist);
  const offMs = (((positionMs - positionAt(schedule, atMs)) % totalMs) + totalMs) % totalMs;
  return Math.min(offMs, totalMs - offMs) > toleranceMs ? moved : schedule;
}

function hasLive({ playlist, weekly }: Schedule): boolean {
  return [playlist, ...weekly.map(({ clips }) => clips)].some((clips) => clips.some(({ live }) => live !== ''));
}

function slotInWindow({ startMs, endMs, clips }: Window, atMs: number): Slot {
  const found = clipAt(clips, atMs - startMs)!;
  const clipStartMs = atMs - found.offsetMs;
  const clipEndMs = clipStartMs + found.clip.durationMs;
  return { clip: found.clip, cause: 'weekly', startMs: clipStartMs, offsetMs: 0, endMs: Math.min(clipEndMs, endMs) };
}

/** The slot between weekly entries, ignoring the next entry. It starts where the clip started or resumed. */
function gapSlot(schedule: Schedule, atMs: number): Slot {
  const { playlist, filler, anchor } = schedule;
  const gapStartMs = lastEnd(schedule, atMs);
  const position = clipAt(playlist, positionAt(schedule, atMs));
  if (!position) {
    const firstMs = gapStartMs ?? Math.min(anchor.atMs, atMs);
    const startMs = firstMs + Math.floor((atMs - firstMs) / fillerSlotMs) * fillerSlotMs;
    return { clip: filler, cause: 'filler', startMs, offsetMs: 0, endMs: startMs + fillerSlotMs };
  }
  const { clip, offsetMs } = position;
  const startMs = Math.max(atMs - offsetMs, gapStartMs ?? Number.NEGATIVE_INFINITY);
  const endMs = atMs - offsetMs + clip.durationMs;
  return { clip, cause: 'playlist', startMs, offsetMs: offsetMs - (atMs - startMs), endMs };
}

/** End of the newest weekly entry that ended at or before the instant and after the anchor; undefined if there is none. */
function lastEnd(schedule: Schedule, atMs: number): number | undefined {
  const fromMs = Math.max(schedule.anchor.atMs, atMs - longestClipMs(schedule));
  if (fromMs > atMs) return undefined;
  return windows(schedule, fromMs, atMs)
    .filter(({ endMs }) => endMs <= atMs)
    .at(-1)?.endMs;
}

function longestClipMs({ playlist }: Schedule): number {
  return Math.max(fillerSlotMs, ...playlist.map(({ durationMs }) => durationMs));
}

/** Weekly entries that overlap the interval, in order. The start of an entry ends the previous one. */
function windows({ zone, weekly, ended }: Schedule, fromMs: number, toMs: number): Window[] {
  if (weekly.length === 0) return [];
  const starts: Window[] = [];
  const lastDay = dayAt(zone, toMs) + 1;
  for (let day = dayAt(zone, fromMs - maxEntryMs) - 1; day <= lastDay; day++)
    starts.push(...startsOn(zone, weekly, day));
  // If two entries start at the same time, the first of the list plays.
  starts.sort((a, b) => a.startMs - b.startMs);
  const unique = starts.filter(({ startMs }, index) => startMs !== starts[index - 1]?.startMs);
  return unique
    .map((each, index) => ({ ...each, endMs: Math.min(each.endMs, unique[index + 1]?.startMs ?? each.endMs) }))
    .map((each) => ({ ...each, endMs: ended.findLast(({ startMs }) => startMs === each.startMs)?.endMs ?? each.endMs }))
    .filter(({ startMs, endMs }) => endMs >= fromMs && startMs <= toMs);
}

const keptStarts = new WeakMap<readonly WeeklyClips[], Map<DayNumber, Window[]>>();

/** The entries of one day of the calendar. */
function startsOn(zone: string, weekly: readonly WeeklyClips[], day: DayNumber): Window[] {
  const kept = keptStarts.get(weekly) ?? new Map<DayNumber, Window[]>();
  keptStarts.set(weekly, kept);
  const known = kept.get(day);
  if (known) return known;
  if (kept.size >= maxKeptDays) kept.clear();
  const starts = weekly
    .filter(({ clips, days }) => clips.length > 0 && days.includes(weekdayOf(day)))
    .map((entry) => {
      const startMs = instantOf(zone, day, entry.minuteOfDay);
      return { startMs, endMs: startMs + lengthOf(entry), clips: entry.clips };
    });
  kept.set(day, starts);
  return starts;
}

function lengthOf({ clips, longestMs }: WeeklyClips): number {
  return Math.min(lengthOfAll(clips), longestMs || maxEntryMs, maxEntryMs);
}

/** The clip at a position of a repeating list; undefined for an empty list. */
function clipAt(clips: readonly Clip[], positionMs: number): { clip: Clip; offsetMs: number } | undefined {
  const totalMs = lengthOfAll(clips);
  if (totalMs <= 0) return undefined;
  let offsetMs = ((positionMs % totalMs) + totalMs) % totalMs;
  for (const clip of clips) {
    if (offsetMs < clip.durationMs) return { clip, offsetMs };
    offsetMs -= clip.durationMs;
  }
  return undefined;
}

function startOf(clips: readonly Clip[], id: string): number {
  return lengthOfAll(
    clips.slice(
      0,
      clips.findIndex((clip) => clip.id === id),
    ),
  );
}

function lengthOfAll(clips: readonly Clip[]): number {
  return clips.reduce((sum, { durationMs }) => sum + durationMs, 0);
}
