// The control plane of one data folder: opens store and rooms, builds the application, keeps the table of active
// streams true, and closes everything again. `main.ts` and the tests start here.

import { join } from 'node:path';
import { changed, type UpgradeRequest } from '@srs-stack/contract';
import { openDataFolder } from '@srs-stack/process/data-folder.ts';
import { readVersion } from '@srs-stack/process/product-version.ts';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { createCertificateFiles } from './certificates/certificate-files.ts';
import type { PlatformEnv } from './env.ts';
import { createMediaServerAddress, fixedAddress, readBoundPorts } from './media-server/media-server-address.ts';
import { createSrsHttpApi } from './media-server/srs-http-api.ts';
import { createVhostConfig } from './media-server/vhost-config.ts';
import { openRooms, type Rooms } from './rooms.ts';
import { createFrontFile } from './settings/web-front/front-file.ts';
import { defaultHomepage } from './settings/web-front/web-front.ts';
import { openEnvFile } from './store/env-file.ts';
import { openStore } from './store/open-store.ts';
import { keepActiveStreamsTrue } from './streams/active-stream-sync.ts';

/** Requests still running this long after the stop began lose their connection, milliseconds. */
const closeGraceMs = 3_000;

export interface Platform {
  readonly app: FastifyInstance;
  readonly rooms: Rooms;
  /** Begins the work that needs the media server; returns at once. */
  start(): void;
  /** Idempotent: ends requests, background work and the store. */
  close(): Promise<void>;
}

export interface PlatformOptions {
  readonly env: PlatformEnv;
  readonly log: Logger;
  readonly now?: () => Date;
  readonly checksResponses?: boolean;
  /** Asks the supervisor of this process; false when there is none. */
  readonly askSupervisor?: (request: UpgradeRequest) => boolean;
}

/** Throws StartRefusal when the data folder, the store or a setting cannot be used. */
export async function openPlatform({
  env,
  log,
  now = () => new Date(),
  checksResponses,
  askSupervisor = () => false,
}: PlatformOptions): Promise<Platform> {
  const folder = await openDataFolder(env.dataDir);
  const portsPath = join(folder.run, 'ports.json');
  const vhostConfig = createVhostConfig(join(folder.config, 'srs.vhost.conf'), env.hlsPath, env.mediaServer);
  const envFile = openEnvFile(join(folder.config, '.env'));
  const { store, damagedFile } = await openStore(folder, now());
  const address =
    env.mediaServer === 'srs'
      ? fixedAddress(env.srsApiServer)
      : createMediaServerAddress(portsPath, env.mediaServerApi);
  const mediaServer = createSrsHttpApi(address);
  const version = readVersion();
  const rooms = await openRooms({
    env,
    version,
    store,
    log,
    now,
    passwordFile: envFile,
    mediaServer,
    vhostConfig,
    frontFile: createFrontFile(join(folder.config, 'front.json'), {
      home: defaultHomepage,
      locations: [],
      off: [],
      initialised: false,
    }),
    certificateFiles: createCertificateFiles(folder.config, store),
    boundPorts: () => readBoundPorts(portsPath),
    askSupervisor,
  }).catch(async (error) => {
    await store.close();
    throw error;
  });
  if (damagedFile) {
    log.error({ damagedFile }, 'the store was damaged: it is kept in this file, a new one with new secrets is in use');
    await rooms.audit.record('store-replaced', '', changed('store.replaced', { file: damagedFile }));
  }
  const app = createApp({
    rooms,
    log,
    version,
    dataDir: env.dataDir,
    callbackSecret: env.callbackSecret,
    metricsToken: env.metricsToken,
    trustsLoopbackCallbacks: env.mediaServer === 'srs',
    mediaServerAddress: address,
    ...(checksResponses === undefined ? {} : { checksResponses }),
  });

  const stopping = new AbortController();
  let background: Promise<unknown> = Promise.resolve();
  let closed: Promise<void> | undefined;
  const close = async () => {
    stopping.abort();
    rooms.streams.pictures.close();
    const workersClosed = rooms.tasks.closeWorkers();
    const cut = setTimeout(() => app.server.closeAllConnections(), closeGraceMs);
    await app.close();
    clearTimeout(cut);
    mediaServer.close();
    await workersClosed;
    await background;
    await rooms.recording.close();
    await rooms.callbacks.close();
    await rooms.streams.counters.close();
    await rooms.monitor.close();
    await store.close();
  };
  return {
    app,
    rooms,
    start() {
      const { hls, recording, streams, tasks, settings, certificates } = rooms;
      recording.start();
      const applied = hls.apply().catch((error) => log.error({ err: error }, 'HLS configuration not written'));
      const synced = keepActiveStreamsTrue({ activeStreams: streams.active, mediaServer, log, now }, stopping.signal);
      const worked = tasks
        .runWorkers(stopping.signal)
        .catch((error) => log.error({ err: error }, 'workers not started'));
      const watched = rooms.monitor.run(stopping.signal);
      const fronted = settings.applyFront().catch((error) => log.error({ err: error }, 'front settings not written'));
      const counted = streams.usageLimit.keep(stopping.signal);
      background = Promise.all([
        applied,
        fronted,
        counted,
        synced,
        worked,
        watched,
        certificates.keep(stopping.signal),
        settings.upgrades.keep(stopping.signal),
      ]);
    },
    close() {
      closed ??= close();
      return closed;
    },
  };
}
