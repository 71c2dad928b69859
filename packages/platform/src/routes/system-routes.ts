import type { Settings } from '../settings/open-settings.ts';
import type { Handlers } from './handlers.ts';

export function systemRoutes({ system }: Settings): Pick<Handlers, 'queryVersion' | 'check' | 'status' | 'envs'> {
  return {
    queryVersion: () => ({ version: system.version() }),
    check: () => system.check(),
    status: () => system.status(),
    envs: ({ locale }) => system.environment(locale),
  };
}
