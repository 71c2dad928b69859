import type * as calls from '@srs-stack/contract/endpoints/vlives.ts';
import type { Modules } from '../modules.ts';
import type { HandlersOf } from './handlers.ts';

export function vlivesRoutes({ tasks, access }: Pick<Modules, 'tasks' | 'access'>): HandlersOf<typeof calls> {
  const { vlives, vliveSources } = tasks;
  return {
    async vliveSecret({ token: _, action, ...target }, call) {
      // Pages with uploads make this call first. The cookie is for older pages, which upload without a credential.
      if (call.isOwnPage) call.keepPageCookie(access.sessions.issuePage());
      if (action === undefined || action === '') return vlives.targets();
      await vlives.save(action, target, call.actor);
      return null;
    },
    vliveStreams: () => vlives.rows(),
    vliveStreamUrl: ({ url }, { query }) => vliveSources.checkStreamUrl(url || textOf(query.url)),
    vliveServerFile: ({ file }, { query }) => vliveSources.acquireFile(file || textOf(query.file)),
    vliveSource: async ({ platform, files }, { actor }) => ({
      platform,
      files: await vlives.setSource(platform, files, actor),
    }),
    async removeVlive({ platform }, { actor }) {
      await vlives.remove(platform, actor);
      return null;
    },
    queryLibrary: () => vlives.library(),
    async removeLibraryFile({ uuid }, { actor }) {
      await vlives.removeFile(uuid, actor);
      return null;
    },
  };
}

/** A query parameter as text; '' if absent. Older clients send values in the query. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
