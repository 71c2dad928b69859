// The control plane of one data folder. Opens store and modules, builds the HTTP application, starts the background work, and closes
// everything.

import { join } from 'node:path';
import { changed, type UpgradeRequest } from '@srs-stack/contract';
import { watchSettingsFile } from '@srs-stack/playback/access/watch-settings.ts';
import { createClusterTls } from '@srs-stack/process/cluster/cluster-tls.ts';
import { type DataFolder, openDataFolder } from '@srs-stack/process/data-folder.ts';
import type { Log } from '@srs-stack/process/log.ts';
import { loadNodeId } from '@srs-stack/process/node-id.ts';
import { readVersion } from '@srs-stack/process/product-version.ts';
import { pullOrdersFile } from '@srs-stack/process/pull-orders.ts';
import { pushOrdersFile } from '@srs-stack/process/push-orders.ts';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { thisServer } from './actor.ts';
import { createApp } from './app.ts';
import { createCertificateFiles } from './certificates/certificate-files.ts';
import type { PlatformEnv } from './env.ts';
import type { Leases } from './leases/cluster-leases.ts';
import { createClusterGateways } from './media-server/cluster-gateways.ts';
import { withGroupedRenditions } from './media-server/grouped-renditions.ts';
import type { MediaServer } from './media-server/media-server.ts';
import {
  createGatewayAddresses,
  fixedAddresses,
  type MediaServerAddresses,
  readBoundPorts,
} from './media-server/media-server-address.ts';
import { createMediaServers, type MediaServers } from './media-server/media-servers.ts';
import { createVhostConfig } from './media-server/vhost-config.ts';
import { type Modules, openModules } from './modules.ts';
import { createNodeMetrics, createOnlyNodeMetrics } from './monitor/node-metrics.ts';
import { openNodeLeases } from './node-leases.ts';
import { keepKnownNodesFile, others } from './nodes/known-nodes-file.ts';
import { createNodeCalls, type NodeCalls, noNodeCalls } from './nodes/node-calls.ts';
import type { NodeRegistry, OwnNodeRegistry } from './nodes/node-registry.ts';
import { openNodeRegistry } from './nodes/node-registry.ts';
import { notReadyReason } from './not-ready.ts';
import { createFrontFile } from './settings/web-front/front-file.ts';
import { defaultHomepage } from './settings/web-front/web-front.ts';
import { openEnvFile } from './store/env-file.ts';
import { openStore } from './store/open-store.ts';
import type { Store } from './store/store.ts';
import { keepActiveStreamsTrue } from './streams/active-stream-sync.ts';
import { createWatchFile } from './watching/watch-file.ts';

/** File in `run/` into which the gateway writes its bound ports. */
const portsFile = 'ports.json';
/** Timeout for running requests during a stop, milliseconds. Then their connections are closed. */
const closeGraceMs = 3_000;

export interface Platform {
  readonly app: FastifyInstance;
  readonly modules: Modules;
  /** Starts the background work. Returns immediately. */
  start(): void;
  /** Ends requests and background work, and closes the store. Idempotent. */
  close(): Promise<void>;
}

export interface PlatformOptions {
  readonly env: PlatformEnv;
  readonly log: Logger;
  readonly now?: () => Date;
  readonly checksResponses?: boolean;
  /** Sends a request to the supervisor; false without a supervisor. */
  readonly sendToSupervisor?: (request: UpgradeRequest) => boolean;
}

/** Throws StartRefusal when the data folder, the store or a setting is unusable. */
export async function openPlatform(options: PlatformOptions): Promise<Platform> {
  const { env, log, checksResponses, now = () => new Date() } = options;
  const folder = await openDataFolder(env.dataDir);
  const nodeId = await loadNodeId(env.dataDir);
  const { store, damagedFile, ...tables } = await openStore({ folder, cluster: env.cluster, now: now(), log });
  const version = readVersion();
  const nodes = await openNodeRegistry({ id: nodeId, ...env.node, version, table: tables.nodes, log }).catch(
    async (error) => {
      await store.close();
      throw error;
    },
  );
  const { mediaServer, ownMediaServers, allMediaServers, gateways, nodeCalls } = await openMediaServers(
    folder,
    env,
    nodes,
  );
  const leases = openNodeLeases(tables.leases, nodeId, env.workerShare, log);
  const servers = { mediaServer, ownMediaServer: ownMediaServers };
  const modulesDeps = { ...options, ...servers, now, folder, store, version, nodes, nodeCalls, leases };
  const modules = await openModulesIn(modulesDeps).catch(async (error) => {
    await store.close();
    throw error;
  });
  if (damagedFile) await reportDamage(modules, damagedFile, log);
  const life = { isStarted: false, isStopping: false };
  const app = createApp({
    ...{ modules, log, version, dataDir: env.dataDir },
    callbackSecret: env.callbackSecret,
    metricsToken: env.metricsToken,
    trustsLoopbackCallbacks: env.mediaServer === 'srs',
    mediaServerAddress: ownMediaServers.first,
    mediaServers: allMediaServers,
    notReady: () => notReadyReason({ ...life, ...readinessFacts(modules, env) }),
    ...(checksResponses === undefined ? {} : { checksResponses }),
  });
  const metrics = nodes.isShared
    ? createNodeMetrics({ mediaServer: withGroupedRenditions(ownMediaServers), gateways })
    : createOnlyNodeMetrics(modules.monitor);
  const state = () => (modules.streams.drain.since() === '' ? 'running' : 'draining');
  nodes.reportMetrics(async () => ({ ...(await metrics()), state: state() }));
  const runFolder = folder.run;
  const outgoing = { allMediaServers, ownMediaServers, nodeCalls };
  return new RunningPlatform({ app, modules, life, store, nodes, ...outgoing, runFolder, log, now });
}

async function reportDamage({ audit }: Modules, damagedFile: string, log: Log): Promise<void> {
  log.error({ damagedFile }, 'the store was damaged and has been renamed; a new store with new secrets is in use');
  await audit.record('store-replaced', thisServer, changed('store.replaced', { file: damagedFile }));
}

function readinessFacts({ streams, monitor }: Modules, { mediaServer }: PlatformEnv) {
  return {
    isDraining: streams.drain.since() !== '',
    isStoreAwayTooLong: streams.publishSecret.isUnknown(),
    isMediaServerAway: mediaServer === 'srs' && monitor.lastSnapshot()?.engine === 'away',
  };
}

function addressesOf({ run }: DataFolder, env: PlatformEnv): MediaServerAddresses {
  if (env.mediaServer === 'srs') return fixedAddresses(env.srsApiServers);
  return createGatewayAddresses({ runFolder: run, configured: env.mediaServerApi });
}

async function openMediaServers(folder: DataFolder, env: PlatformEnv, nodes: OwnNodeRegistry) {
  const own = addressesOf(folder, env);
  const gateways = async () => (await own.list()).length;
  const ownMediaServers = createMediaServers(own);
  const common = { ownMediaServers, gateways };
  const alone = { ...common, mediaServer: ownMediaServers, allMediaServers: ownMediaServers, nodeCalls: noNodeCalls };
  if (!env.cluster || !env.node.address) return alone;
  const { secret, name: clusterName } = env.cluster;
  const tls = await createClusterTls({ secret, clusterName, nodeId: nodes.self.id });
  const all = createMediaServers(createClusterGateways({ own, nodes: () => others(nodes.list()), tls }));
  const nodeCalls = createNodeCalls({ nodes, tls });
  return { ...common, mediaServer: withReloadOf(ownMediaServers, all), allMediaServers: all, nodeCalls };
}

/** Returns `all` with one change: a reload affects only this node, because each node has its own configuration files. */
function withReloadOf(own: MediaServer, all: MediaServer): MediaServer {
  return {
    listStreams: () => all.listStreams(),
    listClients: () => all.listClients(),
    readKeyframe: (streamId) => all.readKeyframe(streamId),
    listRefusals: () => all.listRefusals(),
    summarize: () => all.summarize(),
    listViewers: () => all.listViewers(),
    disconnect: (clientId) => all.disconnect(clientId),
    identify: () => all.identify(),
    reload: () => own.reload(),
  };
}

interface OwnModulesDeps extends PlatformOptions {
  readonly now: () => Date;
  readonly folder: DataFolder;
  readonly store: Store;
  readonly mediaServer: MediaServer;
  readonly ownMediaServer: MediaServers;
  readonly version: string;
  readonly nodes: NodeRegistry;
  readonly nodeCalls: NodeCalls;
  readonly leases: Leases | undefined;
}

function openModulesIn({
  env,
  log,
  now,
  folder,
  store,
  version,
  nodes,
  nodeCalls,
  leases,
  sendToSupervisor,
  ...servers
}: OwnModulesDeps) {
  // In a cluster, FFmpeg pulls and pushes in place of gateways: a task can move, but a gateway knows only the tasks of its own node.
  const canTransfer = env.mediaServer === 'embedded' && !env.cluster;
  return openModules({
    ...{ env, version, store, log, now, nodes, nodeCalls, leases },
    mediaServer: servers.mediaServer,
    ownMediaServer: servers.ownMediaServer,
    passwordFile: openEnvFile(join(folder.config, '.env')),
    vhostConfig: createVhostConfig(join(folder.config, 'srs.vhost.conf'), env.hlsPath, env.mediaServer),
    frontFile: createFrontFile(join(folder.config, 'front.json'), {
      home: defaultHomepage,
      locations: [],
      off: [],
      initialised: false,
    }),
    watchFile: createWatchFile(join(folder.config, watchSettingsFile)),
    certificateFiles: createCertificateFiles(folder.config, store),
    gatewayTransfers: {
      files: { pushes: join(folder.config, pushOrdersFile), pulls: join(folder.config, pullOrdersFile) },
      gateways: servers.ownMediaServer,
      isOn: { pushes: canTransfer && env.forwardWith === 'engine', pulls: canTransfer },
    },
    channelGateways: {
      canPlay: env.mediaServer === 'embedded',
      listChannels: () => servers.ownMediaServer.listChannels(),
    },
    boundPorts: () => readBoundPorts(join(folder.run, portsFile)),
    sendToSupervisor: sendToSupervisor ?? (() => false),
  });
}

interface RunningParts {
  readonly app: FastifyInstance;
  readonly modules: Modules;
  readonly life: { isStarted: boolean; isStopping: boolean };
  readonly store: Store;
  readonly nodes: OwnNodeRegistry;
  readonly allMediaServers: MediaServers;
  /** Media servers of this node. With a single node, the same object as `allMediaServers`. */
  readonly ownMediaServers: MediaServers;
  readonly nodeCalls: NodeCalls;
  readonly runFolder: string;
  readonly log: Logger;
  readonly now: () => Date;
}

class RunningPlatform implements Platform {
  readonly app: FastifyInstance;
  readonly modules: Modules;
  readonly #parts: RunningParts;
  readonly #stopping = new AbortController();
  #background: Promise<unknown> = Promise.resolve();
  #closed: Promise<void> | undefined;

  constructor(parts: RunningParts) {
    this.app = parts.app;
    this.modules = parts.modules;
    this.#parts = parts;
  }

  start(): void {
    const { ownMediaServers, nodes, runFolder, log, now } = this.#parts;
    const { hls, objects, recording, streams, tasks, settings, certificates, monitor } = this.modules;
    const { signal } = this.#stopping;
    keepKnownNodesFile(nodes, runFolder, log);
    this.#parts.life.isStarted = true;
    recording.start();
    objects.start();
    const logError = (what: string) => (error: unknown) => log.error({ err: error }, what);
    this.#background = Promise.all([
      hls.apply().catch(logError('HLS configuration could not be written')),
      keepActiveStreamsTrue({ activeStreams: streams.active, mediaServer: ownMediaServers, log, now }, signal),
      tasks.runWorkers(signal).catch(logError('tasks not started')),
      monitor.run(signal),
      nodes.keep(signal),
      settings.applyFront().catch(logError('settings of the HTTP front (config/front.json) could not be written')),
      streams.usageLimit.keep(signal),
      streams.streamKeys.keep(signal),
      certificates.keep(signal),
      settings.upgrades.keep(signal),
    ]);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const { app, modules } = this;
    this.#parts.life.isStopping = true;
    this.#stopping.abort();
    modules.streams.pictures.close();
    const workersClosed = modules.tasks.closeWorkers();
    const cut = setTimeout(() => app.server.closeAllConnections(), closeGraceMs);
    await app.close();
    clearTimeout(cut);
    this.#parts.allMediaServers.close();
    this.#parts.ownMediaServers.close();
    this.#parts.nodeCalls.close();
    await workersClosed;
    await this.#background;
    await modules.recording.close();
    await modules.files.library.close();
    await modules.objects.close();
    await modules.callbacks.close();
    await modules.streams.counters.close();
    await modules.monitor.close();
    await this.#parts.store.close();
  }
}
