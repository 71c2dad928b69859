// Finds the text files: `<feature>/locales/<language>.json` beside the code, or `i18n/languages/<language>/<namespace>.json` for a language
// whose files are in one folder. The namespace is the name of the feature folder. The texts of the player pages are bundled into those
// pages (players/locale-texts.ts).

import { contractTexts, mergeTexts, type Texts } from './contract-texts.ts';

const besideFeatures = import.meta.glob<Texts>(['../**/locales/*.json', '!../players/**'], {
  import: 'default',
});
const inLanguageFolder = import.meta.glob<Texts>('./languages/*/*.json', { import: 'default' });

/** Loaders by `language/namespace`. */
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

/** Loads a text file together with the English texts of the contract. */
function withContract(language: string, namespace: string, load: () => Promise<Texts>): () => Promise<Texts> {
  const loadBelow = language === 'en' ? contractTexts[namespace] : undefined;
  if (!loadBelow) return load;
  return async () => {
    const [below, above] = await Promise.all([loadBelow(), load()]);
    return mergeTexts(below, above);
  };
}
