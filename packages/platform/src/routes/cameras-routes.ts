import { randomUUID } from 'node:crypto';
import type * as calls from '@srs-stack/contract/endpoints/cameras.ts';
import type { Rooms } from '../rooms.ts';
import type { HandlersOf } from './handlers.ts';

export function camerasRoutes({ tasks }: Pick<Rooms, 'tasks'>): HandlersOf<typeof calls> {
  const { cameras, cameraSources } = tasks;
  return {
    async cameraSecret({ token: _, action, ...sent }, { actor }) {
      if (action === undefined || action === '') return cameras.targets();
      await cameras.save(action, sent, actor);
      return null;
    },
    cameraStreams: () => cameras.rows(),
    cameraStreamUrl: ({ url }, { query }) => cameraSources.checkStreamUrl(url || textOf(query.url)),
    cameraSource: async ({ platform, files }, { actor }) => ({
      platform,
      files: await cameras.setSource(platform, files, actor),
    }),
    testCamera({ url }) {
      const source = cameraSources.checkStreamUrl(url);
      return cameraSources.probe({ ...source, uuid: randomUUID(), path: '', type: 'stream' });
    },
    async removeCamera({ platform }, { actor }) {
      await cameras.remove(platform, actor);
      return null;
    },
  };
}

/** Older clients send it in the query. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
