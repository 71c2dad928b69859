import { AppError, verbatim } from '@srs-stack/contract';
import type * as calls from '@srs-stack/contract/endpoints/settings/hooks.ts';
import type { Callbacks } from '../../callbacks/callbacks.ts';
import type { HandlersOf } from '../handlers.ts';

export function hooksRoutes(callbacks: Callbacks): HandlersOf<typeof calls> {
  return {
    queryHooks: () => callbacks.settings(),
    async applyHooks({ all, target, opaque, host, revision }, { actor, origin }) {
      await callbacks.change({ all, target, opaque, host, revision, origin, actor });
      return null;
    },
    hooksExample({ fail }, { query }) {
      if (isTrue(query.fail ?? fail))
        throw new AppError(
          'callbackRefused',
          verbatim('this example target refuses, because the request has fail=true'),
        );
      return null;
    },
    queryHookDeliveries: async ({ limit }) => ({ deliveries: await callbacks.deliveries(limit) }),
    testHooks: ({ target, opaque }) => callbacks.test(target, opaque),
  };
}

function isTrue(value: unknown): boolean {
  return ['true', '1'].includes(String(value));
}
