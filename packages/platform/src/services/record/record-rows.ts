// Rows of recordings as calls answer them, each made and written once until the recording changes: existing clients ask for
// all of them, ten thousand perhaps, every few seconds.
import type { RecordRow } from '@srs-stack/contract';
import { jsonTextOf, withJsonText } from '../../json-text.ts';
import { type RecordFacts, toRow } from './record-facts.ts';

const rows = new WeakMap<RecordFacts, RecordRow>();

function rowOf(facts: RecordFacts): RecordRow {
  const known = rows.get(facts);
  if (known) return known;
  const row = toRow(facts);
  rows.set(facts, withJsonText(row, JSON.stringify(row)));
  return row;
}

export function toRows(list: readonly RecordFacts[]): RecordRow[] {
  const made = list.map(rowOf);
  return withJsonText(made, `[${made.map(jsonTextOf).join(',')}]`);
}
