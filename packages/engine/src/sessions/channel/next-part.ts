// Which part of which file a channel plays next. Pure: wall clock times are parameters.
import type { ChannelEntry, ChannelOrder } from '@srs-stack/process/channel-orders.ts';

/**
 * A file that ends this much after its time is played to its end, and one that comes this much off its time is not cut: a keyframe is at
 * most 2 s away, and the control plane needs a moment to replace a missing file; milliseconds.
 */
export const toleranceMs = 5_000;
/** The filler is played in parts of at most this length, so that entries that become playable come soon, milliseconds. */
const fillerPartMs = 10_000;

export interface Part {
  /** Undefined for the filler. */
  readonly entry: ChannelEntry | undefined;
  readonly file: string;
  readonly offsetMs: number;
  /** Wall clock time at which it is to end at the latest. */
  readonly endMs: number;
  readonly loops: boolean;
}

/** A part that was interrupted, and goes on later. */
export interface InterruptedPart {
  readonly part: Part;
  /** Where the file is. */
  readonly offsetMs: number;
  /** Wall clock time of the interruption. */
  readonly wallMs: number;
}

export interface PartChoice {
  readonly order: ChannelOrder;
  /** Files that could not be read. */
  readonly failed: ReadonlySet<string>;
  /** What was played last; undefined at the start and after a change of the order. */
  readonly last: ChannelEntry | undefined;
  readonly wallMs: number;
}

/** The part that follows, or with which to start. */
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

/** The interrupted part from where it was, until the time that it had left or an entry with a fixed time; undefined when it is not due any more. */
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

/** The entry of a changed order that is what is played now, at about the same place; undefined when the change is to be seen now. */
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

/** An entry that never starts early is awaited with the filler; others start at once. */
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

/** The entries at the lap that contains the instant: after the last entry all of them repeat. */
function repeated(entries: readonly ChannelEntry[], wallMs: number): ChannelEntry[] {
  const [first] = entries;
  const endMs = entries.at(-1)?.endMs;
  if (!first || endMs === undefined || wallMs < endMs) return [...entries];
  const periodMs = endMs - first.startMs;
  const shiftMs = Math.floor((wallMs - first.startMs) / periodMs) * periodMs;
  return entries.map((each) => ({ ...each, startMs: each.startMs + shiftMs, endMs: each.endMs + shiftMs }));
}
