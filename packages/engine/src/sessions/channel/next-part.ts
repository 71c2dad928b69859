// Selects the file, and the part of it, that a channel plays next. Pure: wall clock times are parameters.
import type { ChannelEntry, ChannelOrder } from '@srs-stack/process/channel-orders.ts';

/**
 * A file that would end this much late is played to its end, and a file with this deviation is not cut: a keyframe is at most 2 s away, and
 * the control plane needs a moment to replace a missing file; milliseconds.
 */
export const toleranceMs = 5_000;
/** Maximum length of a part of the filler, so that newly playable entries start soon, milliseconds. */
const fillerPartMs = 10_000;

export interface Part {
  /** Undefined for the filler. */
  readonly entry: ChannelEntry | undefined;
  readonly file: string;
  readonly offsetMs: number;
  /** Latest end, wall clock time. */
  readonly endMs: number;
  readonly loops: boolean;
}

export interface PartChoice {
  readonly order: ChannelOrder;
  /** Files that could not be read. */
  readonly failed: ReadonlySet<string>;
  /** Previously played part; undefined at the start and after a change of the order. */
  readonly last: ChannelEntry | undefined;
  readonly wallMs: number;
}

/** The next part, or the first one. */
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

/** The entry of a changed order that is currently played, at about the same position; undefined when the change must be visible now. */
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

/** Before an entry with a fixed start the filler plays; other entries start immediately. */
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

/** The entries of the lap that contains the instant: after the last entry all of them repeat. */
function repeated(entries: readonly ChannelEntry[], wallMs: number): ChannelEntry[] {
  const [first] = entries;
  const endMs = entries.at(-1)?.endMs;
  if (!first || endMs === undefined || wallMs < endMs) return [...entries];
  const periodMs = endMs - first.startMs;
  const shiftMs = Math.floor((wallMs - first.startMs) / periodMs) * periodMs;
  return entries.map((each) => ({ ...each, startMs: each.startMs + shiftMs, endMs: each.endMs + shiftMs }));
}
