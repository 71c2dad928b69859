// Takes screenshots of the current page in both themes, and checks the page.
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
/** Maximum height of a screenshot, CSS pixels. Further content is cut off. */
const maxScreenshotHeight = 4_000;

export interface ScreenshotTask {
  readonly page: string;
  readonly state: string;
  readonly size: Size;
  /** See `GalleryState`. */
  readonly isLong: boolean | undefined;
  /** Themes whose screenshots are always kept. Both themes are checked. */
  readonly drawnThemes: readonly Theme[];
  readonly note: (problem: string) => void;
  /** Whether the state has a violation. Its screenshots are then kept in every theme. */
  readonly isFaulty: () => boolean;
}

/** Takes the screenshots of a state. Each language has one window size for checks; at any other size, the page is only drawn. */
export async function takeScreenshots(reader: Reader, task: ScreenshotTask): Promise<Picture[]> {
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
      writeFileSync(join(galleryFolder, file), await reader.takeScreenshot());
      pictures.push({ state: task.state, locale, size, theme, file });
    }
  }
  await reader.resize(sizes[size], true);
  return pictures;
}

/** Checks the layout in the narrowest or widest window, and in the window of the screenshot. */
async function judgeWidths(reader: Reader, size: Size, note: (problem: string) => void): Promise<void> {
  const limit = { width: widthLimits[size], height: sizes[size].height };
  for (const window of [limit, sizes[size]]) {
    await reader.resize(window, false);
    for (const problem of await layoutProblems(reader.page)) note(`${window.width} px: ${problem}`);
  }
}

/** The size of a window as high as the page. Sticky bars are then drawn at the top or bottom of the page. */
async function wholePage(page: Page, size: Size): Promise<{ width: number; height: number }> {
  const { width, height } = sizes[size];
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  return { width, height: Math.max(height, Math.min(whole, maxScreenshotHeight)) };
}

/** Resolves when the page is drawn in the theme and all transitions and animations have ended. */
async function showTheme(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.evaluate(async (wanted) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const isShown = () => (document.documentElement.dataset.mantineColorScheme ?? wanted) === wanted;
    do await frame();
    while (!isShown());
    const running = () => document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    // The end of an animation may start animations of child elements, so the loop repeats.
    for (let now = running(); now.length > 0; now = running()) for (const transition of now) transition.finish();
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getComputedTiming().endTime === Infinity) animation.cancel();
      else animation.finish();
    }
    document.documentElement.style.caretColor = 'transparent';
  }, theme);
}
