// Checks the current page with axe-core against WCAG 2.2, levels A and AA.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

export const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Path of axe on the server of the gallery. A browser compiles a script with a URL only once for all pages. */
export const axePath = '/axe.min.js';

/** The light theme is checked against every rule, the dark theme only against rules that depend on colours. */
const rules = {
  light: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  dark: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
} as const satisfies Record<string, RunOptions['runOnly']>;

/** Violations as error messages: rule, element, remedy. */
export async function accessibilityProblems(page: Page, theme: keyof typeof rules): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.addScriptTag({ url: axePath });
  const { violations } = await page.evaluate(
    async (options) => {
      const { axe } = window as unknown as { axe: { run(options: unknown): Promise<AxeResults> } };
      // Scrolls to the start: axe cannot determine the background of elements that are scrolled out of a drawer.
      const scrolled = [...document.querySelectorAll('*')].filter(({ scrollTop }) => scrollTop > 0);
      const places = scrolled.map(({ scrollTop }) => scrollTop);
      for (const element of scrolled) element.scrollTo({ top: 0, behavior: 'instant' });
      const { violations } = await axe.run(options);
      for (const [index, element] of scrolled.entries()) element.scrollTo({ top: places[index]!, behavior: 'instant' });
      return { violations };
    },
    // `preload` is off, because axe would wait for media that never arrives.
    { runOnly: rules[theme], resultTypes: ['violations'], preload: false, elementRef: false } as unknown,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary?.split('\n')[1]?.trim()}`,
    ),
  );
}
