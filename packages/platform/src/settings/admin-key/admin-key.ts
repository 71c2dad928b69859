// The SSH key of the platform administrator, granted or revoked in the file of AUTHORIZED_KEYS_FILE. Disabled without this variable. The
// granted state is always read from the file.
import { AppError, because, changed, type endpoints, type ResponseOf } from '@srs-stack/contract';
import { z } from 'zod';
import { createOneAtATime } from '../../concurrency/one-at-a-time.ts';
import { requireRevision, revisionOf } from '../../concurrency/settings-revision.ts';
import type { AuditTrail } from '../../store/audit-trail.ts';
import type { ChangedBy } from '../../store/setting.ts';
import type { DocumentType, Store } from '../../store/store.ts';
import { openAuthorizedKeys } from './authorized-keys.ts';
import { type PublicKey, parsePublicKey, toLine } from './public-key.ts';

const keyDocument: DocumentType<string> = { key: 'admin-public-key', schema: z.string(), empty: '' };

export interface AdminKey {
  query(): Promise<ResponseOf<typeof endpoints.queryAdminKey>>;
  /** Throws `keyFileNotConfigured`, `publicKeyInvalid`, `keyFileUnusable` or `settingsChanged`. */
  change(next: { key?: string | undefined; enable: boolean }, by: ChangedBy): Promise<void>;
}

export interface AdminKeyDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly file: string;
}

export function createAdminKey({ store, audit, file }: AdminKeyDeps): AdminKey {
  const keys = openAuthorizedKeys(file);
  const oneAtATime = createOneAtATime();
  const stored = async (): Promise<PublicKey | undefined> => {
    const text = await store.get(keyDocument);
    return text === '' ? undefined : parsePublicKey(text);
  };

  const look = async (key: PublicKey | undefined) => {
    const nothing = { granted: false, otherKeys: 0 };
    if (file === '') return { ...nothing, problem: '' };
    try {
      return { ...(await keys.look(key)), problem: '' };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { message: problem, reason } = error.facts;
      return { ...nothing, problem, reason };
    }
  };

  const state = async () => {
    const key = await stored();
    const seen = await look(key);
    return { key: key ? toLine(key) : '', fingerprint: key?.fingerprint ?? '', ...seen };
  };
  /** The revision covers all values except the number of other keys. */
  const compared = ({ key, granted }: { key: string; granted: boolean }) => ({ key, granted });

  return {
    async query() {
      const now = await state();
      return { file, ...now, revision: revisionOf(compared(now)) };
    },
    change: ({ key: text, enable }, { revision, actor }) =>
      oneAtATime(async () => {
        if (file === '') throw new AppError('keyFileNotConfigured');
        requireRevision(revision, compared(await state()));
        const before = await stored();
        const next = text === undefined || text.trim() === '' ? before : parsePublicKey(text);
        if (!next) throw new AppError('publicKeyInvalid', because('ssh-key.none'));
        // Grants the new key first: after a failure the old key is still valid.
        await keys.set(next, enable);
        await store.set(keyDocument, toLine(next));
        if (before && before.blob !== next.blob) await keys.set(before, false);
        await audit.record(
          'setting-changed',
          actor,
          changed(enable ? 'platform.ssh-key-granted' : 'platform.ssh-key-denied', { fingerprint: next.fingerprint }),
        );
      }),
  };
}
