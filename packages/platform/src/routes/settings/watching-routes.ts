import type * as calls from '@srs-stack/contract/endpoints/settings/watching.ts';
import type { Modules } from '../../modules.ts';
import type { HandlersOf } from '../handlers.ts';

export function watchingRoutes(watching: Modules['watching']): HandlersOf<typeof calls> {
  return {
    queryWatching: () => watching.current(),
    async updateWatchRules({ rules, revision }, { actor }) {
      await watching.changeRules(rules, actor, revision);
      return null;
    },
    async updateViewerReports({ enabled }, { actor }) {
      await watching.switchViewerReports(enabled, actor);
      return null;
    },
    createWatchKey: (_request, { actor }) => watching.createKey(actor),
    async revokeWatchKey({ id }, { actor }) {
      await watching.revokeKey(id, actor);
      return null;
    },
    createWatchLink: (request) => watching.link(request),
    createConsoleLink: (name) => watching.ownQuery('console', name),
    queryWatchAccess: (name) => ({ mode: watching.modeOf(name) }),
    unlockStream: ({ password, ...name }, { actor }) => watching.unlock(name, password, actor),
  };
}
