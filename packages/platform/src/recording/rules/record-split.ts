// Size and duration limits of one file. At a limit, the recording continues in a new file from the next keyframe. Off by default.
import { changed, type RecordSplit, recordSplit } from '@srs-stack/contract';
import type { Actor } from '../../actor.ts';
import { createOneAtATime } from '../../concurrency/one-at-a-time.ts';
import type { AuditTrail } from '../../store/audit-trail.ts';
import { holdDocument } from '../../store/held-document.ts';
import type { DocumentType, Store } from '../../store/store.ts';

export const noSplit: RecordSplit = { maxSeconds: 0, maxBytes: 0 };

const splitDocument: DocumentType<RecordSplit> = {
  key: 'record-split',
  schema: recordSplit,
  empty: noSplit,
};

export interface RecordSplitService {
  current(): RecordSplit;
  /** Running recordings apply the change with their next segment. */
  change(next: RecordSplit, actor: Actor): Promise<void>;
}

export async function openRecordSplit(deps: { store: Store; audit: AuditTrail }): Promise<RecordSplitService> {
  const { store, audit } = deps;
  const oneAtATime = createOneAtATime();
  const held = await holdDocument(store, splitDocument);
  return {
    current: () => held.current(),
    change: ({ maxSeconds, maxBytes }, actor) =>
      oneAtATime(async () => {
        await held.replace(held.current(), { maxSeconds, maxBytes });
        const any = changed('amount.any');
        const change = changed('record.split', { seconds: maxSeconds || any, bytes: maxBytes || any });
        await audit.record('setting-changed', actor, change);
      }),
  };
}
