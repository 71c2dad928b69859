// Reduces test files that run in both tiers (`inBothTiers` of `scripts/test-run/test-tiers.ts`). `npm test` runs one
// language and the main path of such a file. `npm run test:rest` runs the remaining tests, or all of them. Files that
// only `npm run test:rest` runs test all languages.
import { type Locale, supportedLocales } from '@srs-stack/contract';

const isBehind = process.env.TEST_TIER === 'rest';
/** Whether this is a run of `npm test`. Tests that are skipped then run only in `npm run test:rest`. */
export const isQuick = process.env.TEST_TIER === 'quick';

/**
 * Languages in which a file of both tiers runs.
 * The gallery and the tests of the console compare every text of all languages with the catalogues.
 */
export const walkedIn = (one: Locale): readonly Locale[] =>
  isBehind ? supportedLocales.filter((locale) => locale !== one) : [one];

/** Reduces a list in a file of both tiers to the items that are `enough` for `npm test`; `npm run test:rest` uses all items. */
export const shortened = <Item>(all: readonly Item[], enough: (item: Item) => boolean): readonly Item[] =>
  isQuick ? all.filter(enough) : all;
