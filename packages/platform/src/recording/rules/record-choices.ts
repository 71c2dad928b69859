// Recording choices for single streams override the plan and the rules. The choice for a planned stream ends when the plan next starts or
// stops a recording.
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
/** `untilMs`: end of the choice, milliseconds since 1970; absent without an end, e.g. for streams outside the plan. */
type Choice = StreamName & { readonly record: boolean; readonly untilMs?: number | undefined };

const choicesDocument: DocumentType<{ choices: Choice[] }> = {
  key: 'record-choices',
  schema: z.object({
    choices: z.array(
      z.object({ app: z.string(), stream: z.string(), record: z.boolean(), untilMs: z.number().optional() }),
    ),
  }),
  empty: { choices: [] },
};

interface NewChoice {
  readonly record: boolean;
  /** Whether plan and rules record the stream. A choice with this value is not stored. */
  readonly byRules: boolean;
  readonly untilMs: number | undefined;
}

export interface RecordChoices {
  /** Undefined if plan or rules decide. */
  of(source: StreamName, atMs?: number): boolean | undefined;
  /** Throws `invalidRequest` if there are too many choices. */
  choose(source: StreamName, choice: NewChoice, actor: Actor): Promise<void>;
}

export async function openRecordChoices(deps: {
  store: Store;
  audit: AuditTrail;
  now: () => Date;
}): Promise<RecordChoices> {
  const { store, audit, now } = deps;
  const oneAtATime = createOneAtATime();
  const keyOf = ({ app, stream }: StreamName) => `${app}/${stream}`;
  const held = await holdDocument(store, choicesDocument);
  const byName = ({ choices }: { choices: readonly Choice[] }) => new Map(choices.map((each) => [keyOf(each), each]));
  let chosen = byName(held.current());
  held.onChange(async (stored) => {
    chosen = byName(stored);
  });
  const isInForce = ({ untilMs }: Choice, atMs = now().getTime()) => untilMs === undefined || atMs < untilMs;
  return {
    of(source, atMs) {
      const choice = chosen.get(keyOf(source));
      return choice && isInForce(choice, atMs) ? choice.record : undefined;
    },
    choose: ({ app, stream }, { record, byRules, untilMs }, actor) =>
      oneAtATime(async () => {
        const before = held.current();
        const next = new Map([...chosen].filter(([, choice]) => isInForce(choice)));
        next.delete(keyOf({ app, stream }));
        const choice = { app, stream, record, ...(untilMs !== undefined && { untilMs }) };
        if (record !== byRules) next.set(keyOf(choice), choice);
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
