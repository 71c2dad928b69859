import type * as calls from '@srs-stack/contract/endpoints/components.ts';
import type { Settings } from '../settings/open-settings.ts';
import type { HandlersOf } from './handlers.ts';

export function componentsRoutes({ components }: Settings): HandlersOf<typeof calls> {
  return {
    queryComponents: () => components.query(),
    async updateComponent({ name, enabled }, { actor }) {
      await components.change(name, enabled, actor);
      return null;
    },
  };
}
