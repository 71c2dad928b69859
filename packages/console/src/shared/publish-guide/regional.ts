// What differs between languages as data: which extras a region's operators expect, which console page speaks it.
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
