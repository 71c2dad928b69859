// Long walks through pages of the console: `npm test` has time for one language, the tests behind it do the others.
import { type Locale, supportedLocales } from '@srs-stack/contract';

const isBehind = process.env.TEST_TIER === 'rest';

/**
 * Languages in which a long walk through one page is done: in `npm test` one of them, behind it the others. The gallery and the
 * console's own tests hold every text of all against their catalogues.
 */
export const walkedIn = (one: Locale): readonly Locale[] =>
  isBehind ? supportedLocales.filter((locale) => locale !== one) : [one];
