// Cloud recording uses a cloud of one region: the languages that show it, as data.
import type { ByLocale } from '../../i18n/of-locale.ts';

export const offersCloudRecording: ByLocale<boolean> = { zh: true, en: false };
/** Where API keys are made. */
export const accessManagementUrl = 'https://console.cloud.tencent.com/cam/capi';
