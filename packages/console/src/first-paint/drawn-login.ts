// Controls the pre-rendered login page, which accepts input while the code loads. The first rendered screen takes over the input and
// removes the pre-rendered page.

/** Id of the pre-rendered element; also used in public/drawn-login.js and theme/global.css. */
const drawnId = 'drawn';
/** Maximum wait for the first paint, milliseconds. A background tab never paints. */
const paintPatienceMs = 300;

export interface TypedBefore {
  readonly password: string;
  readonly isPlain: boolean;
  /** The form was submitted before the code had loaded. */
  readonly isSubmitted: boolean;
}

function drawnPage(): HTMLElement | null {
  const isHidden = document.documentElement.dataset.drawn === 'off';
  return isHidden ? null : document.getElementById(drawnId);
}

export function isLoginDrawn(): boolean {
  return drawnPage() !== null;
}

/** Resolves after the first paint, so that loading code does not delay the paint. Resolves immediately without a pre-rendered page. */
export function drawnLoginPainted(): Promise<void> {
  if (!isLoginDrawn()) return Promise.resolve();
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, paintPatienceMs);
  });
}

/** Input of the pre-rendered page; undefined without a pre-rendered page. */
export function readDrawnLogin(): TypedBefore | undefined {
  const page = drawnPage();
  const field = page?.querySelector<HTMLInputElement>('input:not([type=checkbox])');
  if (!page || !field) return undefined;
  return { password: field.value, isPlain: field.type === 'text', isSubmitted: page.dataset.submitted === 'true' };
}

/** Removes the pre-rendered page. The rendered page continues the animations. */
export function endDrawnLogin(): void {
  const page = document.getElementById(drawnId);
  if (!page) return;
  const before = page.getAnimations?.({ subtree: true }) ?? [];
  const after =
    page.parentElement?.getAnimations?.({ subtree: true }).filter((motion) => !before.includes(motion)) ?? [];
  // The rendered page has identical animations, which continue where the pre-rendered page stops.
  if (before.length === after.length) {
    for (const [index, motion] of after.entries()) motion.startTime = before[index]?.startTime ?? motion.startTime;
  }
  page.remove();
}
