import { describe, expect, it, test } from 'vitest';
import { parseSegmentName, type RecordedSegment, runOf, writeSegmentName } from './segment-name.ts';

const segment = (sequence: number, change: Partial<RecordedSegment> = {}): RecordedSegment => ({
  run: 0,
  sequence,
  durationMs: 2002,
  mark: String(sequence).padStart(12, '0'),
  isDiscontinuous: false,
  ...change,
});

describe('segment names', () => {
  it('survive writing and parsing', () => {
    const each = segment(17, { run: 2, durationMs: 1960, mark: 'abcdef012345', isDiscontinuous: true });
    expect(writeSegmentName(each)).toBe('002-000017-1960-abcdef012345d.ts');
    expect(parseSegmentName(writeSegmentName(each))).toEqual(each);
  });

  test.each(['a.ts', '../000-000001-1-abcdef012345.ts', '000-000001-1-abcdef012345.ts.part', '0-1-1-a.ts', ''])(
    '%j is not a segment name',
    (name) => expect(parseSegmentName(name)).toBeUndefined(),
  );

  it('the run distinguishes continued from restarted numbering', () => {
    const before = [segment(5), segment(6), segment(8)];
    expect(runOf([], { sequence: 9, mark: 'x' })).toBe(0);
    expect(runOf(before, { sequence: 9, mark: 'x' })).toBe(0);
    expect(runOf(before, { sequence: 7, mark: 'x' })).toBe(0);
    expect(runOf(before, { sequence: 6, mark: 'x' })).toBe(1);
    expect(runOf(before, { sequence: 0, mark: 'x' })).toBe(1);
    expect(runOf(before, { sequence: 99, mark: segment(6).mark })).toBeUndefined();
  });
});
