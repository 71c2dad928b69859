import type * as calls from '@srs-stack/contract/endpoints/settings/publish-secret.ts';
import type { Modules } from '../../modules.ts';
import type { Call, HandlersOf } from '../handlers.ts';

export function publishSecretRoutes({ streams, tasks }: Pick<Modules, 'streams' | 'tasks'>): HandlersOf<typeof calls> {
  const { publishSecret } = streams;
  const { publishSecretChange } = tasks;
  return {
    queryPublishSecret: () => publishSecret.current(),
    async updatePublishSecret({ secret, revision }, call) {
      const uses = await publishSecretChange.replace({
        secret,
        revision,
        actor: call.actor,
        calledHost: calledHost(call),
      });
      return uses.follows.length + uses.others.length > 0 ? uses : null;
    },
    queryPublishSecretUses: (_request, call) => publishSecretChange.uses(calledHost(call)),
    async disablePublishSecret({ pubNoAuth, revision }, { actor }) {
      await publishSecret.disable(pubNoAuth, actor, revision);
      return null;
    },
  };
}

/** Host name or address that the console shows as the server. */
function calledHost({ origin }: Call): string {
  return URL.parse(origin)?.hostname.replace(/^\[|\]$/g, '') ?? '';
}
