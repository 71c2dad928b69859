import type * as calls from '@srs-stack/contract/endpoints/settings/upgrade-window.ts';
import type { Settings } from '../../settings/open-settings.ts';
import type { HandlersOf } from '../handlers.ts';

export function upgradeWindowRoutes({ upgradeWindow }: Settings): HandlersOf<typeof calls> {
  return {
    queryUpgradeWindow: () => upgradeWindow.query(),
    async updateUpgradeWindow({ start, end, revision }, { actor }) {
      await upgradeWindow.change({ start, end, revision, actor });
      return null;
    },
  };
}
