// Recordings of other nodes, from the shared table. Rows are cached and read again after a change.
import type { Log } from '@srs-stack/process/log.ts';
import type { Collection, StoreChange } from '../../store/store.ts';
import { newestFirst } from '../record-catalogue.ts';
import { type RecordFacts, recordCollection } from '../record-facts.ts';

export interface OtherRecordsDeps {
  readonly collection: Collection<RecordFacts>;
  readonly nodeId: string;
  readonly log: Log;
}

export class OtherRecords {
  readonly #deps: OtherRecordsDeps;
  readonly #rows = new Map<string, RecordFacts>();
  /** Recordings that are not in a recycle bin, newest first; undefined after a change. */
  #listed: readonly RecordFacts[] | undefined;

  constructor(deps: OtherRecordsDeps) {
    this.#deps = deps;
  }

  take(stored: ReadonlyMap<string, RecordFacts>): void {
    this.#rows.clear();
    this.#listed = undefined;
    for (const facts of stored.values()) this.#note(facts);
  }

  async onChange(change: StoreChange): Promise<void> {
    const { collection } = this.#deps;
    if (change.kind === 'anything') this.take(await collection.entries());
    if (change.kind !== 'row' || change.collection !== recordCollection.name) return;
    const facts = await collection.get(change.id);
    this.#rows.delete(change.id);
    this.#listed = undefined;
    if (facts) this.#note(facts);
  }

  /** Includes recordings in the recycle bin of their node. */
  get(uuid: string): RecordFacts | undefined {
    return this.#rows.get(uuid);
  }

  /** Newest first. Returns the identical array while nothing has changed. */
  list(): readonly RecordFacts[] {
    this.#listed ??= [...this.#rows.values()].filter(({ removedAt }) => removedAt === undefined).sort(newestFirst);
    return this.#listed;
  }

  runningOf({ app, stream }: { app: string; stream: string }): RecordFacts[] {
    return this.list().filter((each) => each.state === 'recording' && each.app === app && each.stream === stream);
  }

  bin(): (RecordFacts & { removedAt: string })[] {
    return [...this.#rows.values()].flatMap((row) =>
      row.removedAt === undefined ? [] : [{ ...row, removedAt: row.removedAt }],
    );
  }

  /** Removes the row of a recording on a node that will not return. A node that does return reads its folder again. */
  async forget(uuid: string): Promise<void> {
    await this.#deps.collection.remove(uuid);
    this.#rows.delete(uuid);
    this.#listed = undefined;
    this.#deps.log.info({ uuid }, 'removed the row of a recording whose node has left the cluster');
  }

  /** Ignores rows without a node id. The node that finds the record folder adds the id. */
  #note(facts: RecordFacts): void {
    if (facts.node !== undefined && facts.node !== this.#deps.nodeId) this.#rows.set(facts.uuid, facts);
  }
}
