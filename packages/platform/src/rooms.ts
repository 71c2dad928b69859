// Opens every room of the control plane once, from the bottom to the top; routes and pages see these and nothing deeper.
import { join } from 'node:path';
import type { UpgradeRequest } from '@srs-stack/contract';
import type { BoundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import { drainFileName } from '@srs-stack/process/data-folder.ts';
import type { Log } from '@srs-stack/process/log.ts';
import type { PasswordFile } from './access/admin-password.ts';
import { type Access, openAccess } from './access/open-access.ts';
import { type Callbacks, openCallbacks } from './callbacks/callbacks.ts';
import type { CertificateFiles } from './certificates/certificate-files.ts';
import type { Certificates } from './certificates/certificates.ts';
import { openCertificates } from './certificates/open-certificates.ts';
import type { PlatformEnv } from './env.ts';
import { type Files, openFiles } from './files/open-files.ts';
import type { Leases } from './leases/cluster-leases.ts';
import { createHlsSettings, type HlsSettings, type HlsSettingsService } from './media-server/hls-settings.ts';
import type { MediaServer } from './media-server/media-server.ts';
import { createSrsConfigs, type SrsConfigs } from './media-server/open-srs-configs.ts';
import { eventsOfBucket, withEventsOfAudit, withEventsOfStreams } from './monitor/event-sources.ts';
import type { Monitor } from './monitor/monitor.ts';
import { openMonitorEvents } from './monitor/monitor-events.ts';
import { openMonitor } from './monitor/open-monitor.ts';
import type { NodeRegistry } from './nodes/node-registry.ts';
import { type Objects, openObjects } from './objects/open-objects.ts';
import { openRecording, type Recording } from './recording/open-recording.ts';
import { type Cluster, createCluster } from './settings/cluster/cluster.ts';
import { createFirstSteps } from './settings/first-steps.ts';
import { openNodeId } from './settings/node-identity.ts';
import { openSettings, type Settings } from './settings/open-settings.ts';
import type { FrontFile } from './settings/web-front/front-file.ts';
import { type AuditTrail, createAuditTrail } from './store/audit-trail.ts';
import type { Store } from './store/store.ts';
import { openStreams, type Streams } from './streams/open-streams.ts';
import { openTasks, type Tasks } from './tasks/open-tasks.ts';
import type { WatchFile } from './watching/watch-file.ts';
import { openWatching, type Watching } from './watching/watching.ts';

export interface Rooms {
  /** Id of this installation. */
  readonly nodeId: string;
  /** The servers that share the store. */
  readonly nodes: NodeRegistry;
  readonly audit: AuditTrail;
  readonly access: Access;
  readonly callbacks: Callbacks;
  readonly watching: Watching;
  readonly streams: Streams;
  readonly settings: Settings;
  /** Servers that share the store. */
  readonly cluster: Cluster;
  /** How the media server cuts HLS. */
  readonly hls: HlsSettingsService;
  readonly srsConfigs: SrsConfigs;
  /** The bucket for finished recordings. */
  readonly objects: Objects;
  readonly recording: Recording;
  readonly certificates: Certificates;
  readonly files: Files;
  readonly tasks: Tasks;
  readonly monitor: Monitor;
  readonly firstSteps: ReturnType<typeof createFirstSteps>;
}

export interface RoomsDeps {
  readonly env: PlatformEnv;
  readonly version: string;
  readonly nodes: NodeRegistry;
  /** Which node has which task; undefined: this server is the only one. */
  readonly leases: Leases | undefined;
  readonly store: Store;
  readonly log: Log;
  readonly now: () => Date;
  readonly passwordFile: PasswordFile;
  /** Of all nodes; only this one's read their configuration again. */
  readonly mediaServer: MediaServer;
  /** Of this node. */
  readonly ownMediaServer: MediaServer;
  readonly vhostConfig: { write(settings: HlsSettings & { isEnabled: boolean }): Promise<boolean> };
  readonly frontFile: FrontFile;
  readonly watchFile: WatchFile;
  readonly certificateFiles: CertificateFiles;
  readonly boundPorts: () => Promise<BoundPorts | undefined>;
  /** Asks the supervisor; false when there is none. */
  readonly askSupervisor: (request: UpgradeRequest) => boolean;
}

export async function openRooms(all: RoomsDeps): Promise<Rooms> {
  const { deps, monitorEvents, nodeId, rooms } = await openGround(all);
  const { callbacks, streams, settings, watching } = rooms;
  const { publishSecret, bitrateLimits, active: activeStreams, counters } = streams;
  const { components } = settings;
  const isHlsEnabled = () => components.isEnabled('hls');
  const hls = createHlsSettings({ ...deps, config: all.vhostConfig, isEnabled: isHlsEnabled() });
  const srsConfigs = createSrsConfigs({ ...deps, hls, isHlsEnabled });
  const objects = await openObjects({ ...deps, onBucket: eventsOfBucket(monitorEvents) });
  const recording = await openRecording({
    ...deps,
    events: {
      notify: (event) => {
        if (event.action === 'on_record_begin') callbacks.notify(event);
        else callbacks.notify({ ...event, artifactQuery: watching.ownQuery('artifact', event).query });
      },
    },
    segments: streams.segments,
    objects,
    isEnabled: () => components.isEnabled('record'),
    cloud: all.env.cloud,
  });
  components.subscribe(async (name, enabled) => {
    if (name === 'hls') await hls.setEnabled(enabled);
    if (name === 'record' && !enabled) await recording.records.endAll();
  });
  const certificates = openCertificates({ ...deps, files: all.certificateFiles });
  const files = await openFiles(deps);
  // The mark of processes tells the nodes apart that share a machine.
  const taskOwner = all.leases ? `${all.nodes.self.id}:${all.env.dataDir}` : nodeId;
  const tasks = await openTasks({
    ...{ ...deps, watching, nodeId: taskOwner, shares: all.leases, files, bitrateLimits, activeStreams, publishSecret },
    components,
  });
  return {
    ...rooms,
    ...{ nodeId, nodes: all.nodes, audit: deps.audit, hls, srsConfigs, objects, recording, certificates, files, tasks },
    cluster: createCluster({
      ...{ ...deps, drain: streams.drain, nodes: all.nodes },
      ...{ leases: all.leases, settings: all.env.cluster },
    }),
    monitor: await openMonitor({ ...deps, ...tasks, drain: streams.drain, certificates, events: monitorEvents }),
    firstSteps: createFirstSteps({ ...rooms.access, counters, certificates, ...recording, forwards: tasks.forwards }),
  };
}

/** What all other rooms stand on: who may do what, which streams there are, what is set. */
async function openGround(all: RoomsDeps) {
  const { env, store, log, now, mediaServer, ownMediaServer, nodes, boundPorts } = all;
  const { dataDir, hlsPath } = env;
  const monitorEvents = await openMonitorEvents({ store, log, now });
  const audit = withEventsOfAudit(createAuditTrail({ store, log, now }), monitorEvents);
  const deps = { env, store, audit, log, now, mediaServer, ownMediaServer, nodes, boundPorts, dataDir, hlsPath };
  const nodeId = await openNodeId(store);
  const onInitialised = () => tellInitialised(all);
  const access = await openAccess({ ...deps, passwordFile: all.passwordFile, onInitialised });
  const callbacks = await openCallbacks(deps);
  const watching = await openWatching({ ...deps, callbacks, watchFile: all.watchFile });
  const streams = await openStreams({
    ...deps,
    ...{ callbacks, watching },
    drainFile: join(dataDir, 'run', drainFileName),
    observed: (events) => withEventsOfStreams(events, monitorEvents),
  });
  const settings = await openSettings({
    ...deps,
    version: all.version,
    publishSecret: streams.publishSecret,
    nodes: all.nodes,
    activeStreams: streams.active,
    frontFile: all.frontFile,
    isInitialised: () => access.login.state().init,
    askSupervisor: all.askSupervisor,
  });
  return { deps, monitorEvents, nodeId, rooms: { access, callbacks, watching, streams, settings } };
}

/** The password counts all the same: without the notice the login page only appears later. */
function tellInitialised({ frontFile, log }: RoomsDeps): Promise<void> {
  return frontFile
    .write({ initialised: true })
    .catch((error: unknown) => log.warn({ err: error }, 'the gateway was not told that a password is set'));
}
