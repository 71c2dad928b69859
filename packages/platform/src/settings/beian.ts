// Title and ICP filing of the console. Empty texts mean the default title and no filing line.
import { AppError, changed } from '@srs-stack/contract';
import { z } from 'zod';
import type { Actor } from '../actor.ts';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { DocumentType, Store } from '../store/store.ts';

type Member = 'icp' | 'title';
type Texts = { readonly [Name in Member]?: string | undefined };

const beianDocument: DocumentType<Texts> = {
  key: 'beian',
  schema: z.object({ icp: z.string().optional(), title: z.string().optional() }),
  empty: {},
};

export interface Beian {
  current(): Promise<Texts>;
  /** Throws `settingsChanged` if `previous` is given and differs from the stored text. */
  change(member: Member, text: string, actor: Actor, previous?: string): Promise<void>;
}

export function createBeian({ store, audit }: { store: Store; audit: AuditTrail }): Beian {
  const oneAtATime = createOneAtATime();
  return {
    current: () => store.get(beianDocument),
    change: (member, text, actor, previous) =>
      oneAtATime(async () => {
        const { value: texts, revision } = await store.read(beianDocument);
        if (previous !== undefined && previous !== (texts[member] ?? '')) throw new AppError('settingsChanged');
        const { [member]: _replaced, ...others } = texts;
        await store.set(beianDocument, text === '' ? others : { ...others, [member]: text }, revision);
        await audit.record('setting-changed', actor, changed('page.text', { member: changed(`member.${member}`) }));
      }),
  };
}
