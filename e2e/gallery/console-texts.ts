// The texts of the console by key, as patterns for finding them in a page.
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locale } from '@srs-stack/contract';
import type { TextKey } from './gallery-page.ts';

type Texts = { readonly [key: string]: Texts | string };

const source = fileURLToPath(new URL('../../packages/console/src/', import.meta.url));

/**
 * Returns a function that converts a text key to a pattern. A plural text uses its most common form.
 * Placeholders match any text, and tags are removed. @throws Error for an unknown key.
 */
export function consoleTexts(locale: Locale): (key: TextKey) => RegExp {
  const files = globSync(`**/locales/${locale}.json`, { cwd: source });
  const namespaceOf = (file: string) => basename(dirname(dirname(file)));
  const texts = new Map(
    files.map((file) => [namespaceOf(file), JSON.parse(readFileSync(`${source}${file}`, 'utf8')) as Texts]),
  );
  return (key) => {
    const [namespace, path] = key.split(':') as [string, string];
    const text = textAt(texts.get(namespace), path) ?? textAt(texts.get(namespace), `${path}_other`);
    if (typeof text !== 'string') throw new Error(`the console has no text ${key} in ${locale}`);
    return toPattern(text);
  };
}

function textAt(texts: Texts | undefined, path: string): Texts | string | undefined {
  return path
    .split('.')
    .reduce<Texts | string | undefined>((at, part) => (typeof at === 'object' ? at[part] : undefined), texts);
}

function toPattern(text: string): RegExp {
  const parts = text.replaceAll(/<\/?\w+\s*\/?>/g, '').split(/\{\{[^}]*\}\}/);
  return new RegExp(parts.map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join('.*'));
}
