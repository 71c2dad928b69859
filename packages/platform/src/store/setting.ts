// One settings document: read, compared with what the operator saw, checked, stored, put into effect, noted in the audit
// trail. What cannot take effect is not stored.
import type { SettingChange } from '@srs-stack/contract';
import type { Actor } from '../actor.ts';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import { requireRevision, revisionOf } from '../concurrency/settings-revision.ts';
import type { AuditTrail } from './audit-trail.ts';
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
  let value = await store.get(type);
  const oneAtATime = createOneAtATime();
  return {
    current: () => value,
    revision: () => revisionOf(value),
    save: (change, { revision, actor, detail }) =>
      oneAtATime(async () => {
        requireRevision(revision, value);
        const next = await change(value);
        await apply?.(next);
        try {
          await store.set(type, next);
        } catch (error) {
          await apply?.(value).catch(() => undefined);
          throw error;
        }
        value = next;
        await audit.record('setting-changed', actor, detail);
      }),
  };
}
