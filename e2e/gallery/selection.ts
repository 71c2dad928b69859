// Selects the states that a gallery run draws. `npx vitest`: a sample, and every state of the pages that the last
// change can affect. `npm run test:rest`: all filled pages, and a quarter of the other states, chosen by the commit, in
// alternating languages. `npm run gallery`: all states.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Locale, supportedLocales } from '@srs-stack/contract';
import { readModules, type SourceModule } from '../../scripts/source-modules.ts';
import { type GalleryArea, type GalleryPage, type GalleryState, statesOf } from './gallery-page.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const consoleSource = 'packages/console/src';
/** Maximum number of pages that a change adds to the sample. A change of shared code affects more pages; then only the sample is drawn. */
const maxReachedPages = 4;

export type Scope = 'sample' | 'share' | 'judged' | 'all';
/** Number of parts of the states. Each commit checks one part. */
export const shares = 4;

/** `GALLERY` sets the scope. Without this variable, `TEST_TIER` determines the scope. */
export function scopeOfRun({ GALLERY, TEST_TIER } = process.env): Scope {
  if (GALLERY === 'all' || GALLERY === 'judged') return GALLERY;
  return TEST_TIER === 'rest' ? 'share' : 'sample';
}

/** Selects the states of a page and their languages. `sample` and `reached` are page ids, `share` is a number from 0 to 3. */
export function selectStates(
  scope: Scope,
  sample: ReadonlySet<string>,
  reached: ReadonlySet<string>,
  share = shareOf(currentCommit()),
) {
  return (page: GalleryPage, place: number, locale: Locale): readonly GalleryState[] => {
    const states = statesOf(page);
    const turn = (index: number) => supportedLocales[index % supportedLocales.length];
    const inLocale = ({ locale: only }: GalleryState) => only === undefined || only === locale;
    if (scope === 'all') return states.filter(inLocale);
    if (scope === 'sample' && !reached.has(page.id)) {
      if (!sample.has(page.id)) return [];
      const shown = states.find(({ name }) => name === 'filled') ?? states[0];
      return shown && (shown.locale ?? turn(place)) === locale ? [shown] : [];
    }
    const isJudged = ({ name }: GalleryState, index: number) =>
      scope !== 'share' || name === 'filled' || reached.has(page.id) || (index >> 1) % shares === share;
    // A filled page is drawn in both languages. Further states alternate between the languages, which saves minutes.
    return states.filter(
      (state, index) =>
        isJudged(state, index) && (state.locale ? inLocale(state) : state.name === 'filled' || turn(index) === locale),
    );
  };
}

/** Ids of every third page of each area, starting with the first: pages of all kinds in a third of the time. */
export function samplePages(areas: readonly GalleryArea[]): ReadonlySet<string> {
  return new Set(areas.flatMap(({ pages }) => pages.filter((_page, index) => index % 3 === 0).map(({ id }) => id)));
}

/** Ids of the pages that the changes since the parent commit can affect; none if there are more than `maxReachedPages`. */
export function reachedPages(pages: readonly GalleryPage[], changed = changedFiles()): ReadonlySet<string> {
  const modules = new Map(readModules(checkout, [consoleSource]).map((module) => [module.path, module]));
  const touched = (page: GalleryPage) =>
    entryTouched(page, changed) || foldersOf(page, modules).some((folder) => changed.some(isIn(folder)));
  const reached = pages.filter(touched).map(({ id }) => id);
  return new Set(reached.length > maxReachedPages ? [] : reached);
}

/** Folders of the page's modules and of all modules that they import, relative to the checkout. */
function foldersOf(page: GalleryPage, modules: ReadonlyMap<string, SourceModule>): string[] {
  const own = page.source ? [page.source] : [`features/${page.id}`, `features/settings/${page.id}`];
  const isOwn = (path: string) => own.some((folder) => path.startsWith(`${consoleSource}/${folder}/`));
  const waiting = [...modules.keys()].filter(isOwn);
  if (waiting.length === 0) throw new Error(`the gallery's entry ${page.id} has no sources in ${own.join(' or ')}`);
  const seen = new Set(waiting);
  for (let path = waiting.pop(); path; path = waiting.pop())
    for (const { target } of modules.get(path)?.imports ?? [])
      if (target && modules.has(target) && !seen.has(target)) {
        seen.add(target);
        waiting.push(target);
      }
  return [...new Set([...seen].map((path) => dirname(path)))];
}

/** Whether a changed file belongs to the folder: a module, a style, or a text in `locales`. */
const isIn = (folder: string) => (file: string) => dirname(file).replace(/\/locales$/, '') === folder;

function entryTouched({ id }: GalleryPage, changed: readonly string[]): boolean {
  const entries = changed.filter((file) => file.startsWith('e2e/gallery/pages/') && existsSync(join(checkout, file)));
  return entries.some((file) => readFileSync(join(checkout, file), 'utf8').includes(`id: '${id}'`));
}

/** Changed files, relative to the checkout. Without a git history, only untracked files. */
function changedFiles(): string[] {
  const files = [...git('diff', '--name-only', 'HEAD^'), ...git('ls-files', '--others', '--exclude-standard')];
  return files.filter((file) => file !== '' && !/\.test\.tsx?$/.test(file));
}

function currentCommit(): string {
  return git('rev-parse', 'HEAD')[0] ?? '';
}

/** 0 to 3, pseudo-random per commit. */
export function shareOf(commit: string): number {
  return Number.parseInt(commit.at(-1) ?? '0', 16) % shares;
}

/** Lines of the output of git; none when the command fails. */
function git(...args: readonly string[]): string[] {
  try {
    return execFileSync('git', args, { cwd: checkout, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split(
      '\n',
    );
  } catch {
    return [];
  }
}
