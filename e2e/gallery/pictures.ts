// Pictures of what a page shows now, in both themes, and what is wrong with it there.
import { writeFileSync } from 'node:fs';
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

export interface PictureTask {
  readonly page: string;
  readonly state: string;
  readonly size: Size;
  /** See `GalleryState`. */
  readonly isLong: boolean | undefined;
  /** A picture is kept in these; both themes are judged. */
  readonly drawnThemes: readonly Theme[];
  /** Hears what breaks a rule. */
  readonly note: (problem: string) => void;
  /** Whether the state broke one: then a picture shows it. */
  readonly isFaulty: () => boolean;
}

/** Judges the page at the reader's own size; a second size is only drawn. */
export async function takePictures(reader: Reader, task: PictureTask): Promise<Picture[]> {
  const { page, locale, size: own } = reader;
  const { size, note } = task;
  const pictures: Picture[] = [];
  await page.setViewportSize(sizes[size]);
  if (size === own) await judgeWidths(reader, size, note);
  const whole = await wholePage(page, size);
  for (const theme of themes) {
    const isDrawn = task.drawnThemes.includes(theme);
    await reader.resize(whole, isDrawn);
    await showTheme(page, theme);
    const found = size === own && !task.isLong ? await accessibilityProblems(page, theme) : [];
    for (const problem of found) note(`${theme} ${size}: ${problem}`);
    if (isDrawn || task.isFaulty()) {
      if (!isDrawn) await reader.resize(whole, true);
      const file = `${task.page}/${task.state}-${locale}-${size}-${theme}.jpg`.replaceAll(' ', '-');
      writeFileSync(join(galleryFolder, file), await reader.takePicture());
      pictures.push({ state: task.state, locale, size, theme, file });
    }
  }
  // As the page's own window is remembered.
  await reader.resize(sizes[size], true);
  return pictures;
}

/** At the narrowest or widest window, and at the size drawn. */
async function judgeWidths(reader: Reader, size: Size, note: (problem: string) => void): Promise<void> {
  const limit = { width: widthLimits[size], height: sizes[size].height };
  for (const window of [limit, sizes[size]]) {
    await reader.resize(window, false);
    for (const problem of await layoutProblems(reader.page)) note(`${window.width} px: ${problem}`);
  }
}

/** A window as high as the page: bars that stick to its edges are then where they belong. */
async function wholePage(page: Page, size: Size): Promise<{ width: number; height: number }> {
  const { width, height } = sizes[size];
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  return { width, height: Math.max(height, Math.min(whole, maxPictureHeight)) };
}

/** Resolves when the page is drawn in the theme, without a colour still on its way, and nothing moves or blinks. */
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
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getComputedTiming().endTime === Infinity) animation.cancel();
      else animation.finish();
    }
    document.documentElement.style.caretColor = 'transparent';
  }, theme);
}
