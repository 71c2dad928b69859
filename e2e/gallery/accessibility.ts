// Rules of WCAG 2.2, levels A and AA, applied to the page as it is drawn now, by axe-core.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

export const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Where the gallery's server has it: a browser that fetches it compiles it once for all pages. */
export const axePath = '/axe.min.js';

/** The light theme is held against every rule, the dark one against those another theme can break. */
const rules = {
  light: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  dark: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
} as const satisfies Record<string, RunOptions['runOnly']>;

/** Violations as sentences: rule, element, what to do. */
export async function accessibilityProblems(page: Page, theme: keyof typeof rules): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.addScriptTag({ url: axePath });
  const { violations } = await page.evaluate(
    async (options) => {
      const { axe } = window as unknown as { axe: { run(options: unknown): Promise<AxeResults> } };
      // Of what is scrolled out of a drawer upwards axe cannot tell the background.
      const scrolled = [...document.querySelectorAll('*')].filter(({ scrollTop }) => scrollTop > 0);
      const places = scrolled.map(({ scrollTop }) => scrollTop);
      for (const element of scrolled) element.scrollTo({ top: 0, behavior: 'instant' });
      const { violations } = await axe.run(options);
      for (const [index, element] of scrolled.entries()) element.scrollTo({ top: places[index]!, behavior: 'instant' });
      return { violations };
    },
    // Without `preload`, which waits for media that nobody sends.
    { runOnly: rules[theme], resultTypes: ['violations'], preload: false, elementRef: false } as unknown,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary?.split('\n')[1]?.trim()}`,
    ),
  );
}
