import { expect, test } from 'vitest';
import { jsonBytesOf } from '../../json-bytes.ts';
import { noProblem, type RecordFacts, toRow } from '../record-facts.ts';
import { createRowList } from './record-rows.ts';

const facts = (index: number): RecordFacts => ({
  uuid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  vhost: '__defaultVhost__',
  app: 'live',
  stream: `直播 "${index}"`,
  m3u8Url: `live/${index}.m3u8`,
  begin: '2026-01-01T00:00:00.000Z',
  update: '2026-01-01T00:00:00.000Z',
  state: 'recording',
  nn: 1,
  duration: 1.5,
  size: 1000,
  mp4Size: 0,
  ...noProblem,
});
const listOf = (count: number) => Array.from({ length: count }, (_, index) => facts(count - index));

test('after any change, rows and bytes equal those of a new list', () => {
  const rowsOf = createRowList((each) => toRow(each));
  let list: RecordFacts[] = [];
  const check = (next: RecordFacts[]) => {
    list = next;
    const rows = rowsOf(list);
    expect(rows).toEqual(list.map((each) => toRow(each)));
    expect(Buffer.concat(jsonBytesOf(rows) ?? []).toString()).toBe(JSON.stringify(list.map((each) => toRow(each))));
  };
  for (const count of [0, 1, 249, 250, 251, 500, 1_001]) check(listOf(count));
  check([facts(1_002), ...list]);
  for (const index of [0, 1, 250, 251, 700, 1_001]) check(list.with(index, { ...list[index]!, duration: 3, nn: 2 }));
  for (const index of [0, 400, 999]) check(list.toSpliced(index, 1));
  check([]);
});

test('only blocks with a change are serialized again', () => {
  const rowsOf = createRowList((each) => toRow(each));
  const list = listOf(1_000);
  const before = rowsOf(list);
  expect(rowsOf(list)).toBe(before);
  const after = rowsOf([facts(1_001), ...list.with(10, { ...list[10]!, nn: 2 })]);
  const parts = new Set(jsonBytesOf(before));
  expect(jsonBytesOf(after)?.filter((part) => part.length > 1 && !parts.has(part))).toHaveLength(2);
});
