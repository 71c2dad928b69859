// Reduces test files that run in both tiers (`inBothTiers` of `scripts/test-run/test-tiers.ts`). `npm test` runs such
// a file in one language and with short lists (`shortened`). `npm run test:rest` runs all further languages with complete
// lists. Files that only `npm run test:rest` runs test all languages.
import { type Locale, supportedLocales } from '@srs-stack/contract';

const isBehind = process.env.TEST_TIER === 'rest';
/** Whether this is a run of `npm test`. Tests that are skipped then run only in `npm run test:rest`. */
export const isQuick = process.env.TEST_TIER === 'quick';

/**
 * Languages in which a file of both tiers runs: `one` in `npm test`, all further languages in `npm run test:rest`.
 * One language is enough for `npm test`: other tests compare the texts of all languages with the catalogues.
 */
export const walkedIn = (one: Locale): readonly Locale[] =>
  isBehind ? supportedLocales.filter((locale) => locale !== one) : [one];

/** Reduces a list in a file of both tiers to the items that are `enough` for `npm test`; `npm run test:rest` uses all items. */
export const shortened = <Item>(all: readonly Item[], enough: (item: Item) => boolean): readonly Item[] =>
  isQuick ? all.filter(enough) : all;
