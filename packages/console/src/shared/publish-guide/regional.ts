// Differences between languages as data: the extras that a region's operators expect, and the language of the console page.
import type { AddressSet } from '@srs-stack/contract';
import type { ByLocale } from '../../i18n/of-locale.ts';

export interface RegionalExtras {
  /** Phone encoders of the region scan the publish address. */
  publishQr: boolean;
  mediaServerConsole: keyof Pick<AddressSet, 'cnConsole' | 'enConsole'>;
}

export const regionalExtras: ByLocale<RegionalExtras> = {
  zh: { publishQr: true, mediaServerConsole: 'cnConsole' },
  en: { publishQr: false, mediaServerConsole: 'enConsole' },
};
