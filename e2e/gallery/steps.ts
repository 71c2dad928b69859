// Steps of an operator to reach a state of a page: clicks, typing, keys.
import type { Page } from 'playwright-core';
import type { GalleryState, TextKey } from './gallery-page.ts';

export type Step = NonNullable<GalleryState['act']>;

/** Clicks the first visible buttons with these texts, one after the other. */
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

/** Expands the section with this name, e.g. that of a target. */
export function unfold(name: string): Step {
  return (page) => page.getByRole('button', { name }).filter({ visible: true }).first().click();
}

/** The field itself, not a section of the same name. */
const fieldOf = (page: Page, label: RegExp) =>
  page.getByLabel(label).and(page.locator('input, textarea')).filter({ visible: true }).first();

/** Replaces the text of the first visible field with this label. */
export function fill(label: TextKey, value: string): Step {
  return (page, text) => fieldOf(page, text(label)).fill(value);
}

/** Selects the option with this text, of radio buttons or a segmented control. */
export function choose(option: TextKey): Step {
  return (page, text) => page.getByText(text(option)).filter({ visible: true }).first().click();
}

/** Toggles the checkbox or switch with this label. */
export function toggle(label: TextKey): Step {
  return (page, text) => page.getByLabel(text(label)).and(page.locator('input')).first().press('Space');
}

/** Clicks the first `count` visible buttons with this text: one of each form of the page. */
export function pressEach(key: TextKey, count: number): Step {
  return async (page, text) => {
    const buttons = page.getByRole('button', { name: text(key) }).filter({ visible: true });
    await buttons.nth(count - 1).waitFor();
    for (let place = 0; place < count; place++) await buttons.nth(place).click();
  };
}

/** Passes a file of this name and size to the first button that accepts one. */
export function attach(name: string, sizeBytes: number): Step {
  const file = { name, mimeType: 'application/octet-stream', buffer: Buffer.alloc(sizeBytes) };
  return (page) => page.locator('input[type="file"]').first().setInputFiles(file);
}

/** Opens the list of a select field. */
export function unroll(label: TextKey): Step {
  return (page, text) => fieldOf(page, text(label)).press('ArrowDown');
}

/** Waits for the text that a step shows, before the next one. */
export function until(key: TextKey): Step {
  return (page, text) => page.getByText(text(key)).filter({ visible: true }).first().waitFor();
}

/** Keys anywhere on the page, e.g. `Control+k`. */
export function keys(combination: string): Step {
  return (page) => page.keyboard.press(combination);
}

/** Runs the steps one after the other. */
export function steps(...all: readonly Step[]): Step {
  return async (page, text) => {
    for (const step of all) await step(page, text);
  };
}

/** Confirms with "Continue". */
export const confirm = press('common:confirm.continue');

/** Options of an open list. */
export const choices = (page: Page) => page.getByRole('option').filter({ visible: true });

/** Clicks a button with a confirmation; `question` is the text of the confirmation. */
export function asking(name: string, question: TextKey, ...opening: readonly Step[]): GalleryState {
  return { name, act: steps(...opening), shows: question };
}
