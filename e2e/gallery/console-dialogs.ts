// Finds the confirmation questions of the console in its sources, to detect questions that no gallery entry shows.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { GalleryPage, TextKey } from './gallery-page.ts';

const source = fileURLToPath(new URL('../../packages/console/src/', import.meta.url));

/** Keys of the texts in all `<ConfirmPopover … text={t('row.removeText'…`, for example `records:row.removeText`. */
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

/** Keys of confirmation questions that no state of the gallery shows. */
export function questionsWithout(pages: readonly GalleryPage[], questionKeys = questions()): string[] {
  const shown = new Set(pages.flatMap(({ states }) => states.map(({ shows }) => shows)));
  return questionKeys.filter((key) => !shown.has(key as TextKey));
}
