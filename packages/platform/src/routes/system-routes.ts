import type * as calls from '@srs-stack/contract/endpoints/system.ts';
import type { Settings } from '../settings/open-settings.ts';
import type { HandlersOf } from './handlers.ts';

export function systemRoutes({ system }: Settings): HandlersOf<typeof calls> {
  return {
    check: () => system.check(),
    status: () => system.status(),
    envs: ({ locale }) => system.environment(locale),
  };
}
