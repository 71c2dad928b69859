// Layout rules at every width: no horizontal scrolling, no truncated button text.
import type { Page } from 'playwright-core';

/** Narrowest and widest supported window, CSS pixels. */
export const widthLimits = { phone: 360, desktop: 2560 } as const;

/** Maximum number of frames until a popover has followed its button, after a change of the window width. */
const settlingFrames = 20;

/** Layout problems at the current width, as error messages. */
export async function layoutProblems(page: Page): Promise<string[]> {
  let problems = await page.evaluate(measure);
  for (let frame = 0; problems.length > 0 && frame < settlingFrames; frame++) {
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    problems = await page.evaluate(measure);
  }
  return problems;
}

/** Runs in the browser. */
function measure(): string[] {
  const root = document.documentElement;
  const nameOf = (element: Element) =>
    `${element.tagName.toLowerCase()} "${(element.textContent ?? '').trim().replaceAll(/\s+/g, ' ').slice(0, 40)}"`;
  const problems: string[] = [];
  if (root.scrollWidth > root.clientWidth) {
    const beyond = [...document.body.querySelectorAll('*')].filter(
      (element) => element.getBoundingClientRect().right > root.clientWidth + 1 && !scrollsItself(element),
    );
    const widest = beyond.filter((element) => !beyond.some((other) => other !== element && element.contains(other)));
    const names = widest.slice(0, 3).map(nameOf).join(', ');
    problems.push(`scrolls sideways, ${root.scrollWidth} px of ${root.clientWidth} px: ${names}`);
  }
  for (const button of document.querySelectorAll('button, [role="tab"], [role="menuitem"], a[class*="Button"]')) {
    const cut = [button, ...button.querySelectorAll('*')].find(cutsText);
    if (cut) problems.push(`the text of ${nameOf(button)} is cut`);
  }
  return problems;

  function scrollsItself(element: Element): boolean {
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement)
      if (getComputedStyle(at).overflowX !== 'visible') return true;
    return false;
  }

  function cutsText(element: Element): boolean {
    // Text for screen readers is one pixel wide. Elements without text of their own cannot truncate text.
    if (element.clientWidth <= 1 || !(element instanceof HTMLElement)) return false;
    if (![...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim()))
      return false;
    // Text with an ellipsis is accepted, because the ellipsis shows that the text continues.
    const { overflowX, textOverflow } = getComputedStyle(element);
    return (
      textOverflow !== 'ellipsis' &&
      (overflowX === 'hidden' || overflowX === 'clip') &&
      element.scrollWidth > element.clientWidth + 1
    );
  }
}
