// Passwords of viewers: hashed with scrypt, guesses slowed per address and kept in line per stream. Who knows the password gets in
// whatever others guess: after its first right use it is recognised without scrypt and without a place in the line.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { AppError, because } from '@srs-stack/contract';
import { createLoginThrottle } from '../access/login-throttle.ts';
import { secretsEqual } from '../access/secrets-equal.ts';
import { createPlaces, type Places } from '../concurrency/places.ts';
import { longestGuessDelayMs, maxWaitingGuesses } from './watch-limits.ts';

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
}

/** One stream's line, by the hash that is guessed at. */
interface Line {
  readonly inTurn: Places;
  waiting: number;
}

export function createViewerPasswords(now: () => Date): ViewerPasswords {
  const throttle = createLoginThrottle([], now().getTime(), longestGuessDelayMs);
  /** Right passwords by their hash, in memory alone. */
  const known = new Map<string, string>();
  const lines = new Map<string, Line>();

  const judge = async (password: string, stored: string): Promise<boolean> => {
    const right = known.get(stored);
    if (right !== undefined) return secretsEqual(password, right);
    const line = lines.get(stored) ?? { inTurn: createPlaces(1), waiting: 0 };
    if (line.waiting >= maxWaitingGuesses) throw new AppError('serverBusy', undefined, { retryAfterSeconds: 1 });
    lines.set(stored, line);
    line.waiting++;
    try {
      if (!(await line.inTurn(() => isPassword(password, stored)))) return false;
      if (known.size >= maxKnown) known.clear();
      known.set(stored, password);
      return true;
    } finally {
      line.waiting--;
      if (line.waiting === 0) lines.delete(stored);
    }
  };

  return {
    async require({ password, stored, address }) {
      const client = { address };
      const waitMs = throttle.waitMs(client, now().getTime());
      if (waitMs > 0) {
        const seconds = Math.ceil(waitMs / 1000);
        throw new AppError('viewerThrottled', because('login.again', { seconds }), { retryAfterSeconds: seconds });
      }
      if (await judge(password, stored)) throttle.onSuccess(client);
      else {
        throttle.onFailure(client, now().getTime());
        throw new AppError('viewerPasswordWrong');
      }
    },
  };
}
