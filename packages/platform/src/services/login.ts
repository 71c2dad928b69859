// Setup, login, password change and sign-out everywhere: who gets a session and who loses it.
import { AppError, because, changed, type Session } from '@srs-stack/contract';
import { z } from 'zod';
import type { Log } from '../log.ts';
import type { DocumentType, Store } from '../store/store.ts';
import type { AdminPassword } from './admin-password.ts';
import type { ApiSecret } from './api-secret.ts';
import type { AuditTrail } from './audit-trail.ts';
import { createLoginThrottle } from './login-throttle.ts';
import { createOneAtATime } from './one-at-a-time.ts';
import { secretsEqual } from './secrets-equal.ts';
import type { SessionEpoch } from './session-epoch.ts';
import type { Sessions } from './sessions.ts';

const trustedAddressesDocument: DocumentType<string[]> = {
  key: 'login-addresses',
  schema: z.array(z.string()),
  empty: [],
};

export interface Login {
  state(): { init: boolean; setupTokenRequired: boolean };
  /** Sets the first password and logs in. */
  setUp(request: { password: string; setupToken: string; ip: string }): Promise<Session>;
  logIn(request: { password: string; ip: string }): Promise<Session>;
  changePassword(request: { current: string; password: string; ip: string }): Promise<Session>;
  signOutEverywhere(request: { rotateSecret: boolean; ip: string }): Promise<Session>;
}

export interface LoginDeps {
  readonly store: Store;
  readonly password: AdminPassword;
  readonly secret: ApiSecret;
  readonly epoch: SessionEpoch;
  readonly sessions: Sessions;
  readonly audit: AuditTrail;
  readonly log: Log;
  readonly now: () => Date;
  /** Empty when setup is open to everybody. */
  readonly setupToken: string;
}

export async function openLogin(deps: LoginDeps): Promise<Login> {
  const { store, password, secret, epoch, sessions, audit, log, now, setupToken } = deps;
  const throttle = createLoginThrottle(await store.get(trustedAddressesDocument), now().getTime());
  const oneAtATime = createOneAtATime();

  /** Lets one guess through and remembers how it ended. Throws `failure` for a wrong one. */
  const judge = async (ip: string, isRight: () => boolean, failure: 'passwordWrong' | 'setupTokenWrong') => {
    const waitMs = throttle.waitMs(ip, now().getTime());
    if (waitMs > 0) {
      const retryAfterSeconds = Math.ceil(waitMs / 1000);
      throw new AppError('loginThrottled', because('login.again', { seconds: retryAfterSeconds }), {
        retryAfterSeconds,
      });
    }
    if (isRight()) return;
    throttle.onFailure(ip, now().getTime());
    await audit.record('login-failed', ip, failure === 'passwordWrong' ? 'wrong password' : 'wrong setup token');
    throw new AppError(failure);
  };

  /** Never the reason that a right password fails: with a full disk the owner must get in. */
  const trust = async (ip: string) => {
    const before = throttle.trustedAddresses().join();
    throttle.onSuccess(ip);
    const after = throttle.trustedAddresses();
    if (after.join() === before) return;
    await store.set(trustedAddressesDocument, after).catch((error) => {
      log.error({ err: error }, 'login address not stored');
    });
  };

  return {
    state: () => ({ init: password.isSet(), setupTokenRequired: setupToken !== '' && !password.isSet() }),

    setUp: (request) =>
      oneAtATime(async () => {
        if (password.isSet()) throw new AppError('alreadyInitialised');
        if (setupToken) await judge(request.ip, () => secretsEqual(request.setupToken, setupToken), 'setupTokenWrong');
        await password.replace(request.password);
        await epoch.remember(request.password);
        await trust(request.ip);
        await audit.record('password-set', request.ip, 'first admin password');
        return sessions.issue();
      }),

    async logIn(request) {
      if (!password.isSet()) throw new AppError('notInitialised');
      if (request.password === '') throw new AppError('passwordMissing');
      await judge(request.ip, () => password.matches(request.password), 'passwordWrong');
      await trust(request.ip);
      await audit.record('login', request.ip, '');
      return sessions.issue();
    },

    changePassword: (request) =>
      oneAtATime(async () => {
        if (!password.isSet()) throw new AppError('notInitialised');
        await judge(request.ip, () => password.matches(request.current), 'passwordWrong');
        await password.replace(request.password);
        await epoch.raise(request.password);
        await audit.record('password-changed', request.ip, changed('access.password'));
        return sessions.issue();
      }),

    signOutEverywhere: (request) =>
      oneAtATime(async () => {
        if (request.rotateSecret) {
          await secret.rotate();
          await audit.record('api-secret-changed', request.ip, changed('access.api-secret'));
        }
        await epoch.raise(password.current());
        await audit.record('sign-out-everywhere', request.ip, changed('access.signed-out'));
        return sessions.issue();
      }),
  };
}
