// Calls of settings with only a query and an update.
import type { EndpointName } from '@srs-stack/contract';
import type { Modules } from '../modules.ts';
import type { Call, Handlers } from './handlers.ts';

export function settingRoutes({ settings, streams }: Pick<Modules, 'settings' | 'streams'>) {
  return {
    ...pair('queryAdminKey', 'updateAdminKey', settings.adminKey),
    ...pair('queryLimits', 'updateLimits', streams.bitrateLimits),
    ...pair('queryUsageLimit', 'updateUsageLimit', streams.usageLimit),
    ...pair('queryUpgradeWindow', 'updateUpgradeWindow', settings.upgradeWindow),
  };
}

type Request<Name extends EndpointName> = Parameters<Handlers[Name]>[0];
type Answer<Name extends EndpointName> = ReturnType<Handlers[Name]>;
/** Updates are the calls that return null. */
type UpdateName = {
  [Name in EndpointName]: null extends Awaited<Answer<Name>> ? Name : never;
}[EndpointName];

interface SettingService<Query extends EndpointName, Update extends EndpointName> {
  query(): Answer<Query>;
  change(
    values: Omit<Request<Update>, 'token' | 'revision'>,
    by: { actor: Call['actor']; revision: string | undefined },
  ): Promise<void>;
}

function pair<Query extends EndpointName, Update extends UpdateName>(
  query: Query,
  update: Update,
  service: SettingService<Query, Update>,
): Pick<Handlers, Query | Update> {
  const handlers = {
    [query]: () => service.query(),
    async [update]({ token: _, revision, ...values }: Request<Update> & Revised, { actor }: Call) {
      await service.change(values, { actor, revision });
      return null;
    },
  };
  return handlers as unknown as Pick<Handlers, Query | Update>;
}

interface Revised {
  readonly token?: string | undefined;
  readonly revision?: string | undefined;
}
