import { describe, expect, test } from 'vitest';
import {
  handlesOf,
  isZoomOffered,
  lastPiece,
  movedPiece,
  type Piece,
  readTimeOfDay,
  type Span,
  viewOf,
  withEnd,
  zooms,
} from './clip-view.ts';

const window: Span = { sinceMs: 0, untilMs: 7_200_000 };
const minute = 60_000;

describe('the view', () => {
  test('of the whole window is the window', () => {
    expect(viewOf(0, window, { piece: [10, 20], end: 'from' })).toBe(window);
    expect(viewOf(10, { sinceMs: 0, untilMs: 5 * minute }, { piece: [0, 1], end: 'to' })).toMatchObject({ sinceMs: 0 });
    expect(zooms.map((zoom) => isZoomOffered(zoom, { sinceMs: 0, untilMs: 5 * minute }))).toEqual([true, false, true]);
  });

  test('is centred on the clip and stays within the window', () => {
    const piece: Piece = [60 * minute, 61 * minute];
    expect(viewOf(10, window, { piece, end: 'from' })).toEqual({ sinceMs: 55.5 * minute, untilMs: 65.5 * minute });
    const last = lastPiece(window, 30);
    expect(viewOf(2, window, { piece: last, end: 'from' })).toEqual({ sinceMs: 118 * minute, untilMs: 120 * minute });
    expect(viewOf(2, window, { piece: [0, 1_000], end: 'from' })).toEqual({ sinceMs: 0, untilMs: 2 * minute });
  });

  test('stays at the moved end when the clip is too long for it', () => {
    const piece: Piece = [30 * minute, 60 * minute];
    expect(viewOf(2, window, { piece, end: 'from' })).toEqual({ sinceMs: 29 * minute, untilMs: 31 * minute });
    expect(viewOf(2, window, { piece, end: 'to' })).toEqual({ sinceMs: 59 * minute, untilMs: 61 * minute });
  });
});

describe('an existing view', () => {
  const before: Span = { sinceMs: 59 * minute, untilMs: 61 * minute };
  const shown = (from: number, to: number) => viewOf(2, window, { piece: [from, to], end: 'to' }, before);

  test('stays while the clip fits into it', () => {
    expect(shown(59.2 * minute, 60.8 * minute)).toBe(before);
    expect(shown(59.5 * minute, 59.5 * minute)).toBe(before);
  });

  test('follows a clip that reaches its edge', () => {
    expect(shown(60 * minute, 60.95 * minute)).toEqual({ sinceMs: 59.475 * minute, untilMs: 61.475 * minute });
  });

  test('ends where the window ends', () => {
    const last: Span = { sinceMs: 118 * minute, untilMs: 120 * minute };
    const piece: Piece = [119 * minute, 120 * minute];
    expect(viewOf(2, window, { piece, end: 'to' }, last)).toBe(last);
    const slid: Span = { sinceMs: 119 * minute, untilMs: 240 * minute };
    expect(viewOf(2, slid, { piece, end: 'to' }, last)).toEqual({ sinceMs: 119 * minute, untilMs: 121 * minute });
  });

  test('is computed again for another width', () => {
    expect(viewOf(10, window, { piece: [60 * minute, 60 * minute], end: 'to' }, before).sinceMs).toBe(55 * minute);
  });
});

describe('handles', () => {
  const view: Span = { sinceMs: 29 * minute, untilMs: 31 * minute };
  const piece: Piece = [30 * minute + 400, 60 * minute];

  test('are at the edge of the view when they are outside it', () => {
    expect(handlesOf(piece, view)).toEqual([60, 120]);
  });

  test('move only the dragged end; the other keeps its time to the millisecond, visible or not', () => {
    expect(movedPiece(piece, view, [61, 120])).toEqual({ piece: [30 * minute + 1_000, 60 * minute], end: 'from' });
    expect(movedPiece(piece, view, [60, 90])).toEqual({ piece: [30 * minute + 400, 30.5 * minute], end: 'to' });
    expect(movedPiece(piece, view, [60, 120])).toEqual({ piece, end: undefined });
  });
});

describe('an end', () => {
  const piece: Piece = [10_000, 40_000];
  test('moves to the requested position, within the window', () => {
    expect(withEnd(piece, 'from', { atMs: 9_000, window })).toEqual([9_000, 40_000]);
    expect(withEnd(piece, 'to', { atMs: 41_500, window })).toEqual([10_000, 41_500]);
    expect(withEnd(piece, 'from', { atMs: -5, window })).toEqual([0, 40_000]);
    expect(withEnd(piece, 'to', { atMs: 8_000_000, window })).toEqual([10_000, 7_200_000]);
  });

  test('that passes the other moves it too, within the window', () => {
    expect(withEnd(piece, 'from', { atMs: 3_600_000, window })).toEqual([3_600_000, 3_630_000]);
    expect(withEnd(piece, 'from', { atMs: 7_190_000, window })).toEqual([7_190_000, 7_200_000]);
    expect(withEnd([50_000, 80_000], 'to', { atMs: 40_000, window })).toEqual([10_000, 40_000]);
    expect(withEnd(piece, 'to', { atMs: 5_000, window })).toEqual([0, 5_000]);
  });
});

test('the last seconds, or the whole window if that is shorter', () => {
  expect(lastPiece(window, 300)).toEqual([6_900_000, 7_200_000]);
  expect(lastPiece({ sinceMs: 7_190_000, untilMs: 7_200_000 }, 30)).toEqual([7_190_000, 7_200_000]);
});

describe('a typed time of day', () => {
  const at = (day: number, hours: number, minutes: number, seconds = 0, ms = 0) =>
    new Date(2026, 4, day, hours, minutes, seconds, ms).getTime();
  const evening: Span = { sinceMs: at(1, 19, 0, 0, 500), untilMs: at(1, 21, 0) };
  const read = (text: string, near = evening.untilMs, span = evening) => readTimeOfDay(text, near, span);

  test('is on the day of the window', () => {
    expect(read('20:15:30')).toBe(at(1, 20, 15, 30));
    expect(read(' 20：15 ')).toBe(at(1, 20, 15));
    expect(read('20:15:30.5')).toBe(at(1, 20, 15, 30, 500));
  });

  test('is on the nearest day if the window contains it twice', () => {
    const night: Span = { sinceMs: at(1, 22, 0), untilMs: at(2, 22, 30) };
    expect(read('22:10', at(1, 22, 5), night)).toBe(at(1, 22, 10));
    expect(read('22:10', at(2, 22, 5), night)).toBe(at(2, 22, 10));
    expect(read('0:00:01', at(1, 22, 5), night)).toBe(at(2, 0, 0, 1));
  });

  test('may be the second in which the window starts', () => {
    expect(read('19:00:00')).toBe(evening.sinceMs);
  });

  test.each(['', 'noon', '24:00', '20:60', '20:15:61', '2015', '20:15:30.', '-1:00', '20:15:30.1234'])(
    'is invalid for %j',
    (text) => {
      expect(read(text)).toBe('malformed');
    },
  );

  test.each(['18:59:59', '21:00:01', '3:00'])('is outside the window when it is %s', (text) => {
    expect(read(text)).toBe('not-kept');
  });
});
