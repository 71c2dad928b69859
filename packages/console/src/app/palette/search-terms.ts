// Search words of each page in every language: an operator may type "certificate" on a Chinese page, or "证书" on an English page.
import { useEffect, useState } from 'react';
import { supportedLocales } from '../../i18n/languages.ts';
import { textFiles } from '../../i18n/text-files.ts';

type SearchTerms = Readonly<Record<string, string>>;

let loadedTerms: Promise<SearchTerms> | undefined;

/** Search words of each page by the id of its command; empty while the texts are not loaded. */
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
