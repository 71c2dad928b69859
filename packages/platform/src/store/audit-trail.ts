// The audit trail: logins, failed logins, and changes with the address of the caller. The size is limited. A failure to record never fails
// a call.
import { type AuditEntry, auditEntry, type SettingChange } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import type { Actor } from '../actor.ts';
import type { LogType, Store } from './store.ts';

/** Maximum number of entries: months of normal use, at most a few MB. */
const auditCapacity = 10_000;

const auditLog: LogType<AuditEntry> = { name: 'audit', schema: auditEntry, capacity: auditCapacity };

type AuditAction = AuditEntry['action'];
/** These actions have English texts and appear only in the audit trail. All other actions are also events on the dashboard. */
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
