// The recycle bin. A deleted recording can be restored for a day, or until the disk needs the space.
import { AppError, because, changed, type RecordRow, type RemovedRecord, recordBinHours } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import type { Actor } from '../actor.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { RecordCatalogue } from './record-catalogue.ts';
import { diskBytes, isFinished, isKept, type RecordFacts } from './record-facts.ts';
import type { RecordFolder } from './record-folder.ts';
import type { RecordObjects } from './record-objects.ts';

const keptMs = recordBinHours * 3_600_000;

type BinPart = 'due' | 'all' | 'on disk';

export interface RecordBin {
  list(): RemovedRecord[];
  /** Ends a running recording first. Throws `notFound`. */
  remove(uuid: string, forever: boolean, actor: Actor): Promise<void>;
  /**
   * Permanently removes a finished recording without an audit entry. Returns false if the recording is deleted, running or has the keep
   * mark.
   */
  discard(uuid: string): Promise<boolean>;
  restore(uuid: string, actor: Actor): Promise<void>;
  empty(actor: Actor): Promise<void>;
  /**
   * Permanently removes expired recordings, or all recordings of the bin. `on disk` also removes unexpired recordings that occupy disk
   * space and have no keep mark.
   */
  purge(which?: BinPart): Promise<void>;
}

export interface RecordBinDeps {
  readonly folder: RecordFolder;
  readonly catalogue: RecordCatalogue;
  readonly tasks: { drop(uuid: string): Promise<boolean> };
  readonly finisher: { cancel(uuid: string): Promise<void>; enqueue(uuid: string): void };
  readonly objects: Pick<RecordObjects, 'cancel' | 'offer' | 'remove'>;
  readonly toRow: (facts: RecordFacts) => RecordRow;
  readonly audit: AuditTrail;
  readonly now: () => Date;
  readonly log: Log;
}

export function toRemoved(row: RecordRow, removedAt: string): RemovedRecord {
  return { ...row, removedAt, purgeAt: new Date(Date.parse(removedAt) + keptMs).toISOString() };
}

export function createRecordBin(deps: RecordBinDeps): RecordBin {
  return new StoredRecordBin(deps);
}

class StoredRecordBin implements RecordBin {
  readonly #deps: RecordBinDeps;

  constructor(deps: RecordBinDeps) {
    this.#deps = deps;
  }

  list(): RemovedRecord[] {
    return this.#deps.catalogue.bin().map((facts) => toRemoved(this.#deps.toRow(facts), facts.removedAt));
  }

  async remove(uuid: string, forever: boolean, actor: Actor): Promise<void> {
    const known = this.#deps.catalogue.get(uuid) ?? this.#deps.catalogue.removed(uuid);
    if (!known || (known.removedAt !== undefined && !forever))
      throw new AppError('notFound', because('record.none', { uuid }));
    await this.#deps.tasks.drop(uuid);
    await this.#deps.finisher.cancel(uuid);
    await this.#deps.objects.cancel(uuid);
    const facts = this.#deps.catalogue.get(uuid) ?? known;
    const state = isFinished(facts) ? facts.state : 'finishing';
    if (forever) await this.#purgeOne(facts);
    else {
      const removed: RecordFacts = { ...facts, state, removedAt: this.#deps.now().toISOString() };
      // Logs a failed write and continues: on a full disk, only the rename succeeds.
      await this.#deps.folder
        .writeFacts(removed)
        .catch((error) => this.#deps.log.warn({ err: error, uuid }, 'recording.json not written'));
      await this.#deps.folder.moveToBin(uuid);
      await this.#deps.catalogue.keep(removed);
    }
    await this.#deps.audit.record(
      'setting-changed',
      actor,
      changed(forever ? 'record.deleted-for-good' : 'record.deleted', { name: this.#nameOf(facts) }),
    );
  }

  async discard(uuid: string): Promise<boolean> {
    const facts = this.#deps.catalogue.get(uuid);
    if (!facts || !isFinished(facts) || isKept(facts)) return false;
    await this.#purgeOne(facts);
    return true;
  }

  async restore(uuid: string, actor: Actor): Promise<void> {
    const removed = this.#deps.catalogue.removed(uuid);
    if (!removed) throw new AppError('notFound', because('record.none-in-bin', { uuid }));
    const { removedAt: _, ...facts } = removed;
    await this.#deps.folder.restore(uuid);
    await this.#deps.folder
      .writeFacts(facts)
      .catch((error) => this.#deps.log.warn({ err: error, uuid }, 'recording.json not written'));
    await this.#deps.catalogue.keep(facts);
    if (isFinished(facts)) this.#deps.objects.offer(facts);
    else this.#deps.finisher.enqueue(uuid);
    await this.#deps.audit.record('setting-changed', actor, changed('record.restored', { name: this.#nameOf(facts) }));
  }

  async empty(actor: Actor): Promise<void> {
    await this.purge('all');
    await this.#deps.audit.record('setting-changed', actor, changed('record.bin-emptied'));
  }

  async purge(which: BinPart = 'due'): Promise<void> {
    const limit = this.#deps.now().getTime() - keptMs;
    for (const facts of this.#deps.catalogue.bin()) {
      const isWanted = which === 'all' || (which === 'on disk' && diskBytes(facts) > 0 && !isKept(facts));
      if (isWanted || Date.parse(facts.removedAt) <= limit) await this.#purgeOne(facts);
    }
  }

  #nameOf({ app, stream, begin, uuid }: RecordFacts) {
    return `${app}/${stream} of ${begin} (${uuid})`;
  }

  async #purgeOne(facts: RecordFacts): Promise<void> {
    await this.#deps.objects.remove(facts);
    await this.#deps.folder.purge(facts.uuid);
    await this.#deps.catalogue.forget(facts.uuid);
    this.#deps.log.info({ uuid: facts.uuid, stream: facts.stream }, 'recording permanently removed');
  }
}
