// Calls about AI features that this product lacks. Consoles of other releases make these calls before they show a page.
import type * as calls from '@srs-stack/contract/endpoints/later-releases.ts';
import type { HandlersOf } from './handlers.ts';

const transcriptOff = {
  ...{ all: false, secretKey: '', baseURL: '', organization: '', lang: '', forceStyle: '', videoCodecParams: '' },
  ...{ overlayEnabled: false, webvttEnabled: false },
};
const ocrOff = {
  ...{ all: false, aiProvider: '', aiSecretKey: '', aiOrganization: '', aiBaseURL: '', aiChatEnabled: false },
  ...{ aiChatModel: '', aiChatPrompt: '', aiChatMaxWindow: 0, aiChatMaxWords: 0 },
};

export const laterReleasesRoutes: HandlersOf<typeof calls> = {
  queryOpenai: () => ({ aiSecretKey: '', aiBaseURL: '', aiOrganization: '' }),
  queryTranscript: () => ({ config: transcriptOff, task: { uuid: '' } }),
  queryOcr: () => ({ config: ocrOff, task: { uuid: '' } }),
};
