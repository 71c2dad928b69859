// Sets up the first password, logs in, changes the password, and signs out all sessions.
import { AppError, because, changed, type Session } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import { z } from 'zod';
import type { Actor } from '../actor.ts';
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

interface Attempt {
  readonly actor: Actor;
}

export interface Login {
  isInitialised(): boolean;
  state(): { init: boolean; setupTokenRequired: boolean };
  setUp(request: Attempt & { password: string; setupToken: string }): Promise<Session>;
  logIn(request: Attempt & { password: string }): Promise<Session>;
  /** Ends every session. `rotateSecret` also replaces the API secret; throws `secretFixedByEnvironment` if the environment sets it. */
  changePassword(request: Attempt & { current: string; password: string; rotateSecret: boolean }): Promise<Session>;
  signOutEverywhere(request: Attempt & { rotateSecret: boolean }): Promise<Session>;
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
  /** Token required for setup; empty for none. */
  readonly setupToken: string;
}

export async function openLogin(deps: LoginDeps): Promise<Login> {
  const { store, now } = deps;
  const throttle = createLoginThrottle(await store.get(trustedAddressesDocument), now().getTime());
  return new PasswordLogin(deps, throttle);
}

class PasswordLogin implements Login {
  readonly #deps: LoginDeps;
  readonly #throttle: ReturnType<typeof createLoginThrottle>;
  readonly #failedLogins: ReturnType<typeof createFailedLogins>;
  readonly #oneAtATime = createOneAtATime();

  constructor(deps: LoginDeps, throttle: ReturnType<typeof createLoginThrottle>) {
    this.#deps = deps;
    this.#throttle = throttle;
    this.#failedLogins = createFailedLogins(deps.audit);
  }

  isInitialised(): boolean {
    return this.#deps.password.isSet();
  }

  state(): { init: boolean; setupTokenRequired: boolean } {
    return {
      init: this.#deps.password.isSet(),
      setupTokenRequired: this.#deps.setupToken !== '' && !this.#deps.password.isSet(),
    };
  }

  setUp(request: Attempt & { password: string; setupToken: string }): Promise<Session> {
    return this.#oneAtATime(async () => {
      if (this.#deps.password.isSet()) throw new AppError('alreadyInitialised');
      if (this.#deps.setupToken)
        await this.#judge(
          request.actor,
          () => secretsEqual(request.setupToken, this.#deps.setupToken),
          'setupTokenWrong',
        );
      await this.#deps.password.replace(request.password);
      await this.#deps.epoch.remember(request.password);
      await this.#trust(request.actor);
      await this.#deps.audit.record('password-set', request.actor, 'first admin password');
      return this.#deps.sessions.issue();
    });
  }

  async logIn(request: Attempt & { password: string }): Promise<Session> {
    if (!this.#deps.password.isSet()) throw new AppError('notInitialised');
    if (request.password === '') throw new AppError('passwordMissing');
    await this.#judge(request.actor, () => this.#deps.password.matches(request.password), 'passwordWrong');
    await this.#trust(request.actor);
    await this.#failedLogins.flush();
    await this.#deps.audit.record('login', request.actor, '');
    return this.#deps.sessions.issue();
  }

  changePassword(request: Attempt & { current: string; password: string; rotateSecret: boolean }): Promise<Session> {
    return this.#oneAtATime(async () => {
      if (!this.#deps.password.isSet()) throw new AppError('notInitialised');
      if (request.rotateSecret) this.#deps.secret.requireReplaceable();
      await this.#judge(request.actor, () => this.#deps.password.matches(request.current), 'passwordWrong');
      await this.#deps.password.replace(request.password);
      await this.#endEverything(request.password, request.rotateSecret, request.actor);
      await this.#deps.audit.record('password-changed', request.actor, changed('access.password'));
      return this.#deps.sessions.issue();
    });
  }

  signOutEverywhere(request: Attempt & { rotateSecret: boolean }): Promise<Session> {
    return this.#oneAtATime(async () => {
      await this.#endEverything(this.#deps.password.current(), request.rotateSecret, request.actor);
      await this.#deps.audit.record('sign-out-everywhere', request.actor, changed('access.signed-out'));
      return this.#deps.sessions.issue();
    });
  }

  #clientOf({ ip, deviceCookie = '' }: Actor) {
    return { address: ip, device: this.#deps.sessions.deviceOf(deviceCookie) };
  }

  /** Checks one guess and records a wrong guess. Throws `failure` for a wrong guess, `loginThrottled` if the client must wait. */
  async #judge(actor: Actor, isRight: () => boolean, failure: 'passwordWrong' | 'setupTokenWrong') {
    const client = this.#clientOf(actor);
    const waitMs = this.#throttle.waitMs(client, this.#deps.now().getTime());
    if (waitMs > 0) {
      const retryAfterSeconds = Math.ceil(waitMs / 1000);
      throw new AppError('loginThrottled', waitDetail(retryAfterSeconds), { retryAfterSeconds });
    }
    if (isRight()) return;
    this.#throttle.onFailure(client, this.#deps.now().getTime());
    const reason = failure === 'passwordWrong' ? 'wrong password' : 'wrong setup token';
    await this.#failedLogins.record(reason, actor, this.#deps.now().getTime());
    throw new AppError(failure);
  }

  /** Remembers the client after a login. Ignores storage errors, because the owner must be able to log in with a full disk. */
  async #trust(actor: Actor) {
    const before = this.#throttle.trustedAddresses().join();
    this.#throttle.onSuccess(this.#clientOf(actor));
    const after = this.#throttle.trustedAddresses();
    if (after.join() === before) return;
    await this.#deps.store.set(trustedAddressesDocument, after).catch((error) => {
      this.#deps.log.error({ err: error }, 'list of trusted login addresses could not be stored');
    });
  }

  /** Replaces the secret first. If a later step fails, sessions end too early, but no old secret stays valid. */
  async #endEverything(nextPassword: string, rotatesSecret: boolean, actor: Actor): Promise<void> {
    if (rotatesSecret) {
      await this.#deps.secret.rotate();
      await this.#deps.audit.record('api-secret-changed', actor, changed('access.api-secret'));
    }
    await this.#deps.epoch.raise(nextPassword);
  }
}

/** Waits of at least this many seconds are shown in minutes. */
const minSecondsShownAsMinutes = 120;

function waitDetail(seconds: number) {
  if (seconds < minSecondsShownAsMinutes) return because('login.again', { seconds });
  return because('login.again-minutes', { minutes: Math.ceil(seconds / 60) });
}
