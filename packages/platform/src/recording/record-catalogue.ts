// All recordings in memory, as the page and scripts ask for them, and in the store. Running ones change with each segment
// in memory only; the folder is what survives.
import type { RecordTotals } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import type { Collection } from '../store/store.ts';
import { diskBytes, isFinished, type RecordFacts } from './record-facts.ts';

export interface RecordPage {
  readonly search: string;
  readonly offset: number;
  readonly limit: number | undefined;
}

export class RecordCatalogue {
  readonly #rows = new Map<string, RecordFacts>();
  readonly #collection: Collection<RecordFacts>;
  readonly #nodeId: string;
  readonly #log: Log;
  /** Newest first; undefined when recordings came or went. */
  #sorted: string[] | undefined;
  /** Those not in the bin, newest first; undefined when one has changed. */
  #listed: readonly RecordFacts[] | undefined;

  /** @param nodeId of the node whose recordings these are. */
  constructor(collection: Collection<RecordFacts>, nodeId: string, log: Log) {
    this.#collection = collection;
    this.#nodeId = nodeId;
    this.#log = log;
  }

  /** Rows as stored; none when they cannot be read, the folder then tells. */
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

  /** In memory only: known from the store, or too short-lived for it. */
  show(facts: RecordFacts): void {
    const before = this.#rows.get(facts.uuid);
    if (before?.begin !== facts.begin || before.removedAt !== facts.removedAt) this.#sorted = undefined;
    this.#listed = undefined;
    this.#rows.set(facts.uuid, facts);
  }

  /** In memory and in the store. A store that fails costs nothing: the folder knows the same. */
  async keep(facts: RecordFacts): Promise<void> {
    this.show(facts);
    await this.#collection.put(facts.uuid, { ...facts, node: this.#nodeId }).catch((error) => {
      this.#log.error({ err: error, uuid: facts.uuid }, 'recording not stored, the record folder has it');
    });
  }

  async forget(uuid: string): Promise<void> {
    this.#rows.delete(uuid);
    this.#sorted = undefined;
    this.#listed = undefined;
    await this.#collection.remove(uuid).catch((error) => {
      this.#log.error({ err: error, uuid }, 'recording not removed from the store');
    });
  }

  /** Newest first. The very same array for everything as long as nothing has changed. */
  list({ search, offset, limit }: RecordPage): readonly RecordFacts[] {
    const found = this.#matching(search);
    return offset === 0 && limit === undefined
      ? found
      : found.slice(offset, limit === undefined ? undefined : offset + limit);
  }

  /** Newest removal first. */
  bin(): (RecordFacts & { removedAt: string })[] {
    const removed = [...this.#rows.values()].flatMap((row) =>
      row.removedAt === undefined ? [] : [{ ...row, removedAt: row.removedAt }],
    );
    return removed.sort((a, b) => b.removedAt.localeCompare(a.removedAt));
  }

  totals(search: string): RecordTotals {
    const totals = { count: 0, recording: 0, duration: 0, size: 0 };
    for (const row of this.#matching(search)) {
      totals.count += 1;
      totals.recording += isFinished(row) ? 0 : 1;
      totals.duration += row.duration;
      totals.size += diskBytes(row);
    }
    return totals;
  }

  #matching(search: string): readonly RecordFacts[] {
    this.#listed ??= this.#inOrder().flatMap((uuid) => this.get(uuid) ?? []);
    const rows = this.#listed;
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return rows;
    return rows.filter(({ app, stream, uuid, begin }) => {
      const text = `${app}/${stream} ${uuid} ${begin}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }

  #inOrder(): readonly string[] {
    this.#sorted ??= [...this.#rows.values()]
      .sort((a, b) => (a.begin < b.begin ? 1 : a.begin > b.begin ? -1 : a.uuid < b.uuid ? 1 : -1))
      .map(({ uuid }) => uuid);
    return this.#sorted;
  }
}
