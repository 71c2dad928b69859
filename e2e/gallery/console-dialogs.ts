// The questions the console asks before it acts, read from its sources: those that no entry shows are found by comparing.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { GalleryPage } from './gallery-page.ts';

const source = fileURLToPath(new URL('../../packages/console/src/', import.meta.url));

/** `<ConfirmPopover … text={t('row.removeText'…`: the keys, without their namespace. */
function questions(): string[] {
  return globSync('**/*.tsx', { cwd: source })
    .filter((file) => !file.endsWith('.test.tsx'))
    .flatMap((file) => [
      ...readFileSync(`${source}${file}`, 'utf8').matchAll(/<ConfirmPopover[^/]*?\btext=\{t\('([\w.]+)'/g),
    ])
    .map(([, key]) => key!);
}

/** Questions no state of the gallery shows. */
export function questionsWithout(pages: readonly GalleryPage[], asked = questions()): string[] {
  const shown = pages.flatMap(({ states }) => states.flatMap(({ shows = '' }) => shows.split(':')[1]));
  return asked.filter((key) => !shown.includes(key));
}
