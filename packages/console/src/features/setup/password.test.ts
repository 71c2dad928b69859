import { expect, test } from 'vitest';
import { generatePassword } from './generated-password.ts';
import { passwordStrength } from './password-strength.ts';

test('the suggestion is the last 16 characters of a dashless UUID', () => {
  expect(generatePassword('123e4567-e89b-42d3-a456-426614174000')).toBe('a456426614174000');
  expect(generatePassword()).toMatch(/^[0-9a-f]{16}$/);
  expect(generatePassword()).not.toBe(generatePassword());
});

test.each([
  ['', 'weak'],
  ['12345678', 'weak'],
  ['aaaaaaaaaaaaaaaaaaaa', 'weak'],
  ['password2024', 'weak'],
  ['blueriver', 'fair'],
  ['blue-river-7', 'strong'],
  ['a456426614174000', 'strong'],
] as const)('%s is %s', (password, strength) => {
  expect(passwordStrength(password)).toBe(strength);
});
