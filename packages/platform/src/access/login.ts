// Setup, login, password change and sign-out everywhere: who gets a session and who loses it.
import { AppError, because, changed, type Session } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import { z } from 'zod';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { DocumentType, Store } from '../store/store.ts';
import type { AdminPassword } from './admin-password.ts';
import type { ApiSecret } from './api-secret.ts';
import { createFailedLogins } from './failed-logins.ts';
import { createLoginThrottle } from './login-throttle.ts';
import { secretsEqual } from './secrets-equal.ts';
import type { SessionEpoch } from './session-epoch.ts';
import type { Sessions } from './sessions.ts';

const trustedAddressesDocument: DocumentType<string[]> = {
  key: 'login-addresses',
  schema: z.array(z.string()),
  empty: [],
};

/** Who tries: the address, and the cookie of a browser that logged in before, '' without. */
interface Caller {
  readonly ip: string;
  readonly deviceCookie?: string;
}

export interface Login {
  isInitialised(): boolean;
  state(): { init: boolean; setupTokenRequired: boolean };
  /** Sets the first password and logs in. */
  setUp(request: Caller & { password: string; setupToken: string }): Promise<Session>;
  logIn(request: Caller & { password: string }): Promise<Session>;
  /** Ends every session; `rotateSecret` also replaces the API secret. Throws `secretFixedByEnvironment`. */
  changePassword(request: Caller & { current: string; password: string; rotateSecret: boolean }): Promise<Session>;
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
  const failedLogins = createFailedLogins(audit);
  const oneAtATime = createOneAtATime();
  const guestOf = ({ ip, deviceCookie = '' }: Caller) => ({ address: ip, device: sessions.deviceOf(deviceCookie) });

  /** Lets one guess through and remembers how it ended. Throws `failure` for a wrong one. */
  const judge = async (caller: Caller, isRight: () => boolean, failure: 'passwordWrong' | 'setupTokenWrong') => {
    const guest = guestOf(caller);
    const waitMs = throttle.waitMs(guest, now().getTime());
    if (waitMs > 0) {
      const retryAfterSeconds = Math.ceil(waitMs / 1000);
      throw new AppError('loginThrottled', waitDetail(retryAfterSeconds), { retryAfterSeconds });
    }
    if (isRight()) return;
    throttle.onFailure(guest, now().getTime());
    const reason = failure === 'passwordWrong' ? 'wrong password' : 'wrong setup token';
    await failedLogins.record(reason, caller.ip, now().getTime());
    throw new AppError(failure);
  };

  /** Never the reason that a right password fails: with a full disk the owner must get in. */
  const trust = async (caller: Caller) => {
    const before = throttle.trustedAddresses().join();
    throttle.onSuccess(guestOf(caller));
    const after = throttle.trustedAddresses();
    if (after.join() === before) return;
    await store.set(trustedAddressesDocument, after).catch((error) => {
      log.error({ err: error }, 'login address not stored');
    });
  };

  /** The secret goes first: a failure then leaves sessions ended too early rather than a secret that still counts. */
  const endEverything = async (nextPassword: string, rotatesSecret: boolean, ip: string) => {
    if (rotatesSecret) {
      await secret.rotate();
      await audit.record('api-secret-changed', ip, changed('access.api-secret'));
    }
    await epoch.raise(nextPassword);
  };

  return {
    isInitialised: password.isSet,
    state: () => ({ init: password.isSet(), setupTokenRequired: setupToken !== '' && !password.isSet() }),

    setUp: (request) =>
      oneAtATime(async () => {
        if (password.isSet()) throw new AppError('alreadyInitialised');
        if (setupToken) await judge(request, () => secretsEqual(request.setupToken, setupToken), 'setupTokenWrong');
        await password.replace(request.password);
        await epoch.remember(request.password);
        await trust(request);
        await audit.record('password-set', request.ip, 'first admin password');
        return sessions.issue();
      }),

    async logIn(request) {
      if (!password.isSet()) throw new AppError('notInitialised');
      if (request.password === '') throw new AppError('passwordMissing');
      await judge(request, () => password.matches(request.password), 'passwordWrong');
      await trust(request);
      await failedLogins.flush();
      await audit.record('login', request.ip, '');
      return sessions.issue();
    },

    changePassword: (request) =>
      oneAtATime(async () => {
        if (!password.isSet()) throw new AppError('notInitialised');
        if (request.rotateSecret) secret.requireReplaceable();
        await judge(request, () => password.matches(request.current), 'passwordWrong');
        await password.replace(request.password);
        await endEverything(request.password, request.rotateSecret, request.ip);
        await audit.record('password-changed', request.ip, changed('access.password'));
        return sessions.issue();
      }),

    signOutEverywhere: (request) =>
      oneAtATime(async () => {
        await endEverything(password.current(), request.rotateSecret, request.ip);
        await audit.record('sign-out-everywhere', request.ip, changed('access.signed-out'));
        return sessions.issue();
      }),
  };
}

/** Waits from here on are told in minutes, seconds. */
const secondsTold = 120;

function waitDetail(seconds: number) {
  if (seconds < secondsTold) return because('login.again', { seconds });
  return because('login.again-minutes', { minutes: Math.ceil(seconds / 60) });
}
