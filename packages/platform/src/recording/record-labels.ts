// Recording data that operators edit: title, notes, keep mark. The folder is changed before the table.
import { AppError, because, changed, type RecordLabel, switched } from '@srs-stack/contract';
import type { Actor } from '../actor.ts';
import { Lanes } from '../concurrency/lanes.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { RecordCatalogue } from './record-catalogue.ts';
import { noLabel } from './record-facts.ts';
import type { RecordFolder } from './record-folder.ts';

/** A change of the label; absent fields stay unchanged. */
export type LabelChange = { readonly [K in keyof RecordLabel]?: RecordLabel[K] | undefined };

export interface RecordLabels {
  /** Changes a running or finished recording that is not in the recycle bin. Throws `notFound`. */
  change(uuid: string, change: LabelChange, actor: Actor): Promise<void>;
}

export function createRecordLabels(deps: {
  readonly catalogue: Pick<RecordCatalogue, 'get' | 'label'>;
  readonly folder: Pick<RecordFolder, 'writeLabel'>;
  readonly audit: AuditTrail;
}): RecordLabels {
  const { catalogue, folder, audit } = deps;
  const lanes = new Lanes();
  return {
    change: (uuid, { title, notes, keep }, actor) =>
      lanes.run(uuid, async () => {
        const facts = catalogue.get(uuid);
        if (!facts) throw none(uuid);
        const before = facts.label ?? noLabel;
        const label = { title: title ?? before.title, notes: notes ?? before.notes, keep: keep ?? before.keep };
        await folder.writeLabel(uuid, label).catch((error) => {
          // The recording was deleted during the change.
          throw error.code === 'ENOENT' ? none(uuid) : error;
        });
        await catalogue.label(uuid, label);
        const name = `${facts.app}/${facts.stream} of ${facts.begin} (${uuid})`;
        const isMarked = label.keep !== before.keep;
        const change = isMarked
          ? changed('record.keep', { name, state: switched(label.keep) })
          : changed('record.labelled', { name });
        await audit.record('setting-changed', actor, change);
      }),
  };
}

const none = (uuid: string) => new AppError('notFound', because('record.none', { uuid }));
