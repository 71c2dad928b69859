// Every reason of the contract's catalogue has a text in every language, with the same values, and no text is left over.
import { refusalDetails } from '@srs-stack/contract';
import { expect, test } from 'vitest';
import { supportedLocales } from '../../i18n/languages.ts';
import { textFiles } from '../../i18n/text-files.ts';

type Tree = { readonly [key: string]: string | Tree };

function flatten(tree: Tree, prefix = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[prefix + key, value]] : flatten(value, `${prefix}${key}.`),
  );
}
const namesIn = (text: string, form: RegExp) => [...text.matchAll(form)].map(([, name]) => name).sort();

test.each(supportedLocales)('%s tells every reason', async (locale) => {
  const errors = (await textFiles.get(`${locale}/errors`)!()) as { reason: Tree };
  const texts = flatten(errors.reason);
  expect(texts.map(([key]) => key).sort()).toEqual(Object.keys(refusalDetails).sort());
  for (const [key, text] of texts) {
    const template = refusalDetails[key as keyof typeof refusalDetails];
    expect(namesIn(text, /\{\{(\w+)\}\}/g), key).toEqual(namesIn(template, /\{(\w+)\}/g));
  }
});
