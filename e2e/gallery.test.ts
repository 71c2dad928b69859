// Opens the pages of the console in their states, saves screenshots in `artifacts/gallery`, and checks accessibility, layout
// and contract. `npm run test:rest` draws every filled page and a quarter of all other states. `npx vitest` draws a
// sample and the pages that the last change can affect. `npm run gallery` draws every state in every language and size.
// `npm run gallery -- -t record` draws one page.
import { type Locale, supportedLocales } from '@srs-stack/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { patience } from '../scripts/test-run/patience.ts';
import { questionsWithout } from './gallery/console-dialogs.ts';
import { routesWithout } from './gallery/console-routes.ts';
import { clearPage, keepPage, type Picture, writeContactSheet } from './gallery/contact-sheet.ts';
import type { GalleryPage, GalleryState } from './gallery/gallery-page.ts';
import { galleryAreas } from './gallery/pages.ts';
import {
  BrowserHung,
  type GalleryBrowser,
  openGalleryBrowser,
  openState,
  type Reader,
  silence,
  withinState,
} from './gallery/reader.ts';
import { galleryFolder, takeScreenshots } from './gallery/screenshots.ts';
import { reachedPages, samplePages, scopeOfRun, selectStates } from './gallery/selection.ts';
import { type Size, sizes, type Theme, themes } from './gallery/sizes.ts';

const galleryPages = galleryAreas.flatMap(({ pages }) => pages);
const scope = scopeOfRun();
const statesIn = selectStates(scope, samplePages(galleryAreas), reachedPages(galleryPages));
const drawnPages = galleryPages.filter((page, place) =>
  supportedLocales.some((locale) => statesIn(page, place, locale).length > 0),
);
/** The window size in which a language is checked; further sizes are only drawn. */
const judgedSize: Record<Locale, Size> = { zh: 'phone', en: 'desktop' };
const drawnSizes = ({ size }: Reader): readonly Size[] => (scope === 'all' ? (Object.keys(sizes) as Size[]) : [size]);

/** Themes whose screenshots are always kept. In every other theme, a screenshot is kept only if the state has a problem. */
const drawnThemes = ({ name }: GalleryState): readonly Theme[] => (scope === 'all' || name === 'filled' ? themes : []);

/** Number of browsers, each with one page. Drawing needs CPU, and test machines have two cores. */
const browserCount = 2;
/** Timeout of a page, milliseconds. It includes the wait for all previous pages on a busy machine. */
const pageTimeoutMs = 1_200_000 * patience;

const open = new Set<GalleryBrowser>();
const idle: GalleryBrowser[] = [];
const waiting: ((browser: GalleryBrowser) => void)[] = [];

beforeAll(async () => {
  await Promise.all(Array.from({ length: browserCount }, async () => idle.push(await openBrowser())));
});
afterAll(async () => {
  writeContactSheet(galleryFolder, galleryAreas);
  await Promise.all([...open].map((browser) => browser.close()));
});

test('every route of the console has an entry in the gallery', () => {
  expect(routesWithout(galleryPages)).toEqual([]);
});

test('every confirmation of the console is in the gallery', () => {
  expect(questionsWithout(galleryPages)).toEqual([]);
});

test.concurrent.each(drawnPages)(
  '$id',
  async (galleryPage) => {
    const browser = idle.pop() ?? (await new Promise<GalleryBrowser>((resolve) => waiting.push(resolve)));
    try {
      expect(await drawPage(browser, galleryPage)).toEqual([]);
      handOn(browser);
    } catch (error) {
      handOn(error instanceof BrowserHung ? await replaced(browser) : browser);
      throw error;
    }
  },
  pageTimeoutMs,
);

async function openBrowser(): Promise<GalleryBrowser> {
  const browser = await openGalleryBrowser(judgedSize);
  open.add(browser);
  return browser;
}

async function replaced(browser: GalleryBrowser): Promise<GalleryBrowser> {
  open.delete(browser);
  await browser.close();
  return openBrowser();
}

function handOn(browser: GalleryBrowser): void {
  const next = waiting.shift();
  if (next) next(browser);
  else idle.push(browser);
}

/** Resolves with the problems of the page as error messages. @throws BrowserHung */
async function drawPage({ built, readers }: GalleryBrowser, galleryPage: GalleryPage): Promise<string[]> {
  const pictures: Picture[] = [];
  const problems: string[] = [];
  clearPage(galleryFolder, galleryPage.id);
  const place = galleryPages.indexOf(galleryPage);
  for (const reader of readers) {
    for (const state of statesIn(galleryPage, place, reader.locale)) {
      const before = problems.length;
      const note = (problem: string) => problems.push(`${state.name} (${reader.locale}) ${problem}`);
      const isFaulty = () => problems.length > before;
      const drawState = async () => {
        for (const problem of await openState(built, reader, galleryPage, state).catch(toProblems)) note(problem);
        const { name, isLong } = state;
        const task = { page: galleryPage.id, state: name, isLong, drawnThemes: drawnThemes(state), note, isFaulty };
        for (const size of drawnSizes(reader)) pictures.push(...(await takeScreenshots(reader, { ...task, size })));
      };
      await withinState(`${galleryPage.id}: ${state.name}`, drawState());
      for (const fault of [...built.takeFaults(), ...reader.takeErrors()]) note(fault);
      await silence(reader);
    }
  }
  keepPage(galleryFolder, galleryPage.id, { pictures, problems });
  return problems;
}

/** Converts an error to a problem, so that the screenshot is still taken. @throws BrowserHung if the browser does not draw. */
function toProblems(error: Error): string[] {
  if (error instanceof BrowserHung) throw error;
  return [error.message];
}
