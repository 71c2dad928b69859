// Selects the next file of a channel, and the part of that file. Times are parameters.
import type { ChannelEntry, ChannelOrder } from '@srs-stack/process/channel-orders.ts';

/**
 * Tolerance of scheduled times, milliseconds. A file that ends late by at most this tolerance is played to its end. After a schedule
 * change, the current file continues if its position is within the tolerance of the new schedule. Covers the distance to a keyframe (2 s),
 * and the time in which the control plane replaces a missing file.
 */
export const toleranceMs = 5_000;
/** Maximum length of a filler part, milliseconds. Short, so that an entry that becomes playable starts soon. */
const fillerPartMs = 10_000;

export interface Part {
  /** Undefined for the filler. */
  readonly entry: ChannelEntry | undefined;
  readonly file: string;
  readonly offsetMs: number;
  /** Planned end, milliseconds since 1970. */
  readonly endMs: number;
  readonly loops: boolean;
}

/** An interrupted part that resumes later. */
export interface InterruptedPart {
  readonly part: Part;
  readonly offsetMs: number;
  /** Time of the interruption, milliseconds since 1970. */
  readonly wallMs: number;
}

export interface PartChoice {
  readonly order: ChannelOrder;
  /** Unreadable files. */
  readonly failed: ReadonlySet<string>;
  /** Entry of the previous part; undefined at the start, after the filler, and after a cut to the entry that is due. */
  readonly last: ChannelEntry | undefined;
  readonly wallMs: number;
}

/** The part after `last`. Without `last`, or if that part is overdue: the part that is due, or the next part. */
export function nextPart({ order, failed, last, wallMs }: PartChoice): Part {
  const entries = repeated(order.entries, wallMs).filter(({ file }) => !failed.has(file));
  const following = last && entries.find(({ startMs }) => startMs > last.startMs);
  const isOverdue = following !== undefined && wallMs - following.startMs > toleranceMs;
  if (following && !isOverdue) return startOrWait(following, order, wallMs);
  const current = entries.find(({ startMs, endMs }) => startMs <= wallMs && wallMs < endMs);
  if (current) return partOf(current, current.offsetMs + wallMs - current.startMs);
  const upcoming = entries.find(({ startMs }) => startMs > wallMs);
  return upcoming ? startOrWait(upcoming, order, wallMs) : fillerPart(order, wallMs + fillerPartMs);
}

/** The rest of an interrupted part, limited by the next entry with a fixed time; undefined if that rest is no longer due. */
export function resumedPart(
  { part, offsetMs, wallMs: sinceMs }: InterruptedPart,
  order: ChannelOrder,
  wallMs: number,
): Part | undefined {
  const { entry, file } = part;
  if (!entry || !order.entries.some(({ id, file: other }) => id === entry.id && other === file)) return undefined;
  const fixed = repeated(order.entries, wallMs).find(({ isFixed, endMs }) => isFixed && endMs > wallMs);
  if (fixed && fixed.startMs <= wallMs) return undefined;
  const plannedMs = part.endMs + wallMs - sinceMs;
  return { ...part, offsetMs, endMs: Math.min(plannedMs, fixed?.startMs ?? plannedMs) };
}

/**
 * The entry of a changed order that continues the current part at about the same position; undefined if viewers must see the change now.
 */
export function sameEntry(
  order: ChannelOrder,
  playing: Part,
  offsetMs: number,
  wallMs: number,
): ChannelEntry | undefined {
  if (!playing.entry) return undefined;
  const { id } = playing.entry;
  return repeated(order.entries, wallMs).find(({ startMs, endMs, offsetMs: firstMs, loops, ...entry }) => {
    if (entry.id !== id || entry.file !== playing.file) return false;
    const isDue = startMs - toleranceMs <= wallMs && wallMs < endMs + toleranceMs;
    return isDue && (loops || Math.abs(firstMs + wallMs - startMs - offsetMs) <= toleranceMs);
  });
}

/** An entry with a fixed time starts early by at most the tolerance, so the filler plays before it. Other entries start immediately. */
function startOrWait(entry: ChannelEntry, order: ChannelOrder, wallMs: number): Part {
  if (entry.isFixed && entry.startMs - wallMs > toleranceMs) {
    return fillerPart(order, Math.min(entry.startMs, wallMs + fillerPartMs));
  }
  return partOf(entry, entry.offsetMs);
}

function partOf(entry: ChannelEntry, offsetMs: number): Part {
  const { file, endMs, loops } = entry;
  return { entry, file, offsetMs, endMs, loops };
}

function fillerPart({ filler }: ChannelOrder, endMs: number): Part {
  return { entry: undefined, file: filler, offsetMs: 0, endMs, loops: true };
}

/** The entries with the times of the round that contains `wallMs`. All entries repeat after the last entry. */
function repeated(entries: readonly ChannelEntry[], wallMs: number): ChannelEntry[] {
  const [first] = entries;
  const endMs = entries.at(-1)?.endMs;
  if (!first || endMs === undefined || wallMs < endMs) return [...entries];
  const periodMs = endMs - first.startMs;
  const shiftMs = Math.floor((wallMs - first.startMs) / periodMs) * periodMs;
  return entries.map((each) => ({ ...each, startMs: each.startMs + shiftMs, endMs: each.endMs + shiftMs }));
}
