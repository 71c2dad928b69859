// Composition root of the data plane: engine, public front, control API and callbacks, started and stopped in order.
import { join } from 'node:path';
import type { BoundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import {
  type Engine,
  type EngineConfig,
  type EnginePorts,
  EngineStartError,
  type ReportFault,
} from '@srs-stack/engine';
import type { Logger } from '@srs-stack/process/logger.ts';
import { listenRefusal } from '@srs-stack/process/start-refusal.ts';
import type { ServerIdentity } from './callbacks/callback-body.ts';
import { createCallbackClient } from './callbacks/callback-client.ts';
import { createPlatformCallbacks } from './callbacks/platform-callbacks.ts';
import { endSwitchedOff, withComponentGate } from './component-gate.ts';
import { createControlFront } from './control/control-front.ts';
import { forLocalCallers } from './control/local-callers.ts';
import { createSrsApi } from './control/srs-api.ts';
import { createSrsCalls } from './control/srs-calls.ts';
import { loadServerId, prepareFolders, randomName, removePorts, writePorts } from './data-folder.ts';
import { toEngineConfig } from './engine-settings.ts';
import type { GatewayEnv } from './env.ts';
import { createFaults } from './faults.ts';
import { createBackendProxy } from './front/backends/backend-proxy.ts';
import { createLocationProxy } from './front/backends/location-proxy.ts';
import { createOwnCredentials } from './front/backends/own-credentials.ts';
import { createConsoleFiles, defaultConsoleFolder } from './front/files/console-files.ts';
import { createFileSender } from './front/files/file-sender.ts';
import { createForwardedResolver, createTrustedProxies } from './front/http/forwarded.ts';
import { type Deadlines, deadlines } from './front/limits/front-limits.ts';
import { createPlatformProxy, type PlatformProxy } from './front/platform/platform-proxy.ts';
import { createPublicFront } from './front/public-front.ts';
import { watchCertificate } from './front/server/certificate-watch.ts';
import { createHttpServer, createHttpsServer, listen, stopServer } from './front/server/public-server.ts';
import { createRtcCalls } from './front/webrtc/rtc-calls.ts';
import { createWebrtcAddresses } from './front/webrtc/webrtc-addresses.ts';
import { watchFrontSettings } from './front-settings.ts';
import { createHlsReload, initialHlsConfig } from './hls-reload.ts';
import { defaultHlsConfig } from './srs-config/hls-config.ts';
import { createSrsRelay } from './srs-relay.ts';

/** Notices of a stopping process get this long to reach the control plane, milliseconds. */
const lastNoticesMs = 1_000;
/** Answers under way get this long at a stop, milliseconds; with the notices it stays below five seconds. */
const lastAnswersMs = 2_000;

const loopback = ['127.0.0.0/8', '::1'];

export interface GatewayParts {
  readonly env: GatewayEnv;
  readonly log: Logger;
  readonly createEngine: (config: EngineConfig, ports: EnginePorts) => Engine;
  /** The console build; of this checkout by default. */
  readonly consoleFolder?: string;
  /** A bug has broken the table of streams: the process must end. */
  readonly onCorrupted?: () => void;
  /** Shorter ones for tests. */
  readonly deadlines?: Partial<Deadlines>;
}

export interface Gateway {
  readonly ports: BoundPorts;
  /** Takes what nobody caught: logged and counted, the streams go on. */
  readonly reportFault: ReportFault;
  /** What clients hold of the public front now; all zero when nothing is under way. */
  load(): ReturnType<PlatformProxy['load']> & { readonly files: number };
  /** Stops everything within five seconds; idempotent. */
  close(): Promise<void>;
}

/** Binds every listener and writes `run/ports.json`. @throws StartRefusal with one sentence for the operator. */
export async function startGateway(parts: GatewayParts): Promise<Gateway> {
  const { env, log } = parts;
  const forwarded = createForwardedResolver(env.trustedProxies);
  await prepareFolders(env.dataDir, env.hlsPath);
  const identity: ServerIdentity = { serverId: await loadServerId(env.dataDir), serviceId: randomName(8) };
  const hlsFile = join(env.dataDir, 'config', 'srs.vhost.conf');
  const hlsDefaults = defaultHlsConfig(env.hlsPath);
  const hls = await initialHlsConfig(hlsFile, hlsDefaults, log);

  const client = createCallbackClient(env.platform, env.callbackSecret);
  const callbacks = createPlatformCallbacks({ client, identity, log });
  const frontSettings = watchFrontSettings({
    file: join(env.dataDir, 'config', 'front.json'),
    onChange: ({ off }) => {
      const ended = off.size > 0 ? endSwitchedOff(engine, off) : 0;
      if (ended > 0) log.info({ ended, off: [...off] }, 'sessions of switched-off protocols ended');
    },
    log,
  });
  const gated = withComponentGate(callbacks, () => frontSettings.current().off);
  const faults = createFaults({
    log,
    clock: () => performance.now(),
    findCorruption: () => engine.findCorruption(),
    onCorrupted: parts.onCorrupted ?? (() => undefined),
  });
  const frontDeadlines = { ...deadlines, ...parts.deadlines };
  const relay = env.srs && createSrsRelay(env.srs, { forwarded, bodyMs: frontDeadlines.bodyMs, log });
  const engine: Engine =
    relay?.engine ?? parts.createEngine(toEngineConfig(env, hls), { ...gated, onFault: faults.report });
  const ownPorts = new Set<number>();
  const backends = createBackendProxy({ ownPorts: () => ownPorts, forwarded, log });
  const files = createFileSender({ dataDir: env.dataDir, forwarded, stallMs: frontDeadlines.readerStallMs });
  const proxy = await createPlatformProxy({ platform: env.platform, forwarded, files, deadlines: frontDeadlines, log });

  const reload = createHlsReload({
    file: hlsFile,
    defaults: hlsDefaults,
    initial: hls,
    engine,
    also: () => certificate.reload(),
    log,
  });
  const calls = createSrsCalls({ engine, reload, faults: faults.figures, now: Date.now });
  const srsApi = createSrsApi({ calls, identity, onFault: faults.report });
  const nameAddresses = createWebrtcAddresses(env.webrtcAddresses);
  const front = createPublicFront({
    engine,
    proxy,
    files: createConsoleFiles(
      parts.consoleFolder ?? defaultConsoleFolder,
      () => frontSettings.current().initialised,
      files,
    ),
    answerVersions: relay?.forwardCall ?? srsApi,
    forwarded,
    dataDir: env.dataDir,
    home: () => frontSettings.current().home,
    locations: createLocationProxy({
      settings: frontSettings.current,
      backends,
      forwarded,
      isOwnCredential: createOwnCredentials(env.ownSecrets),
    }),
    rtc: createRtcCalls({ engine, forwarded, nameAddresses }),
    log,
  });
  // Whoever drives the media server is on this machine, or named as a proxy, and says for whom it asks.
  const ofCallers = createForwardedResolver([...env.trustedProxies, ...loopback]);
  const controlFront = createControlFront({
    api: srsApi,
    localApi: forLocalCallers(srsApi, env.srsApiListen, env.srsApiHosts),
    rtc: createRtcCalls({ engine, forwarded: ofCallers, nameAddresses }),
    log,
  });
  const isTrustedProxy = createTrustedProxies(env.trustedProxies);
  const http = createHttpServer(front, isTrustedProxy);
  const https = createHttpsServer(front, isTrustedProxy);
  const control = createHttpServer(controlFront, isTrustedProxy);
  const certificate = watchCertificate(https, join(env.dataDir, 'config'), log);

  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await removePorts(env.dataDir);
    certificate.close();
    frontSettings.close();
    const answered = Promise.all([http, https, control].map((server) => stopServer(server, lastAnswersMs)));
    await engine.close();
    await callbacks.close(lastNoticesMs);
    await answered;
    await proxy.close();
    backends.close();
  };

  try {
    await Promise.all([certificate.reload(), frontSettings.reload()]);
    const { rtmpPort, srtPort, rtcPort } = await engine.start().catch((error: unknown) => {
      throw engineFailure(error, env);
    });
    const onError = (error: Error): void => log.error({ err: error }, 'listener failed to accept');
    const ports: BoundPorts = {
      pid: process.pid,
      http: await listen(http, { variable: 'MGMT_LISTEN', address: env.httpListen, onError }),
      https: await listen(https, { variable: 'HTTPS_LISTEN', address: env.httpsListen, onError }),
      rtmp: rtmpPort,
      srt: srtPort ?? null,
      rtc: rtcPort ?? null,
      // The SRS has its own, which the control plane uses.
      srsApi:
        env.srs?.api.port ??
        (await listen(control, { variable: 'SRS_API_LISTEN', address: env.srsApiListen, onError })),
    };
    for (const { port } of ownListeners(ports, env)) ownPorts.add(port);
    await writePorts(env.dataDir, ports);
    return {
      ports,
      reportFault: faults.report,
      load: () => ({ ...proxy.load(), files: files.count() }),
      close: () => {
        closing ??= close();
        return closing;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** TCP listeners of this product, which no proxied path may lead to. */
function ownListeners(ports: BoundPorts, env: GatewayEnv): { port: number }[] {
  const bound = [ports.http, ports.https, ports.rtmp, ports.srsApi].map((port) => ({ port }));
  return 'port' in env.platform ? [...bound, env.platform] : bound;
}

/** A port of the engine that could not be bound, in the words of the variable that sets it. */
function engineFailure(error: unknown, env: GatewayEnv): unknown {
  if (!(error instanceof EngineStartError)) return error;
  const listeners = {
    rtmp: ['RTMP_LISTEN', env.rtmpListen],
    srt: ['SRT_LISTEN', env.srtListen],
    rtc: ['RTC_LISTEN', env.rtcListen],
  } as const;
  const [variable, address] = listeners[error.protocol];
  return listenRefusal(variable, address ?? { port: 0 }, error.cause);
}
