// The security log: who logged in or failed to, who changed what. Bounded, and never the reason that a call fails.
import { type AuditEntry, auditEntry } from '@srs-stack/contract';
import type { Log } from '../log.ts';
import type { LogType, Store } from '../store/store.ts';

/** Entries kept: months of normal use, a few MB at most. */
const auditCapacity = 10_000;

const auditLog: LogType<AuditEntry> = { name: 'audit', schema: auditEntry, capacity: auditCapacity };

export interface AuditTrail {
  record(action: AuditEntry['action'], ip: string, detail: string): Promise<void>;
  newest(count: number): Promise<AuditEntry[]>;
}

export function createAuditTrail(deps: { store: Store; log: Log; now: () => Date }): AuditTrail {
  const entries = deps.store.log(auditLog);
  return {
    async record(action, ip, detail) {
      const fields = { action, ip, detail };
      if (action === 'login-failed') deps.log.warn(fields, 'login failed');
      else deps.log.info(fields, 'audit');
      try {
        await entries.append({ at: deps.now().toISOString(), ...fields });
      } catch (error) {
        deps.log.error({ err: error, action }, 'audit entry not stored');
      }
    },
    newest: (count) => entries.newest(count),
  };
}
