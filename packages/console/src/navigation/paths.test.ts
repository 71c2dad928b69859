import { expect, test } from 'vitest';
import { localeOfPath, screenOfPath, screenPath, withLocale } from './paths.ts';

test.each([
  ['/zh/routers-login', 'en', '/en/routers-login'],
  ['/routers-settings', 'zh', '/zh/routers-settings'],
  ['/fr/routers-login', 'zh', '/zh/fr/routers-login'],
  ['/en', 'zh', '/zh'],
] as const)('%s in %s is %s', (path, locale, expected) => {
  expect(withLocale(path, locale)).toBe(expected);
});

test('a path names its language and screen', () => {
  expect(localeOfPath('/en/routers-contact')).toBe('en');
  expect(localeOfPath('/routers-contact')).toBeUndefined();
  expect(screenOfPath('/en/routers-contact')).toBe('contact');
  expect(screenOfPath('/en/routers-contact/')).toBe('contact');
  expect(screenOfPath('/en/routers-contact/more')).toBeUndefined();
  expect(screenOfPath('/en')).toBeUndefined();
  expect(screenPath('zh', 'login')).toBe('/zh/routers-login');
});
