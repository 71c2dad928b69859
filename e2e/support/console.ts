// The console as an operator uses it: texts in both languages, a logged-in page, accordion sections.
import { readFileSync } from 'node:fs';
import { storageKeys } from '@srs-stack/contract';
import type { Browser, Locator, Page } from 'playwright-core';
import { patience } from '../../scripts/test-run/patience.ts';
import type { Admin } from './api.ts';
import { openPage } from './chromium.ts';
import type { Product } from './product.ts';

/** Timeout for a page on a slow machine that runs other tests too, milliseconds. */
const pageTimeoutMs = 60_000 * patience;

export type Language = 'zh' | 'en';

/** Platforms of forward and virtual live in each language, in order. */
export const platforms = { zh: ['视频号', '哔哩哔哩', '快手'], en: ['YouTube', 'Twitch', 'Facebook'] } as const;

type Texts = { readonly [key: string]: string | Texts };

/** Reads the texts of one folder of the console, such as `features/forwards`. The returned function takes a key, such as `status.title`. */
export function textsOf(language: Language, folder: string): (key: string, values?: Record<string, string>) => string {
  const file = new URL(`../../packages/console/src/${folder}/locales/${language}.json`, import.meta.url);
  const all = JSON.parse(readFileSync(file, 'utf8')) as Texts;
  return (key, values = {}) => {
    const found = key
      .split('.')
      .reduce<string | Texts | undefined>((at, part) => (at as Texts | undefined)?.[part], all);
    if (typeof found !== 'string') throw new Error(`${folder} has no text ${key} in ${language}`);
    return found.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => values[name] ?? '');
  };
}

export interface ConsolePage {
  readonly page: Page;
  /** Errors that the page did not handle. Tests require an empty list. */
  readonly errors: readonly string[];
  open(tab: string): Promise<void>;
  /** Finds an accordion section by the beginning of its title, and opens the section if necessary. */
  section(title: string): Promise<Locator>;
  isOpen(title: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Opens a page with its own profile in which the administrator is logged in. */
export async function openConsole(
  browser: Browser,
  product: Product,
  admin: Admin,
  language: Language,
): Promise<ConsolePage> {
  const { page, errors } = await openPage(browser, language === 'zh' ? 'zh-CN' : 'en-US');
  page.setDefaultTimeout(pageTimeoutMs);
  await page.addInitScript(
    ([key, session]) => localStorage.getItem(key!) ?? localStorage.setItem(key!, session!),
    [storageKeys.token, JSON.stringify(admin.session)],
  );
  const control = (title: string) => page.getByRole('button', { name: new RegExp(`^${title}`) }).first();
  const isOpen = async (title: string) => (await control(title).getAttribute('aria-expanded')) === 'true';
  return {
    page,
    errors,
    isOpen,
    async open(tab) {
      await page.goto(`${product.url}/mgmt/${language}/routers-scenario?tab=${tab}`);
    },
    async section(title) {
      if (!(await isOpen(title))) await control(title).click();
      return page.locator(`[id="${await control(title).getAttribute('aria-controls')}"]`);
    },
    close: () => page.context().close(),
  };
}

/** The input with this label. The label alone would also match a list of suggestions. */
export function field(place: Page | Locator, label: string): Locator {
  return place.getByLabel(label, { exact: true }).and(place.locator('input, textarea'));
}
