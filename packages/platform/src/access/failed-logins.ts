// Records wrong passwords in the audit trail. A rate limit protects other entries and the disk. One entry with a count replaces the omitted
// entries.

import { createReportRateLimit } from '@srs-stack/process/report-rate-limit.ts';
import { type Actor, thisServer } from '../actor.ts';
import type { AuditTrail } from '../store/audit-trail.ts';

/** Entries allowed in a burst; then one per interval. 8,640 entries a day are fewer than the audit trail keeps. */
export const entryBurst = 20;
const entryIntervalMs = 10_000;

export interface FailedLogins {
  record(reason: string, actor: Actor, nowMs: number): Promise<void>;
  flush(): Promise<void>;
}

export function createFailedLogins(audit: Pick<AuditTrail, 'record'>): FailedLogins {
  const budget = createReportRateLimit({ burst: entryBurst, intervalMs: entryIntervalMs });
  let last: { readonly reason: string; readonly actor: Actor } = { reason: '', actor: thisServer };
  const write = (omitted: number) =>
    audit.record(
      'login-failed',
      last.actor,
      omitted === 0 ? last.reason : `${last.reason}; ${omitted} earlier failed logins are not listed`,
    );
  return {
    async record(reason, actor, nowMs) {
      last = { reason, actor };
      const omitted = budget.take(nowMs);
      if (omitted !== undefined) await write(omitted);
    },
    async flush() {
      const omitted = budget.takeOmitted();
      if (omitted > 0) await write(omitted - 1);
    },
  };
}
