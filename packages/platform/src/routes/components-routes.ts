import type * as calls from '@srs-stack/contract/endpoints/components.ts';
import type { Modules } from '../modules.ts';
import type { HandlersOf } from './handlers.ts';

export function componentsRoutes({
  settings: { components },
  srsConfigs,
}: Pick<Modules, 'settings' | 'srsConfigs'>): HandlersOf<typeof calls> {
  return {
    queryComponents: () => components.query(),
    querySrsConfigs: async (_request, { origin }) => ({ configurations: await srsConfigs.query(origin) }),
    async updateComponent({ name, enabled }, { actor }) {
      await components.change(name, enabled, actor);
      return null;
    },
  };
}
