// Computes what a channel plays at an instant. Weekly entries start at their times. The repeating playlist fills the gaps and pauses during
// weekly entries. Pure.
import { type DayNumber, dayAt, instantOf, weekdayOf } from './calendar-days.ts';

/** A schedule item with a known length. */
export interface Clip {
  readonly id: string;
  readonly file: string;
  readonly durationMs: number;
  /** Whether the file repeats until the end of `durationMs`. */
  readonly loops: boolean;
  /** `app/stream` of a live stream that plays in place of the file; '' for a file. */
  readonly live: string;
}

export interface WeeklyClips {
  /** Weekdays from 1 (Monday) to 7 (Sunday). */
  readonly days: readonly number[];
  readonly minuteOfDay: number;
  /** Played once, in this order. An entry without clips is ignored. */
  readonly clips: readonly Clip[];
  /** Maximum duration of the entry, milliseconds; 0: `maxEntryMs`. The remaining clips are not played. */
  readonly longestMs: number;
}

export interface Anchor {
  readonly atMs: number;
  /** Playlist position at `atMs`, milliseconds. */
  readonly positionMs: number;
}

/** A weekly entry that ended early at `endMs`, because its live stream was missing or has ended. */
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
  /** Plays in a loop when nothing else is scheduled. */
  readonly filler: Clip;
}

/** The operator's settings. */
export type ScheduleContent = Omit<Schedule, 'anchor' | 'ended'>;

export interface Slot {
  readonly clip: Clip;
  readonly cause: 'weekly' | 'playlist' | 'filler';
  /** Plays from `startMs` to `endMs`, starting at position `offsetMs` of the clip. */
  readonly startMs: number;
  readonly offsetMs: number;
  readonly endMs: number;
}

interface Window {
  readonly startMs: number;
  readonly endMs: number;
  readonly clips: readonly Clip[];
}

/** Maximum length of a weekly entry, milliseconds. */
const maxEntryMs = 24 * 3_600_000;
/** Slot length of the filler in a schedule without playlist, milliseconds. */
const fillerSlotMs = 3_600_000;
/** Maximum number of stored ended entries. Lookups need the entries of the last two days. */
const maxEnded = 200;
/** Smaller deviations from the schedule are ignored, milliseconds: gateways then continue without a cut. */
const toleranceMs = 5_000;
/** Maximum number of cached days of weekly entries per schedule. Every lookup needs several days. */
const maxKeptDays = 400;

/** The slot at an instant. The slot may start before the instant. */
export function slotAt(schedule: Schedule, atMs: number): Slot {
  const current = windows(schedule, atMs, atMs).find(({ startMs, endMs }) => startMs <= atMs && atMs < endMs);
  if (current) return slotInWindow(current, atMs);
  const slot = gapSlot(schedule, atMs);
  const next = windows(schedule, atMs, slot.endMs).find(({ startMs }) => startMs > atMs);
  return { ...slot, endMs: Math.min(slot.endMs, next?.startMs ?? slot.endMs) };
}

/** At most `most` consecutive slots; the first slot contains `fromMs`. */
export function slotsFrom(schedule: Schedule, fromMs: number, untilMs: number, most: number): Slot[] {
  const slots: Slot[] = [];
  // Passes the position along: computing every slot from the first anchor would be slow.
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

/** Playlist position at an instant, milliseconds. */
export function positionAt(schedule: Schedule, atMs: number): number {
  const { anchor } = schedule;
  if (atMs <= anchor.atMs) return anchor.positionMs - (anchor.atMs - atMs);
  const covered = windows(schedule, anchor.atMs, atMs).reduce(
    (sum, { startMs, endMs }) => sum + Math.max(0, Math.min(endMs, atMs) - Math.max(startMs, anchor.atMs)),
    0,
  );
  return anchor.positionMs + (atMs - anchor.atMs) - covered;
}

/** Anchor that lets a changed schedule continue in the current clip. If the clip was removed, continues with the next clip that remains. */
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

/** The start of a clip, reported by a gateway: `offsetMs` of the clip played at `atMs`. */
export interface Beginning {
  readonly clip: string;
  readonly atMs: number;
  readonly offsetMs: number;
}

/**
 * Moves the schedule after a playlist clip started at an unplanned time: a live stream was missing, ended early or arrived late. Returns
 * `schedule` itself if nothing moves.
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

/** The slot between weekly entries, ignoring the next entry. The slot starts where the clip starts or resumes. */
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

/** End of the newest weekly entry that ended between the anchor and `atMs`. */
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

/** Weekly entries that overlap the interval, in order. An entry ends when the next entry starts. */
function windows({ zone, weekly, ended }: Schedule, fromMs: number, toMs: number): Window[] {
  if (weekly.length === 0) return [];
  const starts: Window[] = [];
  const lastDay = dayAt(zone, toMs) + 1;
  for (let day = dayAt(zone, fromMs - maxEntryMs) - 1; day <= lastDay; day++)
    starts.push(...startsOn(zone, weekly, day));
  // If two entries start together, the first entry of the list plays.
  starts.sort((a, b) => a.startMs - b.startMs);
  const unique = starts.filter(({ startMs }, index) => startMs !== starts[index - 1]?.startMs);
  return unique
    .map((each, index) => ({ ...each, endMs: Math.min(each.endMs, unique[index + 1]?.startMs ?? each.endMs) }))
    .map((each) => ({ ...each, endMs: ended.findLast(({ startMs }) => startMs === each.startMs)?.endMs ?? each.endMs }))
    .filter(({ startMs, endMs }) => endMs >= fromMs && startMs <= toMs);
}

const keptStarts = new WeakMap<readonly WeeklyClips[], Map<DayNumber, Window[]>>();

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
