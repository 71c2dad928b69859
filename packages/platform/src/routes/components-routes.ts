import type * as calls from '@srs-stack/contract/endpoints/components.ts';
import type { SrsConfigs } from '../media-server/open-srs-configs.ts';
import type { Settings } from '../settings/open-settings.ts';
import type { HandlersOf } from './handlers.ts';

export function componentsRoutes({ components }: Settings, srsConfigs: SrsConfigs): HandlersOf<typeof calls> {
  return {
    queryComponents: () => components.query(),
    querySrsConfigs: async (_request, { origin }) => ({ configurations: await srsConfigs.query(origin) }),
    async updateComponent({ name, enabled }, { actor }) {
      await components.change(name, enabled, actor);
      return null;
    },
  };
}
