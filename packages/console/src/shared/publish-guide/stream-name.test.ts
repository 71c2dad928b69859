import { isValidStreamName, storageKeys } from '@srs-stack/contract';
import { describe, expect, it } from 'vitest';
import { randomStreamName, readStreamName, storeStreamName } from './stream-name.ts';

describe('stream name of this browser', () => {
  it.each([
    [null, 'livestream'],
    ['', 'livestream'],
    ['lobby', 'lobby'],
    ['直播间', '直播间'],
    ['../etc', 'livestream'],
    ['a b', 'livestream'],
    ['x'.repeat(129), 'livestream'],
  ])('stored %s reads as %s', (stored, name) => {
    expect(readStreamName({ getItem: () => stored })).toBe(name);
  });

  it('is kept as plain text under its key', () => {
    storeStreamName(localStorage, 'lobby');
    expect(localStorage.getItem(storageKeys.streamName)).toBe('lobby');
    expect(readStreamName(localStorage)).toBe('lobby');
  });

  it('is the default if the storage is blocked', () => {
    const refusing = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    expect(readStreamName({ getItem: refusing })).toBe('livestream');
    expect(() => storeStreamName({ setItem: refusing }, 'lobby')).not.toThrow();
  });
});

describe('generated stream name', () => {
  it('is six hex digits, also for small bytes', () => {
    expect(randomStreamName((bytes) => bytes.fill(0x0a))).toBe('0a0a0a');
  });

  it('is a valid name and rarely repeats', () => {
    const names = new Set(Array.from({ length: 50 }, () => randomStreamName()));
    expect(names.size).toBeGreaterThan(45);
    expect([...names].every((name) => /^[0-9a-f]{6}$/.test(name) && isValidStreamName(name))).toBe(true);
  });
});
