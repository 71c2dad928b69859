// Passwords of viewers: hashed with scrypt, guesses slowed for each address and judged in turn for each stream. Viewers who know the
// password get in whatever others guess: once it is set or used, it is recognised without scrypt and without a turn. After a restart
// its first use has to be judged, and a first attempt goes ahead of those who failed.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { AppError, because } from '@srs-stack/contract';
import { loginAddressOf } from '../access/login-address.ts';
import { createLoginThrottle } from '../access/login-throttle.ts';
import { secretsEqual } from '../access/secrets-equal.ts';
import { GuessLine } from './guess-line.ts';
import { longestGuessDelayMs } from './watch-limits.ts';

const deriveKey = promisify<string, Buffer, number, { N: number; r: number; p: number }, Buffer>(scrypt);
/** 16 MiB and some 50 ms for each guess (RFC 7914 §2). */
const cost = { N: 16_384, r: 8, p: 1 };
const hashBytes = 32;
const saltBytes = 16;

/** `salt.hash`, both in base64url. */
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

/** Right passwords remembered: more than there are rules. */
const maxKnown = 1_000;

export interface ViewerPasswords {
  /** Throws `viewerPasswordWrong`, `viewerThrottled` or `serverBusy`. `stored`: of `hashPassword`. */
  require(guess: { password: string; stored: string; address: string }): Promise<void>;
  /** A password has been set: it is recognised from now on. */
  learn(password: string, stored: string): void;
  /** Guesses since the start, by result. */
  counts(): Readonly<Record<GuessResult, number>>;
}

/** `throttled`: the address has to wait (429). `busy`: too many others guess at the same password (503). */
export const guessResults = ['right', 'wrong', 'throttled', 'busy'] as const;
export type GuessResult = (typeof guessResults)[number];

export function createViewerPasswords(now: () => Date): ViewerPasswords {
  const throttle = createLoginThrottle([], now().getTime(), longestGuessDelayMs);
  /** Right passwords by their hash, in memory alone. */
  const known = new Map<string, string>();
  /** By the hash that is guessed at. */
  const lines = new Map<string, GuessLine>();
  const counts: Record<GuessResult, number> = { right: 0, wrong: 0, throttled: 0, busy: 0 };

  const learn = (password: string, stored: string): void => {
    if (known.size >= maxKnown) known.clear();
    known.set(stored, password);
  };

  const judge = async (password: string, stored: string, address: string): Promise<boolean> => {
    const right = known.get(stored);
    if (right !== undefined) return secretsEqual(password, right);
    const line = lines.get(stored) ?? new GuessLine();
    lines.set(stored, line);
    const guesser = {
      group: loginAddressOf(address).host,
      suspicion: throttle.suspicion({ address }, now().getTime()),
    };
    try {
      const isRight = await line.inTurn(guesser, () => isPasswordOf(password, stored));
      if (isRight) learn(password, stored);
      return isRight;
    } finally {
      if (line.isIdle) lines.delete(stored);
    }
  };

  /** Somebody may have shown it while this one waited. */
  const isPasswordOf = async (password: string, stored: string): Promise<boolean> => {
    const right = known.get(stored);
    return right === undefined ? isPassword(password, stored) : secretsEqual(password, right);
  };

  const require = async ({ password, stored, address }: Parameters<ViewerPasswords['require']>[0]): Promise<void> => {
    const client = { address };
    const waitMs = throttle.waitMs(client, now().getTime());
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000);
      throw new AppError('viewerThrottled', because('login.again', { seconds }), { retryAfterSeconds: seconds });
    }
    if (await judge(password, stored, address)) throttle.onSuccess(client);
    else {
      throttle.onFailure(client, now().getTime());
      throw new AppError('viewerPasswordWrong');
    }
  };

  return {
    async require(guess) {
      try {
        await require(guess);
        counts.right += 1;
      } catch (error) {
        const result = error instanceof AppError ? resultOf[error.errorName] : undefined;
        if (result) counts[result] += 1;
        throw error;
      }
    },
    learn,
    counts: () => ({ ...counts }),
  };
}

const resultOf: Readonly<Record<string, GuessResult>> = {
  viewerPasswordWrong: 'wrong',
  viewerThrottled: 'throttled',
  serverBusy: 'busy',
};
