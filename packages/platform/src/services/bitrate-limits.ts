// Highest bitrate of remote and uploaded sources, kbit/s.
import { defaultSourceBitrateKbps } from '@srs-stack/contract';
import { z } from 'zod';
import type { DocumentType, Store } from '../store/store.ts';
import type { AuditTrail } from './audit-trail.ts';

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
  current(): Promise<SourceLimits>;
  change(limits: SourceLimits, ip: string): Promise<void>;
}

export function createBitrateLimits({ store, audit }: { store: Store; audit: AuditTrail }): BitrateLimits {
  return {
    current: () => store.get(limitsDocument),
    async change(limits, ip) {
      await store.set(limitsDocument, limits);
      await audit.record('setting-changed', ip, `source limits ${limits.vlive} and ${limits.camera} kbit/s`);
    },
  };
}
