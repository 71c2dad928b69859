// Removes finished recordings automatically: recordings beyond the age limit, and the oldest recordings beyond the size limit. Off by
// default. Each removal is audited and listed.
import {
  changed,
  type RecordRetention,
  type RetentionRemoval,
  recordRetention,
  retentionRemoval,
} from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import { type Actor, thisServer } from '../../actor.ts';
import { createOneAtATime } from '../../concurrency/one-at-a-time.ts';
import type { AuditTrail } from '../../store/audit-trail.ts';
import { holdDocument } from '../../store/held-document.ts';
import type { DocumentType, LogType, Store } from '../../store/store.ts';
import { diskBytes, isFinished, isKept, type RecordFacts } from '../record-facts.ts';

const dayMs = 24 * 3_600_000;
/** Maximum number of remembered removals. */
const removalCapacity = 200;
/** Maximum number of removals shown. */
const shownRemovals = 20;

const retentionDocument: DocumentType<RecordRetention> = {
  key: 'record-retention',
  schema: recordRetention,
  empty: { keepDays: 0, maxBytes: 0 },
};
const removalLog: LogType<RetentionRemoval> = {
  name: 'record-removals',
  schema: retentionRemoval,
  capacity: removalCapacity,
};

export interface RecordRetentionService {
  current(): Promise<RecordRetention & { removals: RetentionRemoval[] }>;
  change(next: RecordRetention, actor: Actor): Promise<void>;
  apply(): Promise<void>;
}

export interface RecordRetentionDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly rows: () => readonly RecordFacts[];
  /** Removes permanently. Returns false if the recording must stay, e.g. because the operator has set the keep mark. */
  readonly remove: (uuid: string) => Promise<boolean>;
  readonly now: () => Date;
  readonly log: Log;
}

export async function openRecordRetention(deps: RecordRetentionDeps): Promise<RecordRetentionService> {
  const { store, audit, rows, remove, now, log } = deps;
  const removals = store.log(removalLog);
  const oneAtATime = createOneAtATime();
  const held = await holdDocument(store, retentionDocument);

  /** Removes a recording. Only logs a failure, so that other recordings are still removed. */
  const tryRemove = (uuid: string) =>
    remove(uuid).catch((error) => {
      log.error({ err: error, uuid }, 'recording that exceeds the retention limits could not be removed');
      return false;
    });
  const removeDue = async () => {
    const rules = held.current();
    for (const { facts, reason } of findExpired(rows(), rules, now())) {
      const { uuid, app, stream, begin } = facts;
      if (!(await tryRemove(uuid))) continue;
      const removal = { at: now().toISOString(), uuid, app, stream, begin, size: diskBytes(facts), reason };
      log.info(removal, 'recording that exceeded the retention limits was removed');
      await removals
        .append(removal)
        .catch((error) => log.error({ err: error }, 'removed recording could not be added to the list of removals'));
      const about = { stream: `${app}/${stream}`, begin, uuid };
      const change =
        reason === 'age'
          ? changed('record.removed-for-age', { ...about, days: rules.keepDays })
          : changed('record.removed-for-room', { ...about, bytes: rules.maxBytes });
      await audit.record('setting-changed', thisServer, change);
    }
  };
  return {
    current: async () => ({ ...held.current(), removals: await removals.newest(shownRemovals) }),
    change: ({ keepDays, maxBytes }, actor) =>
      oneAtATime(async () => {
        await held.replace(held.current(), { keepDays, maxBytes });
        const any = changed('amount.any');
        const change = changed('record.kept', { days: keepDays || any, bytes: maxBytes || any });
        await audit.record('setting-changed', actor, change);
      }),
    apply: () => oneAtATime(removeDue),
  };
}

/**
 * Returns the recordings to remove, oldest first. Recordings with the keep mark are not counted: they would displace all new recordings. A
 * time in the future (after a clock change) does not count as old. Pure.
 */
function findExpired(
  rows: readonly RecordFacts[],
  { keepDays, maxBytes }: RecordRetention,
  now: Date,
): { facts: RecordFacts; reason: RetentionRemoval['reason'] }[] {
  const removable = rows.filter((facts) => !isKept(facts));
  const oldestFirst = removable.filter(isFinished).sort((a, b) => (a.begin < b.begin ? -1 : 1));
  let total = removable.reduce((sum, facts) => sum + diskBytes(facts), 0);
  return oldestFirst.flatMap((facts) => {
    const isOld = keepDays > 0 && now.getTime() - Date.parse(facts.update) > keepDays * dayMs;
    // A recording that exists only in a bucket uses no disk space.
    const isTooMuch = maxBytes > 0 && total > maxBytes && diskBytes(facts) > 0;
    if (!isOld && !isTooMuch) return [];
    total -= diskBytes(facts);
    return [{ facts, reason: isOld ? 'age' : 'size' }];
  });
}
