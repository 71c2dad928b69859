// Access to the API: the admin password, its sessions, and the API secret.
import type { Log } from '@srs-stack/process/log.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { Store } from '../store/store.ts';
import { openAdminPassword, type PasswordFile } from './admin-password.ts';
import { openApiSecret } from './api-secret.ts';
import { type Login, openLogin } from './login.ts';
import { openSessionEpoch } from './session-epoch.ts';
import { createSessions, type Sessions } from './sessions.ts';

export interface Access {
  readonly sessions: Sessions;
  readonly apiSecret: { current(): string };
  readonly login: Login;
}

export interface AccessDeps {
  readonly env: { readonly adminPassword: string; readonly apiSecret: string; readonly setupToken: string };
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly log: Log;
  readonly now: () => Date;
  readonly passwordFile: PasswordFile;
  readonly onInitialised: () => Promise<void>;
}

export async function openAccess(deps: AccessDeps): Promise<Access> {
  const { env, store, audit, log, now } = deps;
  const password = await openAdminPassword(deps.passwordFile, env.adminPassword, deps.onInitialised);
  const secret = await openApiSecret({ store, now, fixed: env.apiSecret });
  const epoch = await openSessionEpoch(store, password.current());
  const sessions = createSessions({ secret, epoch, now });
  const { setupToken } = env;
  const login = await openLogin({ store, password, secret, epoch, sessions, audit, log, now, setupToken });
  return { sessions, apiSecret: secret, login };
}
