// The serialized list of all recordings. Existing clients request it completely, perhaps ten thousand rows, every few seconds. Rows are
// serialized in blocks; only changed blocks are serialized again.
import type { RecordRow } from '@srs-stack/contract';
import { withJsonBytes } from '../../json-bytes.ts';
import type { RecordFacts } from '../record-facts.ts';

/** Rows per block: serialized in less than a millisecond, and small enough to compare at each call. */
const rowsPerBlock = 250;

interface Block {
  readonly facts: readonly RecordFacts[];
  readonly rows: readonly RecordRow[];
  /** JSON of the rows, separated by commas. */
  readonly json: Buffer;
}

/**
 * Returns the rows of a list. Entries are immutable, so a changed recording is another object.
 * @param toRow returns the same row for the same facts.
 */
export function createRowList(toRow: (facts: RecordFacts) => RecordRow): (list: readonly RecordFacts[]) => RecordRow[] {
  /** Oldest recordings first, so that a new recording changes only the last block. */
  let blocks: readonly Block[] = [];
  let last: { list: readonly RecordFacts[]; rows: RecordRow[] } = { list: [], rows: withJson([]) };
  return (list) => {
    if (list === last.list) return last.rows;
    blocks = blocksOf(list).map((facts, index) => {
      const known = blocks[index];
      return known && isSame(known.facts, facts)
        ? known
        : writeBlock(
            facts,
            facts.map((each) => toRow(each)),
          );
    });
    last = { list, rows: withJson(blocks.toReversed()) };
    return last.rows;
  };
}

/** Splits from the end of the list, so that the oldest recordings form the first blocks. */
function blocksOf(list: readonly RecordFacts[]): (readonly RecordFacts[])[] {
  const blocks: (readonly RecordFacts[])[] = [];
  for (let end = list.length; end > 0; end -= rowsPerBlock)
    blocks.push(list.slice(Math.max(0, end - rowsPerBlock), end));
  return blocks;
}

function isSame(a: readonly RecordFacts[], b: readonly RecordFacts[]): boolean {
  return a.length === b.length && a.every((facts, index) => facts === b[index]);
}

function writeBlock(facts: readonly RecordFacts[], rows: readonly RecordRow[]): Block {
  return { facts, rows, json: Buffer.from(JSON.stringify(rows).slice(1, -1)) };
}

const [opening, comma, closing] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')];

function withJson(blocks: readonly Block[]): RecordRow[] {
  const parts = blocks.flatMap(({ json }, index) => (index === 0 ? [json] : [comma, json]));
  return withJsonBytes(
    blocks.flatMap(({ rows }) => rows),
    [opening, ...parts, closing],
  );
}
