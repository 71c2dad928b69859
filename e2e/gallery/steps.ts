// Steps to reach a state of a page: clicks, typing, keys.
import type { Page } from 'playwright-core';
import type { GalleryState, TextKey } from './gallery-page.ts';

export type Step = NonNullable<GalleryState['act']>;

/** For each key in order: clicks the first visible button with this text. */
export function press(...keys: readonly TextKey[]): Step {
  return async (page, text) => {
    for (const key of keys)
      await page
        .getByRole('button', { name: text(key) })
        .filter({ visible: true })
        .first()
        .click();
  };
}

/** Expands the section with this name, such as the section of a target. */
export function unfold(name: string): Step {
  return (page) => page.getByRole('button', { name }).filter({ visible: true }).first().click();
}

/** A label can also name a section, so only input elements are selected. */
const fieldOf = (page: Page, label: RegExp) =>
  page.getByLabel(label).and(page.locator('input, textarea')).filter({ visible: true }).first();

/** Replaces the text of the first visible field with this label. */
export function fill(label: TextKey, value: string): Step {
  return (page, text) => fieldOf(page, text(label)).fill(value);
}

/** Selects a radio button or segment by its text. */
export function choose(option: TextKey): Step {
  return (page, text) => page.getByText(text(option)).filter({ visible: true }).first().click();
}

/** Toggles the checkbox or switch with this label. */
export function toggle(label: TextKey): Step {
  return (page, text) => page.getByLabel(text(label)).and(page.locator('input')).first().press('Space');
}

/** Clicks the first `count` visible buttons with this text, for a page with several forms. */
export function pressEach(key: TextKey, count: number): Step {
  return async (page, text) => {
    const buttons = page.getByRole('button', { name: text(key) }).filter({ visible: true });
    await buttons.nth(count - 1).waitFor();
    for (let place = 0; place < count; place++) await buttons.nth(place).click();
  };
}

/** Selects a file of this name and size in the first file input. */
export function attach(name: string, sizeBytes: number): Step {
  const file = { name, mimeType: 'application/octet-stream', buffer: Buffer.alloc(sizeBytes) };
  return (page) => page.locator('input[type="file"]').first().setInputFiles(file);
}

/** Opens the list of a select field. */
export function unroll(label: TextKey): Step {
  return (page, text) => fieldOf(page, text(label)).press('ArrowDown');
}

/** Waits for a visible text before the next step. */
export function until(key: TextKey): Step {
  return (page, text) => page.getByText(text(key)).filter({ visible: true }).first().waitFor();
}

/** Presses keys on the page, such as `Control+k`. */
export function keys(combination: string): Step {
  return (page) => page.keyboard.press(combination);
}

/** Runs several steps in order. */
export function steps(...all: readonly Step[]): Step {
  return async (page, text) => {
    for (const step of all) await step(page, text);
  };
}

export const confirm = press('common:confirm.continue');

export const choices = (page: Page) => page.getByRole('option').filter({ visible: true });

/** A state that shows a confirmation. The steps `opening` open the confirmation, `question` is its text. */
export function asking(name: string, question: TextKey, ...opening: readonly Step[]): GalleryState {
  return { name, act: steps(...opening), shows: question };
}
