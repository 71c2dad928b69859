import type * as calls from '@srs-stack/contract/endpoints/settings/upgrades.ts';
import type { Settings } from '../../settings/open-settings.ts';
import type { HandlersOf } from '../handlers.ts';

export function upgradesRoutes({ upgrades }: Settings): HandlersOf<typeof calls> {
  return {
    queryUpgrade: () => upgrades.query(),
    async lookForReleases() {
      await upgrades.look();
      return null;
    },
    async startUpgrade({ channel, commit }, { actor }) {
      await upgrades.start({ channel, commit, actor });
      return null;
    },
    async updateUpgradeSettings({ revision, ...settings }, { actor }) {
      await upgrades.change(settings, { revision, actor });
      return null;
    },
  };
}
