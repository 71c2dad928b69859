// What pages of later releases ask before they open, while their scenarios do not exist here.
import { AppError, because } from '@srs-stack/contract';
import type { Handlers } from './handlers.ts';

export const laterReleasesRoutes: Pick<Handlers, 'listRooms' | 'queryOpenai' | 'cameraSecret' | 'cameraStreams'> = {
  listRooms: () => ({ rooms: [] }),
  queryOpenai: () => ({ aiSecretKey: '', aiBaseURL: '', aiOrganization: '' }),
  cameraSecret({ action = '' }) {
    if (action !== '') throw new AppError('notFound', because('later.camera'));
    return {};
  },
  cameraStreams: () => [],
};
