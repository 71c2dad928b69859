import type * as calls from '@srs-stack/contract/endpoints/settings/beian.ts';
import type { Settings } from '../../settings/open-settings.ts';
import type { HandlersOf } from '../handlers.ts';

export function beianRoutes({ beian }: Settings): HandlersOf<typeof calls> {
  return {
    queryBeian: () => beian.current(),
    async updateBeian({ beian: member, text, previous }, { actor }) {
      await beian.change(member, text, actor, previous);
      return null;
    },
  };
}
