import type * as calls from '@srs-stack/contract/endpoints/settings/stream-keys.ts';
import type { Streams } from '../../streams/open-streams.ts';
import type { HandlersOf } from '../handlers.ts';

export function streamKeysRoutes({ streamKeys }: Streams): HandlersOf<typeof calls> {
  return {
    queryStreamKeys: async () => ({ keys: await streamKeys.list() }),
    createStreamKey: ({ name, pattern, expiresAt }, { actor }) =>
      streamKeys.create({ name, pattern, expiresAt }, actor),
    revokeStreamKey: async ({ id }, { actor }) => ({ ended: await streamKeys.revoke(id, actor) }),
  };
}
