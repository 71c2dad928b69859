import type * as calls from '@srs-stack/contract/endpoints/publish-secret.ts';
import type { Streams } from '../streams/open-streams.ts';
import type { HandlersOf } from './handlers.ts';

export function publishSecretRoutes({ publishSecret }: Streams): HandlersOf<typeof calls> {
  return {
    queryPublishSecret: () => publishSecret.current(),
    async updatePublishSecret({ secret, revision }, { actor }) {
      await publishSecret.replace(secret, actor, revision);
      return null;
    },
    async disablePublishSecret({ pubNoAuth, revision }, { actor }) {
      await publishSecret.disable(pubNoAuth, actor, revision);
      return null;
    },
  };
}
