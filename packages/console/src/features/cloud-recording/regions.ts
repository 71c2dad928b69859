// Whether the console of a language offers cloud recording. The provider serves only one region.
import type { ByLocale } from '../../i18n/of-locale.ts';

export const offersCloudRecording: ByLocale<boolean> = { zh: true, en: false };
/** Page that creates API keys. */
export const accessManagementUrl = 'https://console.cloud.tencent.com/cam/capi';
