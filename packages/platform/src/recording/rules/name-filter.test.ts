import { AppError } from '@srs-stack/contract';
import { describe, expect, it, test } from 'vitest';
import { checkFilters, passesFilters } from './name-filter.ts';

describe('name filters', () => {
  test.each([
    [[], '/live/a', true],
    [['/*/*'], '/live/a', true],
    [['/match/nothing'], '/live/a', false],
    [['/live/*'], '/live/sub/a', false],
    [['/live/cam-?'], '/live/cam-1', true],
    [['/live/cam-?'], '/live/cam-12', false],
    [['/live/[a-c]*'], '/live/bob', true],
    [['/live/[^a-c]*'], '/live/bob', false],
    [['/live/[!a]x'], '/live/bx', true],
    [['/live/[]]'], '/live/]', true],
    [['/live/\\*'], '/live/*', true],
    [['/live/\\*'], '/live/a', false],
    [['/a/*', '/b/*'], '/b/x', true],
    [['*'], '/live/a', false],
    [['live/a'], '/live/a', false],
    [['/直播/?'], '/直播/流', true],
  ])('%j and %s: %s', (globs, path, expected) => {
    expect(passesFilters(globs, path)).toBe(expected);
  });

  test.each(['/a/[b', '/a/[', '/a/\\', '/a/[^]'])('%s is refused', (glob) => {
    expect(() => checkFilters([glob])).toThrow(AppError);
  });

  it('takes no longer for malicious patterns', () => {
    expect(passesFilters([`/live/${'*a'.repeat(140)}b`], `/live/${'a'.repeat(128)}`)).toBe(false);
  });
});
