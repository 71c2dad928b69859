// The serialized list of all recordings. Old clients request up to ten thousand rows every few seconds. Rows are serialized in blocks, and
// only changed blocks are serialized again.
import type { RecordRow } from '@srs-stack/contract';
import { withJsonBytes } from '../../json-bytes.ts';
import type { RecordFacts } from '../record-facts.ts';

/** Rows per block: small enough to serialize in less than a millisecond and to compare at each call. */
const rowsPerBlock = 250;

interface Block {
  readonly facts: readonly RecordFacts[];
  readonly rows: readonly RecordRow[];
  readonly json: Buffer;
}

/**
 * Returns the rows of a list. A changed recording must be a new object, because entries are compared by identity.
 * @param toRow must return equal rows for equal facts.
 */
export function createRowList(toRow: (facts: RecordFacts) => RecordRow): (list: readonly RecordFacts[]) => RecordRow[] {
  /** The oldest recordings come first: a new recording then changes only the last block. */
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

/** Splits from the end, because the list starts with the newest recordings. */
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
