// Two lengths of the same tests: what `npm test` has time for, and the whole of it in the tests behind it.
import { type Locale, supportedLocales } from '@srs-stack/contract';

export const fullLength = process.env.TEST_TIER === 'rest';

/**
 * Languages in which a long walk through one page is done: in `npm test` one of them, behind it the others. The gallery and the
 * console's own tests hold every text of all against their catalogues.
 */
export const walkedIn = (one: Locale): readonly Locale[] =>
  fullLength ? supportedLocales.filter((locale) => locale !== one) : [one];
