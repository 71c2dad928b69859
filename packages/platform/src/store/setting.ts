// One settings document. A change is compared with the operator's revision, then checked, applied, stored and audited. A value that cannot
// be applied is not stored. Changes by other control planes of the store are applied too.
import type { SettingChange } from '@srs-stack/contract';
import type { DeclaredSetting as Declaration } from '@srs-stack/contract/models/setting.ts';
import type { Actor } from '../actor.ts';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import { requireRevision, revisionOf } from '../concurrency/settings-revision.ts';
import type { AuditTrail } from './audit-trail.ts';
import { holdDocument } from './held-document.ts';
import type { DocumentType, Store } from './store.ts';

interface SettingSave<T> {
  /** Revision that the operator saw; undefined skips the comparison. */
  readonly revision?: string | undefined;
  readonly actor: Actor;
  readonly detail: SettingChange | ((saved: T) => SettingChange);
}

export interface Setting<T> {
  current(): T;
  revision(): string;
  /** Called after another control plane saved a value, and after a failed save. `current()` already returns the stored value. */
  onOthersChange(listener: () => Promise<void>): void;
  /** Passes the stored value to `change` and saves the result. If `change` throws, nothing is saved. */
  save(change: (before: T) => T | Promise<T>, save: SettingSave<T>): Promise<void>;
}

export interface SettingDeps<T> {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly type: DocumentType<T>;
  /** Applies a value. After an error during `save`, the previous value stays. */
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
        await audit.record('setting-changed', actor, typeof detail === 'function' ? detail(next) : detail);
      }),
  };
}

/** A setting whose document is declared in the contract. */
export interface DeclaredSetting<T> extends Pick<Setting<T>, 'current'> {
  query(): T & { readonly revision: string };
  /** Absent fields stay unchanged. Throws `settingsChanged` if `revision` is given and outdated. */
  change(values: ValuesOf<T>, by: ChangedBy): Promise<void>;
}

/** Who makes a change, and the revision that this actor saw. */
export interface ChangedBy {
  readonly actor: Actor;
  readonly revision?: string | undefined;
}

type ValuesOf<T> = { readonly [Name in keyof T]?: T[Name] | undefined };

/** @param check throws for invalid values. */
export async function openDeclared<T extends object>(
  { document, change }: Declaration<T>,
  { check, ...deps }: Omit<SettingDeps<T>, 'type'> & { readonly check?: (values: T) => void },
): Promise<DeclaredSetting<T>> {
  const setting = await openSetting({ ...deps, type: document });
  return {
    current: () => setting.current(),
    query: () => ({ ...setting.current(), revision: setting.revision() }),
    change: (values, { actor, revision }) =>
      setting.save(
        (before) => {
          const next = mergeGiven(before, values);
          check?.(next);
          return next;
        },
        { revision, actor, detail: change },
      ),
  };
}

function mergeGiven<T extends object>(before: T, given: ValuesOf<T>): T {
  const names = Object.keys(before) as (keyof T)[];
  return Object.fromEntries(names.map((name) => [name, given[name] === undefined ? before[name] : given[name]])) as T;
}
