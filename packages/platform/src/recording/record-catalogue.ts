// All recordings of this node, in memory for pages and scripts, and in the store. New segments of running recordings update only memory.
// The record folder is the durable copy.
import type { RecordLabel, RecordTotals } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import type { Collection } from '../store/store.ts';
import { diskBytes, isFinished, isKept, type RecordFacts, type RecordNodes } from './record-facts.ts';

export interface RecordFilter {
  readonly search: string;
  /** RFC 3339. Only recordings that overlap the range from `from` to `to` are listed. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly kept?: boolean | undefined;
}

export interface RecordPage extends RecordFilter {
  readonly offset: number;
  readonly limit: number | undefined;
}

export class RecordCatalogue {
  readonly #rows = new Map<string, RecordFacts>();
  readonly #kept = new Map<string, RecordFacts>();
  readonly #collection: Collection<RecordFacts>;
  readonly #node: RecordNodes['self'];
  readonly #log: Log;
  /** Uuids of `#rows`, newest recording first; undefined after a change. */
  #sorted: string[] | undefined;
  /** Newest first, without the recycle bin; undefined after a change. */
  #listed: readonly RecordFacts[] | undefined;

  constructor(collection: Collection<RecordFacts>, node: RecordNodes['self'], log: Log) {
    this.#collection = collection;
    this.#node = node;
    this.#log = log;
  }

  /** Rows of the store. Empty if the store cannot be read: the folder has equal data. */
  async stored(): Promise<Map<string, RecordFacts>> {
    try {
      return await this.#collection.entries();
    } catch (error) {
      this.#log.error({ err: error }, 'the table of recordings cannot be read, it is rebuilt from the record folder');
      return new Map();
    }
  }

  get(uuid: string): RecordFacts | undefined {
    const facts = this.#rows.get(uuid);
    return facts?.removedAt === undefined ? facts : undefined;
  }

  removed(uuid: string): RecordFacts | undefined {
    const facts = this.#rows.get(uuid);
    return facts?.removedAt === undefined ? undefined : facts;
  }

  /** Updates memory only, e.g. with data from the store or with short-lived data. */
  show(facts: RecordFacts): void {
    const before = this.#rows.get(facts.uuid);
    if (before?.begin !== facts.begin || before.removedAt !== facts.removedAt) this.#sorted = undefined;
    this.#listed = undefined;
    // Keeps the label: `facts` may be older than the last call of `label`.
    const label = before?.label ?? facts.label;
    this.#rows.set(facts.uuid, label === facts.label || !label ? facts : { ...facts, label });
  }

  /**
   * Stores a label that the folder already has. Rejects when the store fails: a restart would restore the old row, without the keep mark.
   */
  async label(uuid: string, label: RecordLabel): Promise<void> {
    const facts = this.#rows.get(uuid);
    if (!facts) return;
    this.#rows.set(uuid, { ...facts, label });
    this.show(facts);
    await this.#store(facts);
  }

  /** Updates memory and store. A failure of the store loses nothing, because the folder has equal data. */
  async keep(facts: RecordFacts): Promise<void> {
    this.show(facts);
    await this.#store(facts).catch((error) => {
      this.#log.error(
        { err: error, uuid: facts.uuid },
        'recording could not be added to the table of recordings, but is in the record folder',
      );
    });
  }

  async #store(facts: RecordFacts): Promise<void> {
    const shown = this.#rows.get(facts.uuid) ?? facts;
    if (facts.state === 'recording') this.#kept.set(facts.uuid, shown);
    await this.#collection.put(facts.uuid, { ...shown, node: this.#node.id, nodeName: this.#node.name });
  }

  /** Stores running recordings whose rows are outdated: other nodes see only the store. */
  async keepRunning(): Promise<void> {
    const running = [...this.#rows.values()].filter(({ state }) => state === 'recording');
    await Promise.all(running.filter((facts) => this.#kept.get(facts.uuid) !== facts).map((facts) => this.keep(facts)));
    for (const uuid of this.#kept.keys()) if (this.#rows.get(uuid)?.state !== 'recording') this.#kept.delete(uuid);
  }

  async forget(uuid: string): Promise<void> {
    this.#rows.delete(uuid);
    this.#sorted = undefined;
    this.#listed = undefined;
    await this.#collection.remove(uuid).catch((error) => {
      this.#log.error({ err: error, uuid }, 'recording could not be removed from the table of recordings');
    });
  }

  /** Newest first. Without filter, offset and limit, returns the identical array while nothing has changed. */
  list({ offset, limit, ...filter }: RecordPage): readonly RecordFacts[] {
    const found = this.#matching(filter);
    return offset === 0 && limit === undefined
      ? found
      : found.slice(offset, limit === undefined ? undefined : offset + limit);
  }

  /** Last removed first. */
  bin(): (RecordFacts & { removedAt: string })[] {
    const removed = [...this.#rows.values()].flatMap((row) =>
      row.removedAt === undefined ? [] : [{ ...row, removedAt: row.removedAt }],
    );
    return removed.sort((a, b) => b.removedAt.localeCompare(a.removedAt));
  }

  #matching(filter: RecordFilter): readonly RecordFacts[] {
    this.#listed ??= this.#inOrder().flatMap((uuid) => this.get(uuid) ?? []);
    return matching(this.#listed, filter);
  }

  #inOrder(): readonly string[] {
    this.#sorted ??= [...this.#rows.values()].sort(newestFirst).map(({ uuid }) => uuid);
    return this.#sorted;
  }
}

/** Sort order of lists of recordings on every node, except recycle bins. */
export function newestFirst(a: RecordFacts, b: RecordFacts): number {
  if (a.begin !== b.begin) return a.begin < b.begin ? 1 : -1;
  return a.uuid < b.uuid ? 1 : -1;
}

/**
 * Recordings that match the filter and contain all words of the search. Returns `rows` unchanged without a filter.
 * @param nodeName '' with a single server.
 */
export function matching(
  rows: readonly RecordFacts[],
  { search, from, to, kept = false }: RecordFilter,
  nodeName: (facts: RecordFacts) => string = () => '',
): readonly RecordFacts[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const fromMs = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from);
  const toMs = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to);
  const isEverything = words.length === 0 && from === undefined && to === undefined && !kept;
  if (isEverything) return rows;
  return rows.filter((facts) => {
    const { app, stream, uuid, begin, duration, label, part } = facts;
    if (kept && !isKept(facts)) return false;
    const beginMs = Date.parse(begin);
    if (beginMs >= toMs || beginMs + duration * 1000 < fromMs) return false;
    const about = label ? `${label.title} ${label.notes}` : '';
    const text = `${app}/${stream} ${uuid} ${begin} ${nodeName(facts)} ${about} ${part?.first ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export function totalsOf(rows: readonly RecordFacts[]): RecordTotals {
  const totals = { count: 0, recording: 0, duration: 0, size: 0 };
  for (const row of rows) {
    totals.count += 1;
    totals.recording += isFinished(row) ? 0 : 1;
    totals.duration += row.duration;
    totals.size += diskBytes(row);
  }
  return totals;
}
