import { storageKeys } from '@srs-stack/contract';
import { expect, test } from 'vitest';
import { readStoredLocale, storeLocale } from './stored-locale.ts';

test('nothing stored means Chinese', () => {
  expect(readStoredLocale()).toBe('zh');
});

test('what is stored is read back as JSON {lang}', () => {
  storeLocale('en');
  expect(localStorage.getItem(storageKeys.locale)).toBe('{"lang":"en"}');
  expect(readStoredLocale()).toBe('en');
});

test('the key of newer consoles is adopted once and does not take precedence later', () => {
  localStorage.setItem('ORYX_LOCALE', '{"lang":"en"}');
  expect(readStoredLocale()).toBe('en');
  storeLocale('zh');
  expect(readStoredLocale()).toBe('zh');
});

test.each(['not json', '"zh"', '{"lang":"fr"}', '{}', 'null'])('the invalid value %s means the default', (text) => {
  localStorage.setItem(storageKeys.locale, text);
  expect(readStoredLocale()).toBe('zh');
});
