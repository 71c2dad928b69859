// What operates the server rather than a stream: limits, upgrade window, web server, components, the administrator's key.

import type { UpgradeRequest } from '@srs-stack/contract';
import type { BoundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import type { Log } from '@srs-stack/process/log.ts';
import type { PlatformEnv } from '../env.ts';
import type { MediaServer } from '../media-server/media-server.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { Store } from '../store/store.ts';
import type { ActiveStreams } from '../streams/active-streams.ts';
import { openUsageLimit, type UsageLimitService } from '../streams/usage-limit.ts';
import { type AdminKey, createAdminKey } from './admin-key/admin-key.ts';
import { type Components, openComponents } from './components.ts';
import { openUpgradeWindow, type UpgradeWindow } from './upgrades/upgrade-window.ts';
import { openUpgrades, type Upgrades } from './upgrades/upgrades.ts';
import type { FrontFile } from './web-front/front-file.ts';
import { type LoadBalancer, openLoadBalancer } from './web-front/load-balancer.ts';
import { createOwnPorts } from './web-front/own-ports.ts';
import { openWebFront, type WebFront } from './web-front/web-front.ts';

export interface Operations {
  readonly usageLimit: UsageLimitService;
  readonly upgradeWindow: UpgradeWindow;
  readonly upgrades: Upgrades;
  readonly webFront: WebFront;
  readonly loadBalancer: LoadBalancer;
  readonly components: Components;
  readonly adminKey: AdminKey;
  /** Tells the gateway what was set before this start. */
  applyFront(): Promise<void>;
}

export interface OperationsDeps {
  readonly env: PlatformEnv;
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly log: Log;
  readonly now: () => Date;
  readonly mediaServer: MediaServer;
  readonly activeStreams: ActiveStreams;
  readonly frontFile: FrontFile;
  readonly boundPorts: () => Promise<BoundPorts | undefined>;
  /** Whether an admin password is set. */
  readonly isInitialised: () => boolean;
  /** Asks the supervisor; false when there is none. */
  readonly askSupervisor: (request: UpgradeRequest) => boolean;
}

export async function openOperations(deps: OperationsDeps): Promise<Operations> {
  const { env } = deps;
  const inner = [env.mediaServerApi.port, ...('port' in env.listen ? [env.listen.port] : [])];
  const webFront = await openWebFront({ ...deps, isOwnPort: createOwnPorts(deps.boundPorts, inner) });
  const upgradeWindow = await openUpgradeWindow(deps);
  const components = await openComponents({ ...deps, engine: env.mediaServer });
  return {
    usageLimit: await openUsageLimit(deps),
    upgradeWindow,
    upgrades: await openUpgrades({ ...deps, dataDir: env.dataDir, upgradeWindow }),
    webFront,
    loadBalancer: await openLoadBalancer(deps),
    components,
    adminKey: createAdminKey({ ...deps, file: env.authorizedKeysFile }),
    async applyFront() {
      await webFront.apply();
      await components.apply();
      await deps.frontFile.write({ initialised: deps.isInitialised() });
    },
  };
}
