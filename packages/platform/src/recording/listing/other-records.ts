// Recordings whose files other nodes have, as the table that all share tells of them: held in memory, and read again when their
// nodes change them. Nothing here touches a file.
import type { Log } from '@srs-stack/process/log.ts';
import type { Collection, StoreChange } from '../../store/store.ts';
import { newestFirst } from '../record-catalogue.ts';
import { type RecordFacts, recordCollection } from '../record-facts.ts';

export interface OtherRecordsDeps {
  readonly collection: Collection<RecordFacts>;
  /** Of this node. */
  readonly nodeId: string;
  readonly log: Log;
}

export class OtherRecords {
  readonly #deps: OtherRecordsDeps;
  readonly #rows = new Map<string, RecordFacts>();
  /** Those not in a bin, newest first; undefined when one has changed. */
  #listed: readonly RecordFacts[] | undefined;

  constructor(deps: OtherRecordsDeps) {
    this.#deps = deps;
  }

  /** Takes the whole table. */
  take(stored: ReadonlyMap<string, RecordFacts>): void {
    this.#rows.clear();
    this.#listed = undefined;
    for (const facts of stored.values()) this.#note(facts);
  }

  /** Something in the store was changed elsewhere. */
  async onChange(change: StoreChange): Promise<void> {
    const { collection } = this.#deps;
    if (change.kind === 'anything') this.take(await collection.entries());
    if (change.kind !== 'row' || change.collection !== recordCollection.name) return;
    const facts = await collection.get(change.id);
    this.#rows.delete(change.id);
    this.#listed = undefined;
    if (facts) this.#note(facts);
  }

  /** Also one that is in the bin of its node. */
  get(uuid: string): RecordFacts | undefined {
    return this.#rows.get(uuid);
  }

  /** Newest first. The very same array as long as nothing has changed. */
  list(): readonly RecordFacts[] {
    this.#listed ??= [...this.#rows.values()].filter(({ removedAt }) => removedAt === undefined).sort(newestFirst);
    return this.#listed;
  }

  /** Recordings of this stream that run. */
  runningOf({ app, stream }: { app: string; stream: string }): RecordFacts[] {
    return this.list().filter((each) => each.state === 'recording' && each.app === app && each.stream === stream);
  }

  bin(): (RecordFacts & { removedAt: string })[] {
    return [...this.#rows.values()].flatMap((row) =>
      row.removedAt === undefined ? [] : [{ ...row, removedAt: row.removedAt }],
    );
  }

  /** Removes the row of one whose node will not come back; files there are taken up again when it does. */
  async forget(uuid: string): Promise<void> {
    await this.#deps.collection.remove(uuid);
    this.#rows.delete(uuid);
    this.#listed = undefined;
    this.#deps.log.info({ uuid }, 'recording of a node that has left forgotten');
  }

  /** Rows without a node are of whoever finds their folder. */
  #note(facts: RecordFacts): void {
    if (facts.node !== undefined && facts.node !== this.#deps.nodeId) this.#rows.set(facts.uuid, facts);
  }
}
