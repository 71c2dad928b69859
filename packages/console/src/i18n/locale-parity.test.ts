import { expect, test } from 'vitest';
import { isEnglishElsewhere } from './contract-texts.ts';
import { supportedLocales } from './languages.ts';
import { textFiles } from './text-files.ts';

const reference = 'zh';
const namespaces = [...textFiles.keys()].flatMap((key) => (key.startsWith(`${reference}/`) ? [key.slice(3)] : []));
/** Plural suffix of a key. Languages differ in plural forms, so keys are compared without the suffix. */
const pluralForm = /_(zero|one|two|few|many|other)$/;

function flatten(texts: Record<string, unknown>, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, value]) =>
      typeof value === 'string'
        ? [[prefix + key.replace(pluralForm, ''), value] as const]
        : [...flatten(value as Record<string, unknown>, `${prefix}${key}.`)],
    ),
  );
}

const load = async (locale: string, namespace: string) => {
  const file = textFiles.get(`${locale}/${namespace}`);
  expect(file, `${locale}/${namespace}`).toBeDefined();
  return flatten(await file!());
};
const placeholders = (text: string) => [...new Set(text.match(/{{[^}]+}}/g) ?? [])].sort();

test('the reference language has texts', () => {
  expect(namespaces.length).toBeGreaterThan(10);
});

test.each(supportedLocales.filter((locale) => locale !== reference))('%s has every key', async (locale) => {
  for (const namespace of namespaces) {
    const [theirs, ours] = await Promise.all([load(locale, namespace), load(reference, namespace)]);
    if (locale === 'en') for (const key of ours.keys()) if (isEnglishElsewhere(namespace, key)) ours.delete(key);
    expect([...theirs.keys()].sort(), `${locale}/${namespace}`).toEqual([...ours.keys()].sort());
    for (const [key, text] of ours) {
      expect(placeholders(theirs.get(key)!), `${locale}/${namespace}: ${key}`).toEqual(placeholders(text));
      expect(theirs.get(key)!.trim(), `${locale}/${namespace}: ${key}`).not.toBe('');
    }
  }
});
