// What an operator does on a page to get to a state: presses, typing, keys.
import type { GalleryState, TextKey } from './gallery-page.ts';

type Step = NonNullable<GalleryState['act']>;

/** Presses the first visible buttons with these texts, one after the other. */
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

/** Unfolds the section with this name, e.g. that of a target. */
export function unfold(name: string): Step {
  return (page) => page.getByRole('button', { name }).filter({ visible: true }).first().click();
}

/** Replaces the text of the first visible field with this label. */
export function fill(label: TextKey, value: string): Step {
  return (page, text) => page.getByLabel(text(label)).filter({ visible: true }).first().fill(value);
}

/** Chooses the option with this text, of radio buttons or a segmented control. */
export function choose(option: TextKey): Step {
  return (page, text) => page.getByText(text(option)).filter({ visible: true }).first().click();
}

/** Keys anywhere on the page, e.g. `Control+k`. */
export function keys(combination: string): Step {
  return (page) => page.keyboard.press(combination);
}

/** One step after the other. */
export function steps(...all: readonly Step[]): Step {
  return async (page, text) => {
    for (const step of all) await step(page, text);
  };
}

/** A button that asks before it acts, pressed; `question` is what it asks. */
export function asking(name: string, question: TextKey, ...opening: readonly Step[]): GalleryState {
  return { name, act: steps(...opening), shows: question };
}
