// The questions the console asks before it acts, read from its sources: those that no entry shows are found by comparing.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { GalleryPage, TextKey } from './gallery-page.ts';

const source = fileURLToPath(new URL('../../packages/console/src/', import.meta.url));

/** `<ConfirmPopover … text={t('row.removeText'…`, as `records:row.removeText`. */
function questions(): string[] {
  return globSync('**/*.tsx', { cwd: source })
    .filter((file) => !file.endsWith('.test.tsx'))
    .flatMap((file) => {
      const code = readFileSync(`${source}${file}`, 'utf8');
      return [...code.matchAll(/<ConfirmPopover[^/]*?\btext=\{t\('([\w.]+)'/g)].map((found) => {
        const namespace = /.*useTranslation\('([\w-]+)'/s.exec(code.slice(0, found.index))?.[1];
        return `${namespace}:${found[1]}`;
      });
    });
}

/** Questions no state of the gallery shows. */
export function questionsWithout(pages: readonly GalleryPage[], asked = questions()): string[] {
  const shown = new Set(pages.flatMap(({ states }) => states.map(({ shows }) => shows)));
  return asked.filter((key) => !shown.has(key as TextKey));
}
