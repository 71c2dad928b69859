import type { Rooms } from '../rooms.ts';
import type { Handlers } from './handlers.ts';

type Names =
  | 'queryUsageLimit'
  | 'updateUsageLimit'
  | 'queryUpgradeWindow'
  | 'updateUpgradeWindow'
  | 'queryUpgrade'
  | 'lookForReleases'
  | 'startUpgrade'
  | 'updateUpgradeSettings'
  | 'queryHomepage'
  | 'updateHomepage'
  | 'queryProxyLocations'
  | 'updateProxyLocations'
  | 'queryLoadBalancer'
  | 'updateLoadBalancer'
  | 'queryComponents'
  | 'updateComponent'
  | 'queryAdminKey'
  | 'updateAdminKey';

export function operationsRoutes({ settings, streams }: Pick<Rooms, 'settings' | 'streams'>): Pick<Handlers, Names> {
  const { upgradeWindow, upgrades, webFront, loadBalancer, components, adminKey } = settings;
  const { usageLimit } = streams;
  return {
    queryUsageLimit: () => usageLimit.query(),
    async updateUsageLimit({ totalHours, startDate, revision }, { ip }) {
      await usageLimit.change({ totalHours, startDate, revision, ip });
      return null;
    },
    queryUpgradeWindow: () => upgradeWindow.query(),
    async updateUpgradeWindow({ start, end, revision }, { ip }) {
      await upgradeWindow.change({ start, end, revision, ip });
      return null;
    },
    queryUpgrade: () => upgrades.query(),
    async lookForReleases() {
      await upgrades.look();
      return null;
    },
    async startUpgrade({ channel, commit }, { ip }) {
      await upgrades.start({ channel, commit, ip });
      return null;
    },
    async updateUpgradeSettings({ channel, auto, revision }, { ip }) {
      await upgrades.change({ channel, auto, revision, ip });
      return null;
    },
    queryHomepage: () => webFront.homepage(),
    async updateHomepage({ homepage, revision }, { ip }) {
      await webFront.changeHomepage(homepage, revision, ip);
      return null;
    },
    queryProxyLocations: () => webFront.locations(),
    async updateProxyLocations({ locations, revision }, { ip }) {
      await webFront.changeLocations(locations, revision, ip);
      return null;
    },
    queryLoadBalancer: (_request, { origin }) => loadBalancer.query(origin),
    async updateLoadBalancer({ backends, revision }, { ip }) {
      await loadBalancer.change(backends, revision, ip);
      return null;
    },
    queryComponents: () => components.query(),
    async updateComponent({ name, enabled }, { ip }) {
      await components.change(name, enabled, ip);
      return null;
    },
    queryAdminKey: () => adminKey.query(),
    async updateAdminKey({ key, enable, revision }, { ip }) {
      await adminKey.change({ key, enable, revision, ip });
      return null;
    },
  };
}
