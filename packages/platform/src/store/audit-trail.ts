// The audit trail: logins, failed logins, and changes with address and browser. Its size is limited, and recording never fails a call.
import { type AuditEntry, auditEntry, type SettingChange } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import type { Actor } from '../actor.ts';
import type { LogType, Store } from './store.ts';

/** Maximum number of entries: months of normal use, a few MB at most. */
const auditCapacity = 10_000;

const auditLog: LogType<AuditEntry> = { name: 'audit', schema: auditEntry, capacity: auditCapacity };

type AuditAction = AuditEntry['action'];
/** Actions whose entries are in English and only in the audit trail; every other entry is also an event of the dashboard. */
type LoginAction = 'login' | 'login-failed' | 'password-set';
type AuditDetail<Action extends AuditAction> = Action extends LoginAction ? string : SettingChange;

export interface AuditTrail {
  record<Action extends AuditAction>(action: Action, actor: Actor, detail: AuditDetail<Action>): Promise<void>;
  newest(count: number): Promise<AuditEntry[]>;
}

export function createAuditTrail(deps: { store: Store; log: Log; now: () => Date }): AuditTrail {
  const entries = deps.store.log(auditLog);
  return {
    async record(action, { ip }, detail: string | SettingChange) {
      const fields = { action, ip, detail: typeof detail === 'string' ? detail : detail.text };
      if (action === 'login-failed') deps.log.warn(fields, 'login failed');
      else deps.log.info(fields, 'audit');
      try {
        await entries.append({ at: deps.now().toISOString(), ...fields });
      } catch (error) {
        deps.log.error({ err: error, action }, 'entry could not be stored in the audit trail');
      }
    },
    newest: (count) => entries.newest(count),
  };
}
