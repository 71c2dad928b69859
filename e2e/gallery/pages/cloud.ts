// Recording to the cloud, kept for those who have it.
import { data, type GalleryPage } from '../gallery-page.ts';
import * as cloud from '../samples/cloud.ts';

const filled = {
  queryDvr: data({ all: true, secret: true }),
  queryVod: data({ all: false, secret: true, service: true, storage: true }),
  queryCloudAccount: data(cloud.account),
  queryDvrFiles: data(cloud.dvrFiles),
  queryVodFiles: data(cloud.vodFiles),
} as const;

export const cloudPages: readonly GalleryPage[] = [
  {
    id: 'deprecated',
    path: 'routers-scenario?tab=others&ctab=deprecated&dtab=dvr',
    needs: ['queryDvr', 'queryVod', 'queryCloudAccount'],
    states: [
      {
        name: 'empty',
        answers: {
          queryDvr: data({ all: false, secret: false }),
          queryVod: data({ all: false, secret: false, service: false, storage: false }),
          queryCloudAccount: data(cloud.noAccount),
          queryDvrFiles: data([]),
          queryVodFiles: data([]),
        },
      },
      { name: 'filled', answers: filled },
      {
        name: 'vod',
        path: 'routers-scenario?tab=others&ctab=deprecated&dtab=vod',
        answers: {
          queryDvr: data({ all: false, secret: true }),
          queryVod: data({ all: true, secret: true, service: true, storage: true }),
          queryCloudAccount: data(cloud.account),
          queryDvrFiles: data([]),
          queryVodFiles: data(cloud.vodFiles),
        },
      },
    ],
  },
];
