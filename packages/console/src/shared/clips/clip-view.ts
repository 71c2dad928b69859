// Computes the visible part of the rewind window, and the new start and end of the clip when the user moves a handle or types a time. Pure.

/** A time range, milliseconds since 1970. */
export interface Span {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Start and end of a clip, milliseconds since 1970. */
export type Piece = readonly [fromMs: number, toMs: number];
export type End = 'from' | 'to';

/** Visible minutes per zoom level; 0 shows the whole window. At two minutes, one pixel of a phone screen is a third of a second. */
export const zooms = [0, 10, 2] as const;
export type Zoom = (typeof zooms)[number];

/** Clip lengths offered as buttons for the end of the window, seconds. */
export const lastSeconds = [30, 60, 300] as const;

const minuteMs = 60_000;
/** Minimum clip length, milliseconds; equals the step of an arrow key. */
const shortestMs = 1_000;
/** Maximum share of the view for a clip. For longer clips, the view follows only the end that was moved last. */
const mostOfView = 0.8;

/** Whether the rewind window is longer than the zoom level. Other zoom levels would show the whole window. */
export function isZoomOffered(zoom: Zoom, { sinceMs, untilMs }: Span): boolean {
  return zoom * minuteMs < untilMs - sinceMs;
}

export interface Choice {
  readonly piece: Piece;
  /** The end of the clip that was moved last. */
  readonly end: End;
}

/**
 * Returns the visible part of the window, centred on the clip, or on the last moved end of a long clip.
 * @param before previous view, returned unchanged if `showsWell` accepts it, so that the view is stable during a drag.
 */
export function viewOf(zoom: Zoom, window: Span, { piece, end }: Choice, before?: Span): Span {
  const lengthMs = zoom * minuteMs;
  if (zoom === 0 || !isZoomOffered(zoom, window)) return window;
  const wanted = piece[1] - piece[0] <= lengthMs * mostOfView ? piece : [piece[end === 'from' ? 0 : 1]];
  if (before && before.untilMs - before.sinceMs === lengthMs && showsWell(before, window, wanted)) return before;
  const middleMs = (wanted[0]! + wanted.at(-1)!) / 2;
  const sinceMs = within(middleMs - lengthMs / 2, window.sinceMs, window.untilMs - lengthMs);
  return { sinceMs, untilMs: sinceMs + lengthMs };
}

/** Whether `moments` are far enough from the edges of the view. At the edges of the window, no distance is needed. */
function showsWell({ sinceMs, untilMs }: Span, window: Span, moments: readonly number[]): boolean {
  const roomMs = ((untilMs - sinceMs) * (1 - mostOfView)) / 2;
  const least = sinceMs <= window.sinceMs ? sinceMs : sinceMs + roomMs;
  const most = untilMs >= window.untilMs ? untilMs : untilMs - roomMs;
  return sinceMs >= window.sinceMs && moments.every((ms) => ms >= least && ms <= most);
}

/** Handle positions, whole seconds from the start of the view. An end outside the view has its handle at the edge. */
export function handlesOf([from, to]: Piece, { sinceMs, untilMs }: Span): [number, number] {
  const seconds = (ms: number) => Math.round((within(ms, sinceMs, untilMs) - sinceMs) / 1000);
  return [seconds(from), seconds(to)];
}

/** Returns the clip and the moved end after handles moved in `view`. An end whose handle did not move keeps its exact time. */
export function movedPiece(
  piece: Piece,
  view: Span,
  [from, to]: readonly [number, number],
): { piece: Piece; end: End | undefined } {
  const before = handlesOf(piece, view);
  const at = (seconds: number) => view.sinceMs + seconds * 1000;
  const moved: Piece = [from === before[0] ? piece[0] : at(from), to === before[1] ? piece[1] : at(to)];
  return { piece: moved, end: from !== before[0] ? 'from' : to !== before[1] ? 'to' : undefined };
}

/** Moves one end of the clip within the window. If the moved end passes the other end, both ends move. */
export function withEnd(piece: Piece, end: End, { atMs, window }: { atMs: number; window: Span }): Piece {
  const { sinceMs, untilMs } = window;
  const lengthMs = Math.min(Math.max(piece[1] - piece[0], shortestMs), untilMs - sinceMs);
  const isPassed = end === 'from' ? atMs > piece[1] - shortestMs : atMs < piece[0] + shortestMs;
  if (end === 'from') {
    const from = within(atMs, sinceMs, untilMs - shortestMs);
    return [from, isPassed ? Math.min(from + lengthMs, untilMs) : piece[1]];
  }
  const to = within(atMs, sinceMs + shortestMs, untilMs);
  return [isPassed ? Math.max(to - lengthMs, sinceMs) : piece[0], to];
}

/** Returns the last seconds of the window, or a shorter window completely. */
export function lastPiece({ sinceMs, untilMs }: Span, seconds: number): Piece {
  return [Math.max(sinceMs, untilMs - seconds * 1000), untilMs];
}

const clock = /^(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:[.,](\d{1,3}))?)?$/;

/**
 * Parses a local time of day, `20:15`, `20:15:30` or `20:15:30.5`, to milliseconds since 1970. Selects the day that is nearest to `nearMs`.
 * Returns `malformed` if invalid, and `not-kept` if outside the window.
 */
export function readTimeOfDay(text: string, nearMs: number, window: Span): number | 'malformed' | 'not-kept' {
  const [, hours, minutes, seconds = '0', fraction = ''] = clock.exec(text.trim().replaceAll('：', ':')) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return 'malformed';
  const milliseconds = Number(fraction.padEnd(3, '0'));
  const moments = daysOf(window).map((day) =>
    new Date(day).setHours(Number(hours), Number(minutes), Number(seconds), milliseconds),
  );
  // Displayed times are truncated to seconds, so a typed start may be up to a second before the window.
  const kept = moments.filter((ms) => ms > window.sinceMs - shortestMs && ms <= window.untilMs);
  const nearest = kept.toSorted((a, b) => Math.abs(a - nearMs) - Math.abs(b - nearMs))[0];
  return nearest === undefined ? 'not-kept' : Math.max(nearest, window.sinceMs);
}

/** Noon of each local day in the window. */
function daysOf({ sinceMs, untilMs }: Span): number[] {
  const days: number[] = [];
  const day = new Date(sinceMs);
  // Noon is on the same day in summer time and in winter time; midnight may not exist.
  for (day.setHours(12, 0, 0, 0); new Date(day).setHours(0, 0, 0, 0) <= untilMs; day.setDate(day.getDate() + 1)) {
    days.push(day.getTime());
  }
  return days;
}

function within(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), Math.max(least, most));
}
