import type * as calls from '@srs-stack/contract/endpoints/versions.ts';
import type { Settings } from '../settings/open-settings.ts';
import type { HandlersOf } from './handlers.ts';

export function versionsRoutes({ system }: Settings): HandlersOf<typeof calls> {
  return {
    queryVersion: () => ({ version: system.version() }),
  };
}
