// Cloud recording goes to a cloud of one region: the languages it is shown in, as data.
import type { ByLocale } from '../../i18n/of-locale.ts';

export const offersCloudRecording: ByLocale<boolean> = { zh: true, en: false };
/** Where API keys are made. */
export const accessManagementUrl = 'https://console.cloud.tencent.com/cam/capi';
