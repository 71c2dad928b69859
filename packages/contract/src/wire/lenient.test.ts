import { expect, test } from 'vitest';
import {
  entriesOf,
  flag,
  isFiniteNumber,
  listOf,
  numberOrZero,
  object,
  objectOrNull,
  oneOf,
  optionalNumber,
  optionalObject,
  text,
} from './lenient.ts';
import { protocolOfSrsType, readSrsClientRow, readSrsStreamRow, readSrsSummaryRow, vhostOfSrsUrl } from './srs-rows.ts';

const values: readonly unknown[] = [undefined, null, '', 'x', 7, Number.NaN, true, [], [1, 'a'], {}, { a: 1 }, () => 1];

test('every reader returns its type for any value', () => {
  for (const value of values) {
    expect(typeof numberOrZero(value)).toBe('number');
    expect(Number.isFinite(numberOrZero(value))).toBe(true);
    expect(typeof text(value)).toBe('string');
    expect(typeof flag(value)).toBe('boolean');
    expect(['a', 'b']).toContain(oneOf(['a', 'b'], 'b')(value));
    expect(Array.isArray(listOf(numberOrZero)(value))).toBe(true);
    expect(object({ a: numberOrZero }, { b: optionalNumber })(value)).toEqual({ a: (value as { a?: number })?.a ?? 0 });
  }
});

test('optional fields that are missing stay absent', () => {
  const read = object({ a: text }, { b: optionalNumber, c: optionalObject(object({ d: flag })) });
  expect(Object.keys(read({ b: 'x', c: 7 }))).toEqual(['a']);
  expect(read({ a: 5, b: 0, c: {}, more: 1 })).toEqual({ a: '5', b: 0, c: { d: false } });
  expect([objectOrNull(read)(null), objectOrNull(read)([])]).toEqual([null, null]);
  expect(entriesOf(isFiniteNumber)({ a: 1, b: 'x', c: null })).toEqual({ a: 1 });
  expect(entriesOf(isFiniteNumber)([1])).toBeUndefined();
});

test('rows of any shape are read', () => {
  for (const value of values) {
    expect(readSrsStreamRow(value)).toMatchObject({ name: '', clients: 0, publish: { active: false }, video: null });
    expect(readSrsClientRow(value)).toMatchObject({ id: '', kbps: { send_30s: 0 }, ext: { droppedFrames: 0 } });
    expect(readSrsSummaryRow(value)).toMatchObject({ self: { ext: { faults: 0 } }, system: { cpus: 0 } });
  }
});

test('names of virtual hosts and client types of SRS', () => {
  expect(['/live/a', '', 'a.b/live/a'].map(vhostOfSrsUrl)).toEqual(['__defaultVhost__', '__defaultVhost__', 'a.b']);
  expect(['rtmp-play', 'fmle-publish', 'srt-publish', 'Play', 'rtc-play'].map(protocolOfSrsType)).toEqual([
    'rtmp',
    'rtmp',
    'srt',
    'rtmp',
    'rtc',
  ]);
});
