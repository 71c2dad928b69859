// Settings of the server, not of streams: system information, public web server, components, upgrade window, administrator's key.
import type { UpgradeRequest } from '@srs-stack/contract';
import type { BoundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import type { Log } from '@srs-stack/process/log.ts';
import type { PlatformEnv } from '../env.ts';
import type { MediaServer } from '../media-server/media-server.ts';
import type { NodeRegistry } from '../nodes/node-registry.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { Store } from '../store/store.ts';
import type { ActiveStreams } from '../streams/active-streams.ts';
import type { PublishSecret } from '../streams/publish-secret.ts';
import { type AdminKey, createAdminKey } from './admin-key/admin-key.ts';
import { type Beian, createBeian } from './beian.ts';
import { type Components, openComponents } from './components.ts';
import { createSystem, type System } from './system.ts';
import { createTutorialVideos, type TutorialVideos } from './tutorial-videos.ts';
import { openUpgradeWindow, type UpgradeWindow } from './upgrades/upgrade-window.ts';
import { openUpgrades, type Upgrades } from './upgrades/upgrades.ts';
import { queryBilibili } from './video-site/query-bilibili.ts';
import type { FrontFile } from './web-front/front-file.ts';
import { type LoadBalancer, openLoadBalancer } from './web-front/load-balancer.ts';
import { createOwnPorts } from './web-front/own-ports.ts';
import { openWebFront, type WebFront } from './web-front/web-front.ts';

export interface Settings {
  readonly system: System;
  readonly beian: Beian;
  readonly upgradeWindow: UpgradeWindow;
  readonly upgrades: Upgrades;
  readonly webFront: WebFront;
  readonly loadBalancer: LoadBalancer;
  readonly components: Components;
  readonly adminKey: AdminKey;
  readonly tutorialVideos: TutorialVideos;
  applyFront(): Promise<void>;
}

export interface SettingsDeps {
  readonly env: PlatformEnv;
  readonly version: string;
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly log: Log;
  readonly now: () => Date;
  readonly mediaServer: MediaServer;
  readonly publishSecret: PublishSecret;
  readonly activeStreams: ActiveStreams;
  readonly nodes: NodeRegistry;
  readonly frontFile: FrontFile;
  readonly boundPorts: () => Promise<BoundPorts | undefined>;
  readonly isInitialised: () => boolean;
  /** Sends a request to the supervisor; false without a supervisor. */
  readonly sendToSupervisor: (request: UpgradeRequest) => boolean;
}

export async function openSettings(deps: SettingsDeps): Promise<Settings> {
  const { env, store, audit, log, now, boundPorts } = deps;
  const inner = [env.mediaServerApi.port, ...('port' in env.listen ? [env.listen.port] : [])];
  const webFront = await openWebFront({ ...deps, isOwnPort: createOwnPorts(boundPorts, inner) });
  const upgradeWindow = await openUpgradeWindow(deps);
  const upgrades = await openUpgrades({ ...deps, dataDir: env.dataDir, upgradeWindow });
  const components = await openComponents({ ...deps, engine: env.mediaServer });
  const facts = { ...env, version: deps.version };
  return {
    system: createSystem({ store, publishSecret: deps.publishSecret, facts, boundPorts, now, upgrades }),
    beian: createBeian({ store, audit }),
    upgradeWindow,
    upgrades,
    webFront,
    loadBalancer: await openLoadBalancer(deps),
    components,
    adminKey: createAdminKey({ ...deps, file: env.authorizedKeysFile }),
    tutorialVideos: createTutorialVideos({ store, log, now, querySite: queryBilibili }),
    async applyFront() {
      await webFront.apply();
      await components.apply();
      await deps.frontFile.write({ initialised: deps.isInitialised() });
    },
  };
}
