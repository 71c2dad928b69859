// Language-specific features: the QR code of the publish address, and the language of the media server console.
import type { AddressSet } from '@srs-stack/contract';
import type { ByLocale } from '../../i18n/of-locale.ts';

export interface RegionalExtras {
  /** Phone encoders in this region scan the publish address. */
  publishQr: boolean;
  mediaServerConsole: keyof Pick<AddressSet, 'cnConsole' | 'enConsole'>;
}

export const regionalExtras: ByLocale<RegionalExtras> = {
  zh: { publishQr: true, mediaServerConsole: 'cnConsole' },
  en: { publishQr: false, mediaServerConsole: 'enConsole' },
};
