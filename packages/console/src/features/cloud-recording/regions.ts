// Cloud recording goes to a cloud of one region: the languages it is shown in, as data.
import type { Locale } from '@srs-stack/contract';

export const offersCloudRecording: Record<Locale, boolean> = { zh: true, en: false };
/** Where API keys are made. */
export const accessManagementUrl = 'https://console.cloud.tencent.com/cam/capi';
