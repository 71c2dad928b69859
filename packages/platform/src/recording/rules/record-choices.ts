// Recording choices of single streams, which override the rules for all streams.
import { AppError, because, changed, maxRecordChoices, switched } from '@srs-stack/contract';
import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import { createOneAtATime } from '../../concurrency/one-at-a-time.ts';
import type { AuditTrail } from '../../store/audit-trail.ts';
import { holdDocument } from '../../store/held-document.ts';
import type { DocumentType, Store } from '../../store/store.ts';

interface StreamName {
  readonly app: string;
  readonly stream: string;
}
type Choice = StreamName & { readonly record: boolean };

const choicesDocument: DocumentType<{ choices: Choice[] }> = {
  key: 'record-choices',
  schema: z.object({ choices: z.array(z.object({ app: z.string(), stream: z.string(), record: z.boolean() })) }),
  empty: { choices: [] },
};

export interface RecordChoices {
  /** Undefined when the rules decide. */
  of(source: StreamName): boolean | undefined;
  /** @param byRules result of the rules: a choice equal to it is not stored. Throws `invalidRequest` above the limit. */
  choose(source: StreamName, record: boolean, byRules: boolean, actor: Actor): Promise<void>;
}

export async function openRecordChoices({ store, audit }: { store: Store; audit: AuditTrail }): Promise<RecordChoices> {
  const oneAtATime = createOneAtATime();
  const keyOf = ({ app, stream }: StreamName) => `${app}/${stream}`;
  const held = await holdDocument(store, choicesDocument);
  const byName = ({ choices }: { choices: readonly Choice[] }) => new Map(choices.map((each) => [keyOf(each), each]));
  let chosen = byName(held.current());
  held.onChange(async (stored) => {
    chosen = byName(stored);
  });
  return {
    of: (source) => chosen.get(keyOf(source))?.record,
    choose: ({ app, stream }, record, byRules, actor) =>
      oneAtATime(async () => {
        const before = held.current();
        const next = new Map(chosen);
        next.delete(keyOf({ app, stream }));
        if (record !== byRules) next.set(keyOf({ app, stream }), { app, stream, record });
        if (next.size > maxRecordChoices) {
          throw new AppError('invalidRequest', because('record.too-many-choices', { maximum: maxRecordChoices }));
        }
        await held.replace(before, { choices: [...next.values()] });
        chosen = next;
        await audit.record(
          'setting-changed',
          actor,
          changed('record.stream', { stream: `${app}/${stream}`, state: switched(record) }),
        );
      }),
  };
}
