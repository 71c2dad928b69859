import type * as calls from '@srs-stack/contract/endpoints/settings/watch-page.ts';
import type { Modules } from '../../modules.ts';
import type { HandlersOf } from '../handlers.ts';

export function watchPageRoutes(looks: Modules['pageLooks']): HandlersOf<typeof calls> {
  return {
    queryWatchPages: () => looks.current(),
    async updateWatchPages({ looks: next, revision }, { actor }) {
      await looks.change(next, actor, revision);
      return null;
    },
    uploadWatchPicture: ({ data, use }) => looks.receivePicture(data, use),
  };
}
