// Search words of each page in every language: an operator may type "certificate" on a Chinese page and "证书" on an
// English one.
import { useEffect, useState } from 'react';
import { supportedLocales } from '../../i18n/languages.ts';
import { textFiles } from '../../i18n/text-files.ts';

type SearchTerms = Readonly<Record<string, string>>;

let loadedTerms: Promise<SearchTerms> | undefined;

/** Search words by the id of a page's command; empty until the texts have loaded, and if they fail to load. */
export function useSearchTerms(): SearchTerms {
  const [terms, setTerms] = useState<SearchTerms>({});
  useEffect(() => {
    loadedTerms ??= readSearchTerms();
    loadedTerms.then(setTerms, () => {
      loadedTerms = undefined;
    });
  }, []);
  return terms;
}

async function readSearchTerms(): Promise<SearchTerms> {
  const files = await Promise.all(supportedLocales.map((locale) => textFiles.get(`${locale}/palette`)?.()));
  const tables = files.map((file) => (file as { holds?: SearchTerms } | undefined)?.holds ?? {});
  const ids = new Set(tables.flatMap((table) => Object.keys(table)));
  return Object.fromEntries([...ids].map((id) => [id, tables.map((table) => table[id] ?? '').join(' ')]));
}
