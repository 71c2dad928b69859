// The list of all recordings as calls answer it: existing clients ask for all of them, ten thousand perhaps, every few seconds.
// Rows are written in blocks, and a block is written anew only when one of its recordings has changed.
import type { RecordRow } from '@srs-stack/contract';
import { withJsonBytes } from '../../json-bytes.ts';
import type { RecordFacts } from '../record-facts.ts';

/** Rows of a block: written in less than a millisecond, and few enough of them to compare a list at each call. */
const rowsPerBlock = 250;

interface Block {
  readonly facts: readonly RecordFacts[];
  readonly rows: readonly RecordRow[];
  /** JSON of the rows with commas between them. */
  readonly json: Buffer;
}

/**
 * Answers the rows of a list; facts never change, another state of a recording is another object.
 * @param toRow the same row for the same facts.
 */
export function createRowList(toRow: (facts: RecordFacts) => RecordRow): (list: readonly RecordFacts[]) => RecordRow[] {
  /** Oldest recordings first, so that a new one leaves all blocks but the last as they are. */
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

/** Cut from the end of the list on, where the oldest recording is. */
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
