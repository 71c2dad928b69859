// Opens every page of the console in every state, theme, language and size: takes its picture for `artifacts/gallery`, and
// holds it against the accessibility rules. `npm run gallery` draws all; one page: `npm run gallery -- -t record`.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Locale, storageKeys, supportedLocales } from '@srs-stack/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityProblems } from './gallery/accessibility.ts';
import { type BuiltConsole, serveBuiltConsole } from './gallery/built-console.ts';
import { routesWithout } from './gallery/console-routes.ts';
import { consoleTexts } from './gallery/console-texts.ts';
import { type Picture, writeContactSheet, writeIndex } from './gallery/contact-sheet.ts';
import { type GalleryPage, type GalleryState, statesOf } from './gallery/gallery-page.ts';
import { galleryPages } from './gallery/pages.ts';
import { everydayAnswers, session } from './gallery/samples/everyday.ts';
import { now } from './gallery/samples/now.ts';
import { launchChromium } from './support/chromium.ts';

const folder = fileURLToPath(new URL('../artifacts/gallery', import.meta.url));
const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } } as const;
type Size = keyof typeof sizes;
const themes = ['light', 'dark'] as const;
type Theme = (typeof themes)[number];
/** `GALLERY=all` (`npm run gallery`) draws every language in every size; the tests draw each language in its own size. */
const drawsAll = process.env.GALLERY === 'all';
const judgedSize: Record<Locale, Size> = { zh: 'phone', en: 'desktop' };
const drawnSizes = (locale: Locale): readonly Size[] => (drawsAll ? ['phone', 'desktop'] : [judgedSize[locale]]);
/** In the tests a filled page is opened in both languages, its other states in one of them by turns: minutes less. */
const isDrawn = ({ name }: GalleryState, index: number, locale: Locale) =>
  drawsAll || name === 'filled' || index % supportedLocales.length === supportedLocales.indexOf(locale);

/** A browser window in one language, in which state after state is opened. */
interface Reader {
  readonly locale: Locale;
  readonly page: Page;
  readonly built: BuiltConsole;
  readonly text: ReturnType<typeof consoleTexts>;
}

/** A page of eleven states on a busy machine, milliseconds. */
const pageTimeoutMs = 600_000;
/** One step in the browser, milliseconds: then the state is not what its entry says. */
const stepTimeoutMs = 60_000;

let browser: Browser;
let readers: Reader[] = [];
const sheets: string[] = [];

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  browser = await launchChromium();
  readers = await Promise.all(supportedLocales.map(openReader));
});
afterAll(async () => {
  if (sheets.length === galleryPages.length) writeIndex(folder, sheets);
  await browser?.close();
});

test('every route of the console has an entry in the gallery', () => {
  expect(routesWithout(galleryPages)).toEqual([]);
});

test.each(galleryPages)(
  '$id',
  async (galleryPage) => {
    const pictures: Picture[] = [];
    const problems: string[] = [];
    const show = async (reader: Reader) => {
      const states = statesOf(galleryPage).filter((state, index) => isDrawn(state, index, reader.locale));
      for (const state of states) {
        const note = (problem: string) => problems.push(`${state.name} (${reader.locale}) ${problem}`);
        await openState(reader, galleryPage, state).catch((error: Error) => note(error.message));
        pictures.push(...(await takePictures(reader, `${galleryPage.id}-${state.name}`, note)));
      }
    };
    await Promise.all(readers.map(show));
    sheets.push(writeContactSheet(folder, galleryPage.id, pictures));
    expect(problems).toEqual([]);
  },
  pageTimeoutMs,
);

async function openReader(locale: Locale): Promise<Reader> {
  const context = await browser.newContext({
    locale: locale === 'zh' ? 'zh-CN' : 'en-US',
    timezoneId: 'Asia/Shanghai',
    viewport: sizes[judgedSize[locale]],
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(stepTimeoutMs);
  const built = await serveBuiltConsole(context);
  return { locale, page: await context.newPage(), built, text: consoleTexts(locale) };
}

/** Resolves when the page shows the state. @throws Error when it does not get there. */
async function openState({ page, built, locale, text }: Reader, galleryPage: GalleryPage, state: GalleryState) {
  const origin = state.origin ?? 'https://live.example.com';
  const path = state.path ?? galleryPage.path;
  await page.clock.setFixedTime(now);
  built.answers = { ...everydayAnswers, ...galleryPage.answers, ...state.answers };
  if (new URL(page.url()).origin !== origin) await page.goto(`${origin}/color-scheme.js`);
  await page.evaluate(storeSession, [storageKeys.token, state.isSignedOut ? '' : JSON.stringify(session)] as const);
  await page.goto(`${origin}${path.startsWith('/') ? path : `/mgmt/${locale}/${path}`}`);
  await built.settled(page);
  await state.act?.(page, text);
  if (state.isStale) await leaveTheServer(page, built);
  if (state.shows) await page.getByText(text(state.shows)).filter({ visible: true }).first().waitFor();
  await built.settled(page);
}

/** Runs in the browser, before the page is opened. */
function storeSession([key, value]: readonly [string, string]): void {
  if (value) localStorage.setItem(key, value);
  else localStorage.removeItem(key);
}

/** A minute later the server is gone, and the page asks again. */
async function leaveTheServer(page: Page, built: BuiltConsole): Promise<void> {
  built.answers = {};
  for (const name of Object.keys(everydayAnswers)) built.answers = { ...built.answers, [name]: 'unreachable' };
  await page.clock.setFixedTime(new Date(now.getTime() + 60_000));
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
}

/** Pictures of what is shown now in both themes and sizes; `note` hears what breaks the accessibility rules. */
async function takePictures({ page, locale }: Reader, name: string, note: (problem: string) => void) {
  const pictures: Picture[] = [];
  for (const theme of themes) {
    await showTheme(page, theme);
    for (const size of drawnSizes(locale)) {
      await page.setViewportSize(sizes[size]);
      const found = size === judgedSize[locale] ? await accessibilityProblems(page, theme) : [];
      for (const problem of found) note(`${theme} ${size}: ${problem}`);
      const file = `${name}-${locale}-${size}-${theme}.png`.replaceAll(' ', '-');
      await growToWholePage(page, sizes[size]);
      await page.screenshot({ path: join(folder, file), animations: 'disabled' });
      pictures.push({ state: name, variant: `${locale}-${size}-${theme}`, file });
    }
  }
  return pictures;
}

/** A window as high as the page: bars that stick to its edges are then where they belong. */
async function growToWholePage(page: Page, { width, height }: (typeof sizes)[Size]): Promise<void> {
  const wanted = await page.evaluate(() => document.documentElement.scrollHeight);
  if (wanted > height) await page.setViewportSize({ width, height: wanted });
}

/** Resolves when the page is drawn in the theme, without a colour still on its way. */
async function showTheme(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.locator(`html[data-mantine-color-scheme="${theme}"], html:not([data-mantine-color-scheme])`).waitFor();
  await page.evaluate(async () => {
    const running = () => document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    // The end of one lets its children begin.
    for (let now = running(); now.length > 0; now = running())
      await Promise.allSettled(now.map(({ finished }) => finished));
  });
}
