// Tells the audit trail of wrong passwords; of a flood a part, with how many were left out, so that it neither pushes
// everything else out of the trail nor makes the server wait for its disk.

import { createReportRateLimit } from '@srs-stack/process/report-rate-limit.ts';
import { type Actor, thisServer } from '../actor.ts';
import type { AuditTrail } from '../store/audit-trail.ts';

/** Entries made at once, and how long until one more may be made, milliseconds: 8,640 a day, below what the trail keeps. */
export const entryBurst = 20;
const entryIntervalMs = 10_000;

export interface FailedLogins {
  record(reason: string, actor: Actor, nowMs: number): Promise<void>;
  /** Tells what was left out so far, before something that the owner will read beside it. */
  flush(): Promise<void>;
}

export function createFailedLogins(audit: Pick<AuditTrail, 'record'>): FailedLogins {
  const budget = createReportRateLimit({ burst: entryBurst, intervalMs: entryIntervalMs });
  let last: { readonly reason: string; readonly actor: Actor } = { reason: '', actor: thisServer };
  const write = (omitted: number) =>
    audit.record('login-failed', last.actor, omitted === 0 ? last.reason : `${last.reason}; ${omitted} more before`);
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
