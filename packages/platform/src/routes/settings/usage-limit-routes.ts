import type * as calls from '@srs-stack/contract/endpoints/settings/usage-limit.ts';
import type { Streams } from '../../streams/open-streams.ts';
import type { HandlersOf } from '../handlers.ts';

export function usageLimitRoutes({ usageLimit }: Streams): HandlersOf<typeof calls> {
  return {
    queryUsageLimit: () => usageLimit.query(),
    async updateUsageLimit({ totalHours, startDate, revision }, { actor }) {
      await usageLimit.change({ totalHours, startDate, revision, actor });
      return null;
    },
  };
}
