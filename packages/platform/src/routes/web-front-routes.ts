import type * as calls from '@srs-stack/contract/endpoints/web-front.ts';
import type { Settings } from '../settings/open-settings.ts';
import type { HandlersOf } from './handlers.ts';

export function webFrontRoutes({ webFront }: Settings): HandlersOf<typeof calls> {
  return {
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
  };
}
