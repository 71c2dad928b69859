import type * as calls from '@srs-stack/contract/endpoints/settings/web-front.ts';
import type { Settings } from '../../settings/open-settings.ts';
import type { HandlersOf } from '../handlers.ts';

export function webFrontRoutes({ webFront }: Settings): HandlersOf<typeof calls> {
  return {
    queryHomepage: () => webFront.homepage(),
    async updateHomepage({ homepage, revision }, { actor }) {
      await webFront.changeHomepage(homepage, revision, actor);
      return null;
    },
    queryProxyLocations: () => webFront.locations(),
    async updateProxyLocations({ locations, revision }, { actor }) {
      await webFront.changeLocations(locations, revision, actor);
      return null;
    },
  };
}
