// What differs between languages as data: which extras a region's operators expect, which console page speaks it.
import type { AddressSet, Locale } from '@srs-stack/contract';

export interface RegionalExtras {
  /** Phone encoders of the region scan the publish address. */
  publishQr: boolean;
  mediaServerConsole: keyof Pick<AddressSet, 'cnConsole' | 'enConsole'>;
}

export const regionalExtras: Record<Locale, RegionalExtras> = {
  zh: { publishQr: true, mediaServerConsole: 'cnConsole' },
  en: { publishQr: false, mediaServerConsole: 'enConsole' },
};
