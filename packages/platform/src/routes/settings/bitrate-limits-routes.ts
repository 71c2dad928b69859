import type * as calls from '@srs-stack/contract/endpoints/settings/bitrate-limits.ts';
import type { Streams } from '../../streams/open-streams.ts';
import type { HandlersOf } from '../handlers.ts';

export function bitrateLimitsRoutes({ bitrateLimits }: Streams): HandlersOf<typeof calls> {
  return {
    queryLimits: () => bitrateLimits.current(),
    async updateLimits({ vlive, camera, revision }, { actor }) {
      await bitrateLimits.change({ vlive, camera }, actor, revision);
      return null;
    },
  };
}
