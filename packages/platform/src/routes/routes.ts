// All handlers together; the type demands one for each call of the contract.
import type { Rooms } from '../rooms.ts';
import { certificatesRoutes } from './certificates-routes.ts';
import { cloudRecordingRoutes } from './cloud-recording-routes.ts';
import { forwardsRoutes } from './forwards-routes.ts';
import type { Handlers } from './handlers.ts';
import { hooksRoutes } from './hooks-routes.ts';
import { laterReleasesRoutes } from './later-releases-routes.ts';
import { monitorRoutes } from './monitor-routes.ts';
import { operationsRoutes } from './operations-routes.ts';
import { recordsRoutes } from './records-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { settingsRoutes } from './settings-routes.ts';
import { startRoutes } from './start-routes.ts';
import { streamsRoutes } from './streams-routes.ts';
import { systemRoutes } from './system-routes.ts';
import { transcodeRoutes } from './transcode-routes.ts';
import { vlivesRoutes } from './vlives-routes.ts';

export function createHandlers(rooms: Rooms): Handlers {
  return {
    ...sessionRoutes(rooms),
    ...systemRoutes(rooms.settings),
    ...settingsRoutes(rooms),
    ...operationsRoutes(rooms),
    ...startRoutes(rooms),
    ...streamsRoutes(rooms.streams),
    ...monitorRoutes(rooms.monitor),
    ...forwardsRoutes(rooms.tasks),
    ...vlivesRoutes(rooms),
    ...transcodeRoutes(rooms.tasks),
    ...laterReleasesRoutes,
    ...hooksRoutes(rooms.callbacks),
    ...recordsRoutes(rooms.recording),
    ...cloudRecordingRoutes(rooms.recording),
    ...certificatesRoutes(rooms.certificates),
  };
}
