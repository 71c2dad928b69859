// Long walks through pages of the console, in files of both tiers (`inBothTiers` of `scripts/test-run/test-tiers.ts`): `npm test` has time
// for one language, the tests behind it do the others. Files that only `npm run test:rest` runs walk in all languages.
import { type Locale, supportedLocales } from '@srs-stack/contract';

const isBehind = process.env.TEST_TIER === 'rest';
const isQuick = process.env.TEST_TIER === 'quick';

/**
 * Languages in which the walk of a file of both tiers is done. The gallery and the console's own tests hold every text of all against
 * their catalogues.
 */
export const walkedIn = (one: Locale): readonly Locale[] =>
  isBehind ? supportedLocales.filter((locale) => locale !== one) : [one];

/** What `npm test` does of a list in a file of both tiers: those alone that are `enough` for every change. All elsewhere. */
export const shortened = <Item>(all: readonly Item[], enough: (item: Item) => boolean): readonly Item[] =>
  isQuick ? all.filter(enough) : all;
