// What `npm test` runs of files of both tiers (`inBothTiers` of `scripts/test-run/test-tiers.ts`): one language and the main path.
// `npm run test:rest` runs the remaining part or all. Files that run only in `npm run test:rest` test all languages.
import { type Locale, supportedLocales } from '@srs-stack/contract';

const isBehind = process.env.TEST_TIER === 'rest';
/** True in `npm test`. Groups of tests that skip when it is true run only in `npm run test:rest`. */
export const isQuick = process.env.TEST_TIER === 'quick';

/**
 * Languages in which a file of both tiers runs. The gallery and the console's own tests compare every text of all languages with the
 * catalogues.
 */
export const walkedIn = (one: Locale): readonly Locale[] =>
  isBehind ? supportedLocales.filter((locale) => locale !== one) : [one];

/** Reduces a list in a file of both tiers to the items that are `enough` for `npm test`. Elsewhere returns all. */
export const shortened = <Item>(all: readonly Item[], enough: (item: Item) => boolean): readonly Item[] =>
  isQuick ? all.filter(enough) : all;
