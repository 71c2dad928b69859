// Every phrase of the contract has a text in every language with identical placeholders, and every text is used.
import { refusalDetails, settingChanges, workerDetails } from '@srs-stack/contract';
import { expect, test } from 'vitest';
import { supportedLocales } from './languages.ts';
import { textFiles } from './text-files.ts';

type Tree = { readonly [key: string]: string | Tree };
type Catalogue = Readonly<Record<string, string>>;

/** Catalogues of phrases, each with its namespace and key prefix. */
const catalogues: readonly [string, string, Catalogue][] = [
  ['errors', 'reason', refusalDetails],
  ['dashboard', 'change', settingChanges],
  ['worker', 'detail', workerDetails],
];

function flatten(tree: Tree, prefix = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[prefix + key, value]] : flatten(value, `${prefix}${key}.`),
  );
}
const namesIn = (text: string, form: RegExp) => [...text.matchAll(form)].map(([, name]) => name).sort();
const cases = supportedLocales.flatMap((locale) => catalogues.map((catalogue) => [locale, ...catalogue] as const));

test.each(cases)('%s, %s: %s', async (locale, namespace, place, catalogue) => {
  const file = (await textFiles.get(`${locale}/${namespace}`)!()) as Record<string, Tree>;
  const texts = flatten(file[place]!);
  expect(texts.map(([key]) => key).sort()).toEqual(Object.keys(catalogue).sort());
  for (const [key, text] of texts)
    expect(namesIn(text, /\{\{(\w+)\}\}/g), key).toEqual(namesIn(catalogue[key]!, /\{(\w+)\}/g));
});
