// Copies a store part by part and verifies the copy. Parts that are already equal are skipped, so that an interrupted copy can continue.
import { createHash } from 'node:crypto';

/** One document, row or log entry in plain text. Ids of log entries increase from the oldest entry. */
export interface StoredText {
  readonly id: string;
  readonly text: string;
  readonly isSecret: boolean;
}

/** All documents of a store, the rows of one collection, or the entries of one log. */
export interface StorePart {
  readonly kind: 'documents' | 'rows' | 'log';
  /** Name of the collection or log; empty for documents. */
  readonly name: string;
}

export interface StoreSource {
  parts(): Promise<StorePart[]>;
  read(part: StorePart): Promise<StoredText[]>;
}

export interface StoreTarget extends StoreSource {
  write(part: StorePart, texts: readonly StoredText[]): Promise<void>;
}

interface StoreContent {
  readonly documents: number;
  readonly rows: number;
  readonly logEntries: number;
  /** SHA-256 of all plain texts, in hexadecimal. */
  readonly digest: string;
}

export interface CopyResult {
  readonly content: StoreContent;
  /** Number of parts that were already equal, e.g. copied by an earlier attempt. */
  readonly foundParts: number;
  readonly writtenParts: number;
}

/** Copies all parts that differ, and empties parts that the source lacks. Reads both stores again and rejects if they differ. */
export async function copyStore(source: StoreSource, target: StoreTarget): Promise<CopyResult> {
  const parts = sorted(await source.parts());
  const superfluous = (await target.parts()).filter((each) => !parts.some((part) => nameOf(part) === nameOf(each)));
  for (const part of superfluous) await target.write(part, []);
  let writtenParts = 0;
  for (const part of parts) {
    const texts = await source.read(part);
    if (digestOf(part, texts) === digestOf(part, await target.read(part))) continue;
    await target.write(part, texts);
    writtenParts += 1;
  }
  const [content, copied] = [await contentOf(source), await contentOf(target)];
  if (content.digest !== copied.digest) throw new Error('the content of the copy differs from the source store');
  return { content, writtenParts, foundParts: parts.length - writtenParts };
}

async function contentOf(store: StoreSource): Promise<StoreContent> {
  const counts = { documents: 0, rows: 0, log: 0 };
  const digest = createHash('sha256');
  for (const part of sorted(await store.parts())) {
    const texts = await store.read(part);
    counts[part.kind] += texts.length;
    digest.update(digestOf(part, texts));
  }
  return { documents: counts.documents, rows: counts.rows, logEntries: counts.log, digest: digest.digest('hex') };
}

function digestOf(part: StorePart, texts: readonly StoredText[]): string {
  const digest = createHash('sha256').update(nameOf(part));
  const inOrder = part.kind === 'log' ? texts : [...texts].sort((a, b) => compare(a.id, b.id));
  for (const { id, text, isSecret } of inOrder) digest.update(JSON.stringify([id, text, isSecret]));
  return digest.digest('hex');
}

const nameOf = ({ kind, name }: StorePart) => `${kind} ${name}`;

function sorted(parts: readonly StorePart[]): StorePart[] {
  return [...parts].sort((a, b) => compare(nameOf(a), nameOf(b)));
}

/** Compares by code units, which gives one order on every machine. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
