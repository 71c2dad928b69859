// One settings document: compared with what the operator saw, checked, stored, put into effect, noted in the audit trail. What
// cannot take effect is not stored. What another control plane of the same store saves takes effect here too.
import type { SettingChange } from '@srs-stack/contract';
import type { Actor } from '../actor.ts';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import { requireRevision, revisionOf } from '../concurrency/settings-revision.ts';
import type { AuditTrail } from './audit-trail.ts';
import { holdDocument } from './held-document.ts';
import type { DocumentType, Store } from './store.ts';

interface SettingSave {
  /** What the operator saw; undefined: not compared. */
  readonly revision?: string | undefined;
  readonly actor: Actor;
  /** For the audit trail, without secrets. */
  readonly detail: SettingChange;
}

export interface Setting<T> {
  current(): T;
  revision(): string;
  /** Called when another control plane has saved something, after it is `current()`. */
  onOthersChange(listener: () => Promise<void>): void;
  /** `change` gets the stored value; what it throws leaves everything as it was. */
  save(change: (before: T) => T | Promise<T>, save: SettingSave): Promise<void>;
}

export interface SettingDeps<T> {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly type: DocumentType<T>;
  /** Puts a value into effect; when it throws the value before is kept. */
  readonly apply?: (value: T) => Promise<void>;
}

export async function openSetting<T>({ store, audit, type, apply }: SettingDeps<T>): Promise<Setting<T>> {
  const held = await holdDocument(store, type);
  const oneAtATime = createOneAtATime();
  const takeEffect = async () => apply?.(held.current());
  held.onChange(() => oneAtATime(takeEffect));
  return {
    current: () => held.current(),
    revision: () => revisionOf(held.current()),
    onOthersChange: (listener) => held.onChange(listener),
    save: (change, { revision, actor, detail }) =>
      oneAtATime(async () => {
        const before = held.current();
        requireRevision(revision, before);
        const next = await change(before);
        await apply?.(next);
        try {
          await held.replace(before, next);
        } catch (error) {
          await takeEffect().catch(() => undefined);
          throw error;
        }
        await audit.record('setting-changed', actor, detail);
      }),
  };
}
