// Opens every module of the control plane once, in the order of the layers. Routes and pages use only these instances.
import { join } from 'node:path';
import type { UpgradeRequest } from '@srs-stack/contract';
import type { VliveSourceOrder } from '@srs-stack/contract/models/node-orders.ts';
import { nodeRecordOrders, nodeRecordPrefix, nodeVliveSource } from '@srs-stack/contract/node-calls.ts';
import type { BoundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import { rewindSettingsFile } from '@srs-stack/playback/rewind/rewind-settings.ts';
import { watchImagesFolder, watchPageFile } from '@srs-stack/playback/watch-page-looks.ts';
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
import { withGroupedRenditions } from './media-server/grouped-renditions.ts';
import { createHlsSettings, type HlsSettings, type HlsSettingsService } from './media-server/hls-settings.ts';
import type { MediaServer } from './media-server/media-server.ts';
import { createSrsConfigs, type SrsConfigs } from './media-server/open-srs-configs.ts';
import { openRewindSettings, type RewindSettingsService } from './media-server/rewind-settings.ts';
import { eventsOfBucket, withEventsOfAudit, withEventsOfStreams } from './monitor/event-sources.ts';
import type { Monitor } from './monitor/monitor.ts';
import { openMonitorEvents } from './monitor/monitor-events.ts';
import { openMonitor } from './monitor/open-monitor.ts';
import { openViewerHistory } from './monitor/viewers/open-viewer-history.ts';
import type { NodeCalls } from './nodes/node-calls.ts';
import type { NodeRegistry } from './nodes/node-registry.ts';
import { type Objects, openObjects } from './objects/open-objects.ts';
import type { RecordPeers } from './recording/listing/record-peers.ts';
import { openRecording, type Recording } from './recording/open-recording.ts';
import type { RecordEvents } from './recording/record-events.ts';
import { type Cluster, createCluster } from './settings/cluster/cluster.ts';
import { createFirstSteps } from './settings/first-steps.ts';
import { openNodeId } from './settings/node-identity.ts';
import { openSettings, type Settings } from './settings/open-settings.ts';
import type { FrontFile } from './settings/web-front/front-file.ts';
import { type AuditTrail, createAuditTrail } from './store/audit-trail.ts';
import type { Store } from './store/store.ts';
import { openStreams, type Streams } from './streams/open-streams.ts';
import { openTasks, type Tasks, type TasksDeps } from './tasks/open-tasks.ts';
import { PageImages } from './watching/page-images.ts';
import { openPageLooks, type PageLooks } from './watching/page-looks.ts';
import type { WatchFile } from './watching/watch-file.ts';
import { openWatching, type Watching } from './watching/watching.ts';
import { toPicture } from './workers/uploaded-image.ts';

export interface Modules {
  readonly nodeId: string;
  readonly nodes: NodeRegistry;
  readonly audit: AuditTrail;
  readonly access: Access;
  readonly callbacks: Callbacks;
  readonly watching: Watching;
  readonly pageLooks: PageLooks;
  readonly streams: Streams;
  readonly settings: Settings;
  readonly cluster: Cluster;
  readonly hls: HlsSettingsService;
  readonly rewind: RewindSettingsService;
  readonly srsConfigs: SrsConfigs;
  readonly objects: Objects;
  readonly recording: Recording;
  readonly certificates: Certificates;
  readonly files: Files;
  readonly tasks: Tasks;
  readonly monitor: Monitor;
  readonly firstSteps: ReturnType<typeof createFirstSteps>;
}

export interface ModulesDeps {
  readonly env: PlatformEnv;
  readonly version: string;
  readonly nodes: NodeRegistry;
  readonly nodeCalls: NodeCalls;
  /** Decides which node runs which task; undefined for a single server. */
  readonly leases: Leases | undefined;
  readonly store: Store;
  readonly log: Log;
  readonly now: () => Date;
  readonly passwordFile: PasswordFile;
  /** Media servers of all nodes. A configuration reload affects only the media servers of this node. */
  readonly mediaServer: MediaServer;
  readonly ownMediaServer: MediaServer;
  readonly gatewayTransfers: TasksDeps['gatewayTransfers'];
  readonly channelGateways: TasksDeps['channelGateways'];
  readonly vhostConfig: { write(settings: HlsSettings & { isEnabled: boolean }): Promise<boolean> };
  readonly frontFile: FrontFile;
  readonly watchFile: WatchFile;
  readonly certificateFiles: CertificateFiles;
  readonly boundPorts: () => Promise<BoundPorts | undefined>;
  /** Sends a request to the supervisor; false without a supervisor. */
  readonly sendToSupervisor: (request: UpgradeRequest) => boolean;
}

export async function openModules(given: ModulesDeps): Promise<Modules> {
  const all = { ...given, mediaServer: withGroupedRenditions(given.mediaServer) };
  const { deps, monitorEvents, viewers, nodeId, modules } = await openGround(all);
  const { streams, settings } = modules;
  const { components } = settings;
  const isHlsEnabled = () => components.isEnabled('hls');
  const hls = createHlsSettings({ ...deps, config: all.vhostConfig, isEnabled: isHlsEnabled() });
  const rewind = await openRewindSettings({ ...deps, file: join(all.env.dataDir, 'config', rewindSettingsFile) });
  const srsConfigs = createSrsConfigs({ ...deps, hls, isHlsEnabled });
  const objects = await openObjects({ ...deps, onBucket: eventsOfBucket(monitorEvents) });
  const recording = await openRecording({
    ...{ ...deps, events: recordEvents(modules), peers: recordPeers(all.nodeCalls) },
    onRunning: (running) => rewind.setRecorded(running),
    segments: streams.segments,
    objects,
    isEnabled: () => components.isEnabled('record'),
    cloud: all.env.cloud,
  });
  followSwitches(components, { hls, recording });
  const certificates = openCertificates({ ...deps, files: all.certificateFiles });
  const files = await openFiles({ ...deps, objects });
  const tasks = await openTasks({
    ...{ ...deps, ...tasksGround(all, modules, nodeId), files, components },
    allStreams: given.mediaServer,
    ownMediaServer: given.ownMediaServer,
    recordingFile: (uuid) => recordingFile(recording, uuid),
    isRecorded: (stream) => components.isEnabled('record') && recording.records.rules.admits(stream),
  });
  return {
    ...modules,
    ...{ nodeId, nodes: all.nodes, audit: deps.audit, certificates, files, tasks },
    ...{ hls, rewind, srsConfigs, objects, recording },
    cluster: createCluster({
      ...{ ...deps, drain: streams.drain, nodes: all.nodes },
      ...{ leases: all.leases, settings: all.env.cluster },
      onlyThere: onlyThere(recording, files),
    }),
    monitor: await openMonitor({
      ...{ ...deps, ...tasks, drain: streams.drain, certificates },
      ...{ events: monitorEvents, viewers },
    }),
    firstSteps: createFirstSteps({
      ...modules.access,
      counters: streams.counters,
      certificates,
      ...recording,
      forwards: tasks.forwards,
    }),
  };
}

function followSwitches(
  components: Ground['settings']['components'],
  { hls, recording }: Pick<Modules, 'hls' | 'recording'>,
): void {
  components.subscribe(async (name, enabled) => {
    if (name === 'hls') await hls.setEnabled(enabled);
    if (name === 'record' && !enabled) await recording.records.endAll();
  });
}

type Ground = Awaited<ReturnType<typeof openGround>>['modules'];

function tasksGround(
  { leases, nodes, nodeCalls, env, gatewayTransfers, channelGateways }: ModulesDeps,
  { streams, watching }: Ground,
  nodeId: string,
) {
  const { publishSecret, bitrateLimits, active, renditionAccess } = streams;
  // Owner of the worker processes. In a cluster, includes the data folder, because several nodes may run on one machine.
  const owner = leases ? `${nodes.self.id}:${env.dataDir}` : nodeId;
  return {
    watching,
    gatewayTransfers,
    channelGateways,
    nodeId: owner,
    shares: leases,
    callNode: (node: string, order: VliveSourceOrder) => nodeCalls.post(node, nodeVliveSource, order),
    bitrateLimits,
    activeStreams: active,
    publishSecret,
    renditionAccess,
  };
}

async function recordingFile({ records }: Recording, uuid: string): Promise<string | undefined> {
  const link = await records.link(`${uuid}/index.mp4`);
  return link?.kind === 'file' ? link.path : undefined;
}

/** Numbers of recordings and files that only one node stores, keyed by node id. These files are unavailable while the node is down. */
function onlyThere({ records }: Recording, { library }: Files) {
  return { recordings: () => records.onlyThere(), files: () => library.onlyThere() };
}

function recordPeers(calls: NodeCalls): RecordPeers {
  return {
    order: async (node, order) => {
      await calls.post(node, nodeRecordOrders, order);
    },
    read: (node, path, request) => calls.read(node, { ...request, path: nodeRecordPrefix + path }),
  };
}

function recordEvents({ callbacks, watching }: Ground): RecordEvents {
  return {
    notify: (event) => {
      if (event.action === 'on_record_begin') callbacks.notify(event);
      else callbacks.notify({ ...event, artifactQuery: watching.ownQuery('artifact', event).query });
    },
  };
}

async function openGround(all: ModulesDeps) {
  const { env, store, log, now, mediaServer, ownMediaServer, nodes, boundPorts } = all;
  const { dataDir, hlsPath } = env;
  const viewers = await openViewerHistory(join(dataDir, 'metrics', 'viewers'), now().getTime(), log);
  const monitorEvents = await openMonitorEvents({ store, log, now });
  const audit = withEventsOfAudit(createAuditTrail({ store, log, now }), monitorEvents);
  const deps = { env, store, audit, log, now, mediaServer, ownMediaServer, nodes, boundPorts, dataDir, hlsPath };
  const nodeId = await openNodeId(store);
  const onInitialised = () => reportInitialised(all);
  const access = await openAccess({ ...deps, passwordFile: all.passwordFile, onInitialised });
  const callbacks = await openCallbacks(deps);
  const watching = await openWatching({ ...deps, callbacks, watchFile: all.watchFile });
  const pageLooks = await openPageLooks({
    ...{ store, audit, file: join(dataDir, 'config', watchPageFile) },
    pictures: new PageImages({
      ...{ store, now, folder: join(dataDir, watchImagesFolder) },
      convert: (file, use) => toPicture(file, use === 'logo' ? 'logo' : 'poster'),
    }),
  });
  const streams = await openStreams({
    ...deps,
    ...{ callbacks, watching },
    drainFile: join(dataDir, 'run', drainFileName),
    viewing: (name, nowMs) => viewers.history.lately(name, nowMs),
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
    sendToSupervisor: all.sendToSupervisor,
  });
  return {
    deps,
    monitorEvents,
    viewers,
    nodeId,
    modules: { access, callbacks, watching, pageLooks, streams, settings },
  };
}

/**
 * Reports to the gateway that a password is set. After a failed report the password is still valid, but the gateway shows the login page
 * later.
 */
function reportInitialised({ frontFile, log }: ModulesDeps): Promise<void> {
  return frontFile
    .write({ initialised: true })
    .catch((error: unknown) => log.warn({ err: error }, 'the gateway could not be notified that a password is set'));
}
