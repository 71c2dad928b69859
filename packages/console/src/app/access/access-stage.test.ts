import { expect, test } from 'vitest';
import { accessStage, navigationOfStage, screenOfStage } from './access-stage.ts';

test.each([
  [false, false, 'uninitialised'],
  [false, true, 'uninitialised'],
  [true, false, 'signed-out'],
  [true, true, 'signed-in'],
] as const)('initialised %s, token %s is %s', (init, token, stage) => {
  expect(accessStage(init, token)).toBe(stage);
});

test('before setup every path is the setup screen and the navigation is empty', () => {
  for (const requested of ['login', 'scenario', 'settings', undefined] as const) {
    expect(screenOfStage('uninitialised', requested)).toBe('setup');
  }
  expect(navigationOfStage('uninitialised')).toEqual([]);
});

test('without a token every path is the login screen, the only link', () => {
  for (const requested of ['setup', 'scenario', 'logout', undefined] as const) {
    expect(screenOfStage('signed-out', requested)).toBe('login');
  }
  expect(navigationOfStage('signed-out')).toEqual(['login']);
});

test('with a token the named screens open, anything else is the login screen', () => {
  for (const requested of ['scenario', 'settings', 'contact', 'components', 'logout', 'login'] as const) {
    expect(screenOfStage('signed-in', requested)).toBe(requested);
  }
  expect(screenOfStage('signed-in', 'setup')).toBe('login');
  expect(screenOfStage('signed-in', undefined)).toBe('login');
  expect(navigationOfStage('signed-in')).toEqual(['scenario', 'settings', 'components', 'contact', 'logout']);
});
