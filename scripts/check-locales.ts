// Checks that every text of the console exists in every language: same files, keys and placeholders, no empty text. Also checks that the
// generated types of the keys are current, and that the keys in end-to-end tests exist. Run: node scripts/check-locales.ts
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { supportedLocales } from '@srs-stack/contract';
import { contractTexts, isEnglishElsewhere, mergeTexts } from '../packages/console/src/i18n/contract-texts.ts';
import { staleTextTypes } from './text-types.ts';

type Texts = { readonly [key: string]: string | Texts };

/** Texts of a file by dotted key. Keys have no plural suffix, because languages differ in their plural forms. */
export function flattenTexts(texts: Texts, prefix = ''): Map<string, string> {
  const entries = Object.entries(texts).flatMap(([key, value]): [string, string][] => {
    if (typeof value !== 'string') return [...flattenTexts(value, `${prefix}${key}.`)];
    return [[`${prefix}${key}`.replace(/_(?:zero|one|two|few|many|other)$/, ''), value]];
  });
  return new Map(entries);
}

/** Compares the texts of a file in two languages. Returns differences as error messages. */
export function compareTexts(left: Texts, right: Texts, names: readonly [string, string]): string[] {
  const [a, b] = [flattenTexts(left), flattenTexts(right)];
  const problems: string[] = [];
  for (const key of a.keys()) if (!b.has(key)) problems.push(`${key} is missing in ${names[1]}`);
  for (const key of b.keys()) if (!a.has(key)) problems.push(`${key} is missing in ${names[0]}`);
  for (const [key, text] of a) {
    const other = b.get(key) ?? text;
    if (text.trim() === '' || other.trim() === '') problems.push(`${key} is empty`);
    if (placeholders(text) !== placeholders(other)) problems.push(`${key} has different placeholders`);
  }
  return problems;
}

function placeholders(text: string): string {
  return [...new Set(text.match(/\{\{\s*[^}]+\s*\}\}|<\/?\w+\s*\/?>/g) ?? [])].sort().join(' ');
}

/** Returns keys like `'records:title'` in a source file of which no text exists. @param texts texts by namespace. */
export function unknownKeys(code: string, texts: ReadonlyMap<string, Texts>): string[] {
  const keys = [...code.matchAll(/'([a-z][a-z-]*):([a-zA-Z][\w.]*)'/g)].map(
    ([, namespace, key]) => [namespace!, key!] as const,
  );
  return keys.flatMap(([namespace, key]) => {
    const known = texts.get(namespace);
    return known === undefined || flattenTexts(known).has(key) ? [] : [`${namespace}:${key}`];
  });
}

/** Path of a text file: beside the code if such a file exists, else in the folder of the language. */
function textFile(source: string, folder: string, language: string): string {
  const beside = join(source, folder, `${language}.json`);
  const together = join(source, 'i18n/languages', language, `${basename(dirname(folder))}.json`);
  return existsSync(beside) ? beside : together;
}

function readTexts(path: string): Texts {
  return JSON.parse(readFileSync(path, 'utf8')) as Texts;
}

if (import.meta.main) {
  const source = fileURLToPath(new URL('../packages/console/src', import.meta.url));
  const [reference, ...others] = supportedLocales;
  const folders = new Set(globSync('**/locales/*.json', { cwd: source }).map((path) => join(path, '..')));
  const problems: string[] = [staleTextTypes(source) ?? []].flat();
  const texts = new Map<string, Texts>();
  for (const folder of folders) {
    for (const other of others) {
      try {
        const [left, right] = [reference, other].map((name) => readTexts(textFile(source, folder, name)));
        const namespace = basename(dirname(folder));
        texts.set(namespace, left!);
        const below = other === 'en' ? await contractTexts[namespace]?.() : undefined;
        for (const problem of compareTexts(left!, below ? mergeTexts(below, right!) : right!, [reference, other]))
          if (other !== 'en' || !isEnglishElsewhere(namespace, problem)) problems.push(`${folder}: ${problem}`);
      } catch (error) {
        problems.push(`${folder}: ${(error as Error).message}`);
      }
    }
  }
  const checkout = fileURLToPath(new URL('..', import.meta.url));
  for (const path of globSync('e2e/**/*.ts', { cwd: checkout }))
    for (const key of unknownKeys(readFileSync(join(checkout, path), 'utf8'), texts))
      problems.push(`${path}: the console has no text ${key}`);
  for (const problem of problems) console.error(problem);
  console.log(`${folders.size} text folders, ${problems.length} problems`);
  process.exit(problems.length > 0 || folders.size === 0 ? 1 : 0);
}
