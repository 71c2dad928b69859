// Layout in a real window: what an operator needs is visible without scrolling.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { statesOf } from './gallery/gallery-page.ts';
import { galleryAreas } from './gallery/pages.ts';
import { type GalleryBrowser, openGalleryBrowser, openState, type Reader } from './gallery/reader.ts';

const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };
let browser: GalleryBrowser;
let reader: Reader;
let page: Page;

beforeAll(async () => {
  browser = await openGalleryBrowser({ zh: 'desktop', en: 'desktop' });
  reader = browser.readers.find(({ locale }) => locale === 'en')!;
  ({ page } = reader);
});
afterAll(() => browser?.close());

async function open(id: string, name: string, window: typeof desktop): Promise<void> {
  const galleryPage = galleryAreas.flatMap(({ pages }) => pages).find((each) => each.id === id)!;
  await openState(browser.built, reader, galleryPage, statesOf(galleryPage).find((state) => state.name === name)!);
  await page.setViewportSize(window);
}

/** Texts of visible elements with this selector that are partly or completely outside the window. */
const outOfView = (selector: string) =>
  page.evaluate((wanted) => {
    const isInside = ({ top, left, bottom, right }: DOMRect) =>
      top >= 0 && left >= 0 && bottom <= window.innerHeight && right <= window.innerWidth;
    return [...document.querySelectorAll(wanted)]
      .filter((part) => part.checkVisibility() && !isInside(part.getBoundingClientRect()))
      .map((part) => part.textContent);
  }, selector);

test('all settings are visible beside the page', async () => {
  await open('hls-settings', 'filled', desktop);
  expect(await page.getByRole('tab').filter({ visible: true }).count()).toBe(15);
  expect(await outOfView('[role="tab"]')).toEqual([]);
});

test('on a phone a button expands the settings, and a selection collapses them', async () => {
  await open('hls-settings', 'filled', phone);
  const fold = page.getByRole('button', { name: 'Delivery HLS' });
  expect(await page.getByRole('tab').filter({ visible: true }).count()).toBe(0);
  await fold.click();
  expect(await outOfView('[role="tab"]')).toEqual([]);
  await page.getByRole('tab', { name: 'Limits' }).click();
  const next = page.getByRole('button', { name: 'System Limits' });
  await next.waitFor();
  expect(await next.evaluate((button) => document.activeElement === button)).toBe(true);
  expect(await page.getByRole('tab').filter({ visible: true }).count()).toBe(0);
});

test('after a save without a file virtual live shows what is missing', async () => {
  await open('vlives', 'empty', desktop);
  await page
    .getByRole('button', { name: reader.text('vlives:start') })
    .filter({ visible: true })
    .first()
    .click();
  const message = page.getByRole('alert').filter({ hasText: reader.text('vlives:problem.files') });
  await message.waitFor();
  await page.waitForFunction(() => document.activeElement?.hasAttribute('data-invalid'));
  expect(await outOfView('[data-invalid]')).toEqual([]);
});
