// Finds the text files: `<feature>/locales/<language>.json`, or `i18n/languages/<language>/<namespace>.json` for languages kept in one
// folder. The namespace is the feature's folder name.

import { contractTexts, mergeTexts, type Texts } from './contract-texts.ts';

const besideFeatures = import.meta.glob<Texts>(['../**/locales/*.json', '!../players/**'], {
  import: 'default',
});
const inLanguageFolder = import.meta.glob<Texts>('./languages/*/*.json', { import: 'default' });

/** Loaders by key `language/namespace`. */
export const textFiles: ReadonlyMap<string, () => Promise<Texts>> = new Map([
  ...Object.entries(besideFeatures).map(([path, load]) => {
    const [, namespace, language] = /([^/]+)\/locales\/([^/]+)\.json$/.exec(path)!;
    return [`${language}/${namespace}`, withContract(language!, namespace!, load)] as const;
  }),
  ...Object.entries(inLanguageFolder).map(([path, load]) => {
    const [, language, namespace] = /languages\/([^/]+)\/([^/]+)\.json$/.exec(path)!;
    return [`${language}/${namespace}`, load] as const;
  }),
]);

/** Merges English text files with the English texts of the contract. */
function withContract(language: string, namespace: string, load: () => Promise<Texts>): () => Promise<Texts> {
  const loadBelow = language === 'en' ? contractTexts[namespace] : undefined;
  if (!loadBelow) return load;
  return async () => {
    const [below, above] = await Promise.all([loadBelow(), load()]);
    return mergeTexts(below, above);
  };
}
