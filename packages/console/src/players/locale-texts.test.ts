import { expect, it } from 'vitest';
import { fill, messagesOf, textsByLocale } from './locale-texts.ts';

it('a language is added by its file, beside the code or in a separate folder', () => {
  const beside = { './locales/zh.json': 'zh', './locales/en.json': 'en' };
  expect(textsByLocale(beside, { '../i18n/languages/de/players.json': 'de' })).toEqual({
    zh: 'zh',
    en: 'en',
    de: 'de',
  });
});

it('without English, the fallback language, an error is thrown', () => {
  expect(() => textsByLocale({ './locales/zh.json': 'zh' }, {})).toThrow('no English');
});

it('values are filled in, messages become pairs', () => {
  expect(fill('{{n}} of {{all}}, {{n}}', { n: 1, all: 2 })).toBe('1 of 2, 1');
  expect(messagesOf({ gone: { title: 'Gone', advice: 'Wait.' } })).toEqual({ gone: ['Gone', 'Wait.'] });
});
