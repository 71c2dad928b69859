// Pictures of what a page shows now, in both themes, and what is wrong with it there.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { accessibilityProblems } from './accessibility.ts';
import type { Picture } from './contact-sheet.ts';
import { layoutProblems, widthLimits } from './layout.ts';
import type { Reader } from './reader.ts';
import { type Size, sizes, type Theme, themes } from './sizes.ts';

export const galleryFolder = fileURLToPath(new URL('../../artifacts/gallery', import.meta.url));
/** What a page of many rows has below this is not drawn, CSS pixels. */
const maxPictureHeight = 4_000;
/** Of 100; text stays sharp. */
const jpegQuality = 85;

export interface PictureTask {
  readonly page: string;
  readonly state: string;
  readonly size: Size;
  /** See `GalleryState`. */
  readonly isLong: boolean | undefined;
  /** Hears what breaks a rule. */
  readonly note: (problem: string) => void;
}

/** Judges the page at the reader's own size; a second size is only drawn. */
export async function takePictures({ page, locale, size: own }: Reader, task: PictureTask): Promise<Picture[]> {
  const { size, note } = task;
  const pictures: Picture[] = [];
  await page.setViewportSize(sizes[size]);
  if (size === own) await judgeWidths(page, size, note);
  await growToWholePage(page, size);
  for (const theme of themes) {
    await showTheme(page, theme);
    const file = `${task.page}/${task.state}-${locale}-${size}-${theme}.jpg`.replaceAll(' ', '-');
    await page.screenshot({
      path: join(galleryFolder, file),
      type: 'jpeg',
      quality: jpegQuality,
      animations: 'disabled',
    });
    pictures.push({ state: task.state, locale, size, theme, file });
    const found = size === own && !task.isLong ? await accessibilityProblems(page, theme) : [];
    for (const problem of found) note(`${theme} ${size}: ${problem}`);
  }
  return pictures;
}

/** At the size drawn, and at the narrowest or widest window. */
async function judgeWidths(page: Page, size: Size, note: (problem: string) => void): Promise<void> {
  const limit = { width: widthLimits[size], height: sizes[size].height };
  for (const viewport of [limit, sizes[size]]) {
    await page.setViewportSize(viewport);
    for (const problem of await layoutProblems(page)) note(`${viewport.width} px: ${problem}`);
  }
}

/** A window as high as the page: bars that stick to its edges are then where they belong. */
async function growToWholePage(page: Page, size: Size): Promise<void> {
  const { width, height } = sizes[size];
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  const wanted = Math.min(whole, maxPictureHeight);
  if (wanted > height) await page.setViewportSize({ width, height: wanted });
}

/** Resolves when the page is drawn in the theme, without a colour still on its way. */
async function showTheme(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.evaluate(async (wanted) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const isShown = () => (document.documentElement.dataset.mantineColorScheme ?? wanted) === wanted;
    do await frame();
    while (!isShown());
    const running = () => document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    // The end of one lets its children begin.
    for (let now = running(); now.length > 0; now = running()) for (const transition of now) transition.finish();
  }, theme);
}
