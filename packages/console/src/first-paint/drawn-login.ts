// The pre-rendered login page that the HTML contains (draw-login-page.ts): it is visible and accepts input while the code loads. React
// renders below it. The first screen that is ready takes the input and removes the pre-rendered page, in one frame.

/** Id of the pre-rendered page's element, also used by public/drawn-login.js and theme/global.css. */
const drawnId = 'drawn';
/** Maximum wait for the first paint, milliseconds: a background tab paints nothing. */
const paintPatienceMs = 300;

export interface TypedBefore {
  readonly password: string;
  readonly isPlain: boolean;
  /** Whether the form was submitted before the page had loaded. */
  readonly isSubmitted: boolean;
}

function drawnPage(): HTMLElement | null {
  const isHidden = document.documentElement.dataset.drawn === 'off';
  return isHidden ? null : document.getElementById(drawnId);
}

export function isLoginDrawn(): boolean {
  return drawnPage() !== null;
}

/**
 * Resolves once the pre-rendered page has been painted, so that the code does not delay it; immediately if the page was not pre-rendered.
 */
export function drawnLoginPainted(): Promise<void> {
  if (!isLoginDrawn()) return Promise.resolve();
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, paintPatienceMs);
  });
}

/** Input typed into the pre-rendered page so far; undefined if there is no such page. */
export function readDrawnLogin(): TypedBefore | undefined {
  const page = drawnPage();
  const field = page?.querySelector<HTMLInputElement>('input:not([type=checkbox])');
  if (!page || !field) return undefined;
  return { password: field.value, isPlain: field.type === 'text', isSubmitted: page.dataset.submitted === 'true' };
}

/** Removes the pre-rendered page; its animations continue in the page below. */
export function endDrawnLogin(): void {
  const page = document.getElementById(drawnId);
  if (!page) return;
  const before = page.getAnimations?.({ subtree: true }) ?? [];
  const after =
    page.parentElement?.getAnimations?.({ subtree: true }).filter((motion) => !before.includes(motion)) ?? [];
  // The page below has the same animations, which continue at the position of those of the pre-rendered page.
  if (before.length === after.length) {
    for (const [index, motion] of after.entries()) motion.startTime = before[index]?.startTime ?? motion.startTime;
  }
  page.remove();
}
