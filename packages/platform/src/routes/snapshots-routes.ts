import type * as calls from '@srs-stack/contract/endpoints/snapshots.ts';
import type { Modules } from '../modules.ts';
import type { HandlersOf } from './handlers.ts';

export function snapshotsRoutes({ recording: { snapshots } }: Pick<Modules, 'recording'>): HandlersOf<typeof calls> {
  return {
    takeSnapshot: ({ app, stream }) => snapshots.take({ app, stream }),
    querySnapshots: ({ app, stream }) => ({ snapshots: snapshots.list({ app, stream }) }),
    querySnapshotPicture: async ({ app, stream, name }) => ({
      picture: await snapshots.picture({ app, stream }, name),
    }),
    async removeSnapshots({ app, stream, name }, { actor }) {
      await snapshots.remove({ app, stream }, name, actor);
      return null;
    },
    querySnapshotTimers: () => snapshots.timers(),
    async updateSnapshotTimers({ timers }, { actor }) {
      await snapshots.change(timers, actor);
      return null;
    },
  };
}
