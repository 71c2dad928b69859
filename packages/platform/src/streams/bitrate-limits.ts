// Highest bitrate of remote and uploaded sources, kbit/s.
import { changed, defaultSourceBitrateKbps } from '@srs-stack/contract';
import { z } from 'zod';
import type { Actor } from '../actor.ts';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import { requireRevision, revisionOf } from '../concurrency/settings-revision.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { DocumentType, Store } from '../store/store.ts';

interface SourceLimits {
  readonly vlive: number;
  readonly camera: number;
}

const limitsDocument: DocumentType<SourceLimits> = {
  key: 'source-limits',
  schema: z.object({ vlive: z.number().int(), camera: z.number().int() }),
  empty: { vlive: defaultSourceBitrateKbps, camera: defaultSourceBitrateKbps },
};

export interface BitrateLimits {
  current(): Promise<SourceLimits & { readonly revision: string }>;
  /** Throws `settingsChanged` when a revision is given and stands for other limits. */
  change(limits: SourceLimits, actor: Actor, revision?: string): Promise<void>;
}

export function createBitrateLimits({ store, audit }: { store: Store; audit: AuditTrail }): BitrateLimits {
  const oneAtATime = createOneAtATime();
  return {
    async current() {
      const limits = await store.get(limitsDocument);
      return { ...limits, revision: revisionOf(limits) };
    },
    change: (limits, actor, revision) =>
      oneAtATime(async () => {
        const before = await store.read(limitsDocument);
        requireRevision(revision, before.value);
        await store.set(limitsDocument, limits, before.revision);
        await audit.record(
          'setting-changed',
          actor,
          changed('limits.bitrate', { vlive: limits.vlive, camera: limits.camera }),
        );
      }),
  };
}
