// Many clients guess the password of a stream, while one viewer knows the password.
import { AppError } from '@srs-stack/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { createViewerPasswords, hashPassword, type ViewerPasswords } from './viewer-passwords.ts';

const password = 'open sesame';
let stored: string;
let passwords: ViewerPasswords;

beforeEach(async () => {
  stored = await hashPassword(password);
  passwords = createViewerPasswords(() => new Date(0));
});

async function unlock(guess: string, address: string): Promise<string> {
  try {
    await passwords.require({ password: guess, stored, address });
    return 'right';
  } catch (error) {
    return error instanceof AppError ? error.errorName : String(error);
  }
}

/** Each guess comes from a different address in a network with many failures. */
const crowd = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) =>
    unlock(`guess ${index}`, `203.0.${(from + index) >> 8}.${(from + index) & 255}`),
  );

describe('the password of a stream', () => {
  it('is accepted immediately after it was set, despite guesses of others', async () => {
    passwords.learn(password, stored);
    const guesses = crowd(200);
    expect(await unlock(password, '198.51.100.7')).toBe('right');
    expect(new Set(await Promise.all(guesses))).toEqual(new Set(['viewerPasswordWrong']));
  });

  it('is accepted from the first viewer after a restart while a network guesses', async () => {
    await Promise.all(crowd(30));
    const guesses = crowd(100, 1_000);
    expect(await unlock(password, '198.51.100.7')).toBe('right');
    const results = await Promise.all(guesses);
    expect(results).toContain('serverBusy');
  });

  it('is accepted from a viewer who has mistyped it, before first guesses from a network with many failures', async () => {
    await Promise.all(crowd(30));
    expect(await unlock('open sesami', '198.51.100.7')).toBe('viewerPasswordWrong');
    const guesses = crowd(100, 1_000);
    expect(await unlock(password, '198.51.100.7')).toBe('right');
    await Promise.all(guesses);
  });

  it('is checked in order, and every result is counted', async () => {
    const guesses = crowd(40);
    await Promise.all(guesses);
    for (let attempt = 0; attempt < 5; attempt++) await unlock('again', '192.0.2.1');
    await unlock(password, '198.51.100.7');
    const { right, wrong, busy, throttled } = passwords.counts();
    expect([right, wrong, busy, throttled]).toEqual([1, 33 + 4, 7, 1]);
  });
});
