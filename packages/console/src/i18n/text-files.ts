// Finds the text files: `<feature>/locales/<language>.json` beside the code, or `i18n/languages/<language>/<namespace>.json`
// for a language that is kept in one folder. The namespace is the name of the feature folder. The player pages carry
// their texts with them (players/locale-texts.ts).

type Texts = Record<string, unknown>;

const besideFeatures = import.meta.glob<Texts>(['../**/locales/*.json', '!../players/**'], {
  import: 'default',
});
const inLanguageFolder = import.meta.glob<Texts>('./languages/*/*.json', { import: 'default' });

/** Loaders by `language/namespace`. */
export const textFiles: ReadonlyMap<string, () => Promise<Texts>> = new Map([
  ...Object.entries(besideFeatures).map(([path, load]) => {
    const [, namespace, language] = /([^/]+)\/locales\/([^/]+)\.json$/.exec(path)!;
    return [`${language}/${namespace}`, load] as const;
  }),
  ...Object.entries(inLanguageFolder).map(([path, load]) => {
    const [, language, namespace] = /languages\/([^/]+)\/([^/]+)\.json$/.exec(path)!;
    return [`${language}/${namespace}`, load] as const;
  }),
]);
