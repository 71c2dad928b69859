// Passwords of viewers, hashed with scrypt. Guesses are delayed per address. Guesses at one password are checked one at a time. A password
// that was set or used is recognized without scrypt and queue: guessers do not delay viewers with the password. After a restart, the first
// use of a password is queued. First attempts come before attempts of addresses with failures.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { AppError, because } from '@srs-stack/contract';
import { loginAddressOf } from '../access/login-address.ts';
import { createLoginThrottle, type LoginThrottle } from '../access/login-throttle.ts';
import { secretsEqual } from '../access/secrets-equal.ts';
import { GuessLine } from './guess-line.ts';
import { longestGuessDelayMs } from './watch-limits.ts';

const deriveKey = promisify<string, Buffer, number, { N: number; r: number; p: number }, Buffer>(scrypt);
/** scrypt parameters (RFC 7914 §2): a guess takes 16 MiB and about 50 ms. */
const cost = { N: 16_384, r: 8, p: 1 };
const hashBytes = 32;
const saltBytes = 16;

/** Hashes a password. Resolves with `salt.hash`, both base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await deriveKey(password, salt, hashBytes, cost);
  return `${salt.toString('base64url')}.${hash.toString('base64url')}`;
}

async function isPassword(password: string, stored: string): Promise<boolean> {
  const [salt = '', hash = ''] = stored.split('.');
  const expected = Buffer.from(hash, 'base64url');
  const found = await deriveKey(password, Buffer.from(salt, 'base64url'), hashBytes, cost);
  return expected.length === hashBytes && timingSafeEqual(found, expected);
}

/** Maximum number of cached passwords: more than the number of rules. */
const maxKnown = 1_000;

export interface ViewerPasswords {
  /** Throws `viewerPasswordWrong`, `viewerThrottled` or `serverBusy`. @param guess `stored` comes from `hashPassword`. */
  require(guess: { password: string; stored: string; address: string }): Promise<void>;
  learn(password: string, stored: string): void;
  counts(): Readonly<Record<GuessResult, number>>;
}

/** `throttled`: the address must wait (429). `busy`: too many guesses at this password (503). */
export const guessResults = ['right', 'wrong', 'throttled', 'busy'] as const;
export type GuessResult = (typeof guessResults)[number];

export function createViewerPasswords(now: () => Date): ViewerPasswords {
  return new JudgedPasswords(now);
}

class JudgedPasswords implements ViewerPasswords {
  readonly #now: () => Date;
  readonly #throttle: LoginThrottle;
  readonly #known = new Map<string, string>();
  readonly #lines = new Map<string, GuessLine>();
  readonly #counts: Record<GuessResult, number> = { right: 0, wrong: 0, throttled: 0, busy: 0 };

  constructor(now: () => Date) {
    this.#now = now;
    this.#throttle = createLoginThrottle([], now().getTime(), longestGuessDelayMs);
  }

  async require(guess: Parameters<ViewerPasswords['require']>[0]): Promise<void> {
    try {
      await this.#require(guess);
      this.#counts.right += 1;
    } catch (error) {
      const result = error instanceof AppError ? resultOf[error.errorName] : undefined;
      if (result) this.#counts[result] += 1;
      throw error;
    }
  }

  learn(password: string, stored: string): void {
    if (this.#known.size >= maxKnown) this.#known.clear();
    this.#known.set(stored, password);
  }

  counts(): Readonly<Record<GuessResult, number>> {
    return { ...this.#counts };
  }

  async #require({ password, stored, address }: Parameters<ViewerPasswords['require']>[0]): Promise<void> {
    const client = { address };
    const waitMs = this.#throttle.waitMs(client, this.#now().getTime());
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000);
      throw new AppError('viewerThrottled', because('login.again', { seconds }), { retryAfterSeconds: seconds });
    }
    if (await this.#judge(password, stored, address)) this.#throttle.onSuccess(client);
    else {
      this.#throttle.onFailure(client, this.#now().getTime());
      throw new AppError('viewerPasswordWrong');
    }
  }

  async #judge(password: string, stored: string, address: string): Promise<boolean> {
    const right = this.#known.get(stored);
    if (right !== undefined) return secretsEqual(password, right);
    const line = this.#lines.get(stored) ?? new GuessLine();
    this.#lines.set(stored, line);
    const suspicion = this.#throttle.suspicion({ address }, this.#now().getTime());
    try {
      const guesser = { group: loginAddressOf(address).host, suspicion };
      const isRight = await line.inTurn(guesser, () => this.#isPasswordOf(password, stored));
      if (isRight) this.learn(password, stored);
      return isRight;
    } finally {
      if (line.isIdle) this.#lines.delete(stored);
    }
  }

  /** Checks the cache again: another viewer may have sent the correct password meanwhile. */
  async #isPasswordOf(password: string, stored: string): Promise<boolean> {
    const right = this.#known.get(stored);
    return right === undefined ? isPassword(password, stored) : secretsEqual(password, right);
  }
}

const resultOf: Readonly<Record<string, GuessResult>> = {
  viewerPasswordWrong: 'wrong',
  viewerThrottled: 'throttled',
  serverBusy: 'busy',
};
