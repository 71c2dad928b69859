// All handlers, one file per contract file. The type requires a handler for each call.
import type { Modules } from '../modules.ts';
import { auditRoutes } from './audit-routes.ts';
import { camerasRoutes } from './cameras-routes.ts';
import { channelsRoutes } from './channels-routes.ts';
import { cloudRecordingRoutes } from './cloud-recording-routes.ts';
import { componentsRoutes } from './components-routes.ts';
import { demoStreamRoutes } from './demo-stream-routes.ts';
import { drainRoutes } from './drain-routes.ts';
import { firstStepsRoutes } from './first-steps-routes.ts';
import { forwardsRoutes } from './forwards-routes.ts';
import type { Handlers } from './handlers.ts';
import { ladderRoutes } from './ladder-routes.ts';
import { laterReleasesRoutes } from './later-releases-routes.ts';
import { liveClientsRoutes } from './live-clients-routes.ts';
import { liveRoomsRoutes } from './live-rooms-routes.ts';
import { mediaServerHooksRoutes } from './media-server-hooks-routes.ts';
import { monitorRoutes } from './monitor-routes.ts';
import { recordsRoutes } from './records-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { settingRoutes } from './setting-routes.ts';
import { beianRoutes } from './settings/beian-routes.ts';
import { certificatesRoutes } from './settings/certificates-routes.ts';
import { clusterRoutes } from './settings/cluster-routes.ts';
import { hlsSettingsRoutes } from './settings/hls-settings-routes.ts';
import { hooksRoutes } from './settings/hooks-routes.ts';
import { loadBalancerRoutes } from './settings/load-balancer-routes.ts';
import { objectStorageRoutes } from './settings/object-storage-routes.ts';
import { publishSecretRoutes } from './settings/publish-secret-routes.ts';
import { slatesRoutes } from './settings/slates-routes.ts';
import { streamKeysRoutes } from './settings/stream-keys-routes.ts';
import { upgradesRoutes } from './settings/upgrades-routes.ts';
import { watchPageRoutes } from './settings/watch-page-routes.ts';
import { watchingRoutes } from './settings/watching-routes.ts';
import { webFrontRoutes } from './settings/web-front-routes.ts';
import { snapshotsRoutes } from './snapshots-routes.ts';
import { streamsRoutes } from './streams-routes.ts';
import { systemRoutes } from './system-routes.ts';
import { transcodeRoutes } from './transcode-routes.ts';
import { tutorialsRoutes } from './tutorials-routes.ts';
import { versionsRoutes } from './versions-routes.ts';
import { vlivesRoutes } from './vlives-routes.ts';
import { workerLogsRoutes } from './worker-logs-routes.ts';

export function createHandlers(modules: Modules): Handlers {
  return {
    ...auditRoutes(modules.audit),
    ...beianRoutes(modules.settings),
    ...certificatesRoutes(modules.certificates),
    ...cloudRecordingRoutes(modules.recording),
    ...clusterRoutes(modules),
    ...componentsRoutes(modules),
    ...demoStreamRoutes(modules.tasks),
    ...drainRoutes(modules),
    ...firstStepsRoutes(modules.firstSteps),
    ...forwardsRoutes(modules.tasks),
    ...hlsSettingsRoutes(modules),
    ...hooksRoutes(modules.callbacks),
    ...ladderRoutes(modules.tasks),
    ...laterReleasesRoutes,
    ...liveClientsRoutes(modules.streams),
    ...liveRoomsRoutes(modules.streams),
    ...channelsRoutes(modules.tasks),
    ...loadBalancerRoutes(modules.settings),
    ...mediaServerHooksRoutes(modules),
    ...monitorRoutes(modules),
    ...objectStorageRoutes(modules),
    ...publishSecretRoutes(modules),
    ...recordsRoutes(modules),
    ...snapshotsRoutes(modules),
    ...sessionRoutes(modules.access),
    ...settingRoutes(modules),
    ...streamKeysRoutes(modules.streams),
    ...slatesRoutes(modules.tasks),
    ...streamsRoutes(modules.streams),
    ...systemRoutes(modules.settings),
    ...transcodeRoutes(modules.tasks),
    ...tutorialsRoutes(modules.settings),
    ...upgradesRoutes(modules.settings),
    ...versionsRoutes(modules.settings),
    ...camerasRoutes(modules),
    ...vlivesRoutes(modules),
    ...watchPageRoutes(modules.pageLooks),
    ...watchingRoutes(modules.watching),
    ...webFrontRoutes(modules.settings),
    ...workerLogsRoutes(modules.tasks),
  };
}
