// What pages of later releases ask before they open, while their scenarios do not exist here.
import { AppError, because } from '@srs-stack/contract';
import type * as calls from '@srs-stack/contract/endpoints/later-releases.ts';
import type { HandlersOf } from './handlers.ts';

export const laterReleasesRoutes: HandlersOf<typeof calls> = {
  listRooms: () => ({ rooms: [] }),
  queryOpenai: () => ({ aiSecretKey: '', aiBaseURL: '', aiOrganization: '' }),
  cameraSecret({ action = '' }) {
    if (action !== '') throw new AppError('notFound', because('later.camera'));
    return {};
  },
  cameraStreams: () => [],
};
