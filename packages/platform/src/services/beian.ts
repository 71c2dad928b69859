// Title and filing texts of the page, by member name.
import { AppError, because, changed } from '@srs-stack/contract';
import { z } from 'zod';
import type { DocumentType, Store } from '../store/store.ts';
import type { AuditTrail } from './audit-trail.ts';
import { createOneAtATime } from './one-at-a-time.ts';

const beianDocument: DocumentType<Record<string, string>> = {
  key: 'beian',
  schema: z.record(z.string(), z.string()),
  empty: {},
};

/** Members stored; clients use two, any name is taken, but not any number. */
const maxMembers = 32;

export interface Beian {
  current(): Promise<Record<string, string>>;
  /** Throws `settingsChanged` when `previous` is given and not the stored text. */
  change(member: string, text: string, ip: string, previous?: string): Promise<void>;
}

export function createBeian({ store, audit }: { store: Store; audit: AuditTrail }): Beian {
  const oneAtATime = createOneAtATime();
  return {
    current: () => store.get(beianDocument),
    change: (member, text, ip, previous) =>
      oneAtATime(async () => {
        const members = new Map(Object.entries(await store.get(beianDocument)));
        if (previous !== undefined && previous !== (members.get(member) ?? '')) throw new AppError('settingsChanged');
        members.set(member, text);
        if (members.size > maxMembers)
          throw new AppError('invalidRequest', because('settings.too-many-texts', { maximum: maxMembers }));
        await store.set(beianDocument, Object.fromEntries(members));
        await audit.record(
          'setting-changed',
          ip,
          changed('page.text', {
            member: member === 'icp' || member === 'title' ? changed(`member.${member}`) : member,
          }),
        );
      }),
  };
}
