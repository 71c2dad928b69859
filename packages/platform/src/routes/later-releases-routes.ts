// What pages of later releases ask before they open, while their scenarios do not exist here.
import { AppError, because } from '@srs-stack/contract';
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
  listRooms: () => ({ rooms: [] }),
  queryOpenai: () => ({ aiSecretKey: '', aiBaseURL: '', aiOrganization: '' }),
  cameraSecret({ action = '' }) {
    if (action !== '') throw new AppError('notFound', because('later.camera'));
    return {};
  },
  cameraStreams: () => [],
  queryTranscript: () => ({ config: transcriptOff, task: { uuid: '' } }),
  queryOcr: () => ({ config: ocrOff, task: { uuid: '' } }),
};
