// Deleting, and undoing it: a deleted recording lies in the bin for a day, less when the disk needs the room.
import { AppError, because, changed, type RemovedRecord, recordBinHours } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { RecordCatalogue } from './record-catalogue.ts';
import { isFinished, type RecordFacts, toRow } from './record-facts.ts';
import type { RecordFolder } from './record-folder.ts';

const keptMs = recordBinHours * 3_600_000;

export interface RecordBin {
  list(): RemovedRecord[];
  /** Throws `notFound`. A running recording is ended first. */
  remove(uuid: string, forever: boolean, ip: string): Promise<void>;
  /** Removes a finished recording for good, without an entry in the audit trail. */
  discard(uuid: string): Promise<void>;
  restore(uuid: string, ip: string): Promise<void>;
  empty(ip: string): Promise<void>;
  /** Removes for good what has been in the bin long enough, or everything when room is needed. */
  purge(everything?: boolean): Promise<void>;
}

export interface RecordBinDeps {
  readonly folder: RecordFolder;
  readonly catalogue: RecordCatalogue;
  readonly tasks: { drop(uuid: string): Promise<boolean> };
  readonly finisher: { cancel(uuid: string): Promise<void>; enqueue(uuid: string): void };
  readonly audit: AuditTrail;
  readonly now: () => Date;
  readonly log: Log;
}

export function createRecordBin(deps: RecordBinDeps): RecordBin {
  const { folder, catalogue, tasks, finisher, audit, now, log } = deps;
  const nameOf = ({ app, stream, begin, uuid }: RecordFacts) => `${app}/${stream} of ${begin} (${uuid})`;

  const purgeOne = async (facts: RecordFacts) => {
    await folder.purge(facts.uuid);
    await catalogue.forget(facts.uuid);
    log.info({ uuid: facts.uuid, stream: facts.stream }, 'recording removed for good');
  };
  const purge = async (everything = false) => {
    const limit = now().getTime() - keptMs;
    for (const facts of catalogue.bin()) {
      if (everything || Date.parse(facts.removedAt) <= limit) await purgeOne(facts);
    }
  };

  return {
    list: () =>
      catalogue.bin().map((facts) => ({
        ...toRow(facts),
        removedAt: facts.removedAt,
        purgeAt: new Date(Date.parse(facts.removedAt) + keptMs).toISOString(),
      })),

    async remove(uuid, forever, ip) {
      const known = catalogue.get(uuid) ?? catalogue.removed(uuid);
      if (!known || (known.removedAt !== undefined && !forever))
        throw new AppError('notFound', because('record.none', { uuid }));
      await tasks.drop(uuid);
      await finisher.cancel(uuid);
      const facts = catalogue.get(uuid) ?? known;
      const state = isFinished(facts) ? facts.state : 'finishing';
      if (forever) await purgeOne(facts);
      else {
        const removed: RecordFacts = { ...facts, state, removedAt: now().toISOString() };
        // The bin must work on a full disk: the rename is what counts.
        await folder.writeFacts(removed).catch((error) => log.warn({ err: error, uuid }, 'recording.json not written'));
        await folder.moveToBin(uuid);
        await catalogue.keep(removed);
      }
      await audit.record(
        'setting-changed',
        ip,
        changed(forever ? 'record.deleted-for-good' : 'record.deleted', { name: nameOf(facts) }),
      );
    },

    async discard(uuid) {
      const facts = catalogue.get(uuid);
      if (facts && isFinished(facts)) await purgeOne(facts);
    },

    async restore(uuid, ip) {
      const removed = catalogue.removed(uuid);
      if (!removed) throw new AppError('notFound', because('record.none-in-bin', { uuid }));
      const { removedAt: _, ...facts } = removed;
      await folder.restore(uuid);
      await folder.writeFacts(facts).catch((error) => log.warn({ err: error, uuid }, 'recording.json not written'));
      await catalogue.keep(facts);
      if (!isFinished(facts)) finisher.enqueue(uuid);
      await audit.record('setting-changed', ip, changed('record.restored', { name: nameOf(facts) }));
    },

    async empty(ip) {
      await purge(true);
      await audit.record('setting-changed', ip, changed('record.bin-emptied'));
    },

    purge,
  };
}
