// Composition root of the data plane: starts and stops engine, public front, control API and callbacks in order.
import { join } from 'node:path';
import type { BoundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import type { Engine, EngineConfig, EnginePorts, HlsConfig, ReportFault } from '@srs-stack/engine';
import { watchSettingsFile } from '@srs-stack/playback/access/watch-settings.ts';
import { watchImagesFolder } from '@srs-stack/playback/watch-page-looks.ts';
import { createHandleShortage } from '@srs-stack/process/handle-shortage.ts';
import type { Logger } from '@srs-stack/process/logger.ts';
import { createCallbackClient } from './callbacks/callback-client.ts';
import { createPlatformCallbacks } from './callbacks/platform-callbacks.ts';
import { withComponentGate } from './component-gate.ts';
import { createControlFront } from './control/control-front.ts';
import { forLocalCallers } from './control/local-callers.ts';
import { openLoopMetrics } from './control/loop-metrics.ts';
import { createSrsApi } from './control/srs-api.ts';
import { createSrsCalls } from './control/srs-calls.ts';
import { TargetTests } from './control/target-tests.ts';
import { removePorts, writePorts } from './data-folder.ts';
import { toEngineConfig } from './engine-settings.ts';
import type { GatewayEnv } from './env.ts';
import { createFaults } from './faults.ts';
import { createBackendProxy } from './front/backends/backend-proxy.ts';
import { createLocationProxy } from './front/backends/location-proxy.ts';
import { createOwnCredentials } from './front/backends/own-credentials.ts';
import { createConsoleFiles, defaultConsoleFolder } from './front/files/console-files.ts';
import { createFileSender } from './front/files/file-sender.ts';
import { createForwardedResolver, createTrustedProxies, type ForwardedResolver } from './front/http/forwarded.ts';
import type { Deadlines } from './front/limits/front-limits.ts';
import { createNodeCalls } from './front/platform/node-calls.ts';
import { createPlatformProxy, type PlatformProxy } from './front/platform/platform-proxy.ts';
import { createReadinessCall } from './front/platform/readiness-call.ts';
import { createPublicFront } from './front/public-front.ts';
import { type SecureServer, watchCertificate } from './front/server/certificate-watch.ts';
import { createHttpServer, createHttpsServer, listen, stopServer } from './front/server/public-server.ts';
import { LiveFacts } from './front/watch/live-facts.ts';
import { createReportCall } from './front/watch/report-call.ts';
import { rewindOffer } from './front/watch/rewind-offer.ts';
import { StreamInfos } from './front/watch/stream-infos.ts';
import { WatchPages } from './front/watch/watch-pages.ts';
import { createRtcCalls } from './front/webrtc/rtc-calls.ts';
import { createWebrtcAddresses } from './front/webrtc/webrtc-addresses.ts';
import { createHlsReload } from './hls-reload.ts';
import { engineFailure, ownListeners, unboundProblem } from './listener-names.ts';
import { MultivariantPlaylists } from './multivariant.ts';
import { mayContact } from './push-watch.ts';
import { readSetup, type Setup } from './setup.ts';
import { NodeGateways } from './siblings/node-gateways.ts';
import { createSrsRelay } from './srs-relay.ts';
import { type SentReport, ViewerReports } from './viewers/viewer-reports.ts';
import { closeSettings, startSettings, watchSettings } from './watched-settings.ts';
import { WatchGate } from './watching.ts';

/** At a stop, the time limit for delivering queued notices to the control plane, milliseconds. */
const lastNoticesMs = 1_000;
/** At a stop, the time limit for open responses, milliseconds. With `lastNoticesMs`, less than the five seconds that `close` may take. */
const lastAnswersMs = 2_000;

const loopback = ['127.0.0.0/8', '::1'];

export interface GatewayParts {
  readonly env: GatewayEnv;
  readonly log: Logger;
  readonly createEngine: (config: EngineConfig, ports: EnginePorts) => Engine;
  /** Folder of the built console; by default, in this checkout. */
  readonly consoleFolder?: string;
  /** Called when a bug has corrupted the stream table. This function must end the process. */
  readonly onCorrupted?: () => void;
  readonly deadlines?: Partial<Deadlines>;
}

export interface Gateway {
  readonly ports: BoundPorts;
  /** Logs and counts an uncaught error. Streams continue. */
  readonly reportFault: ReportFault;
  /** Number of resources that clients of the public front use; all zero without open requests. */
  load(): ReturnType<PlatformProxy['load']> & { readonly files: number };
  /** Runs code paths that are slow at first use. Call after the start. Never rejects. */
  warmUp(): Promise<void>;
  /** Stops everything within five seconds. Idempotent. */
  close(): Promise<void>;
}

/** Binds every listener and writes the ports file below `run/`. @throws StartRefusal with an error message for the operator. */
export async function startGateway(parts: GatewayParts): Promise<Gateway> {
  const setup = await readSetup(parts);
  const media = openMedia(parts, setup);
  const servers = await openServers(parts, setup, media);
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= stop(setup, media, servers);
    return closing;
  };
  try {
    const ports = await bind(setup, media, servers, parts.log);
    const load = () => ({ ...servers.proxy.load(), files: servers.files.count() });
    return { ports, reportFault: media.faults.report, load, warmUp: () => media.engine.warmUp(), close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Media = ReturnType<typeof openMedia>;

/** The engine or, with an external SRS, the relay to SRS. Includes callbacks and fault handling. */
function openMedia(
  parts: GatewayParts,
  { env, identity, hls, hlsFile, hlsDefaults, forwarded, deadlines, ownNode }: Setup,
) {
  const { log } = parts;
  const client = createCallbackClient(env.platform, env.callbackSecret);
  const slowClient = createCallbackClient(env.platform, env.callbackSecret);
  const callbacks = createPlatformCallbacks({ client, slowClient, identity, log });
  const settings = watchSettings(env, () => engine, log);
  const watching = new WatchGate({
    file: join(env.dataDir, 'config', watchSettingsFile),
    query: (session) => callbacks.queryPlay(session),
    notify: (session) => callbacks.countPlay(session),
    log,
  });
  const viewerReports = new ViewerReports();
  const guarded = withComponentGate(watching.guard(callbacks), settings.off);
  const gated = viewerReports.observe(guarded);
  const faults = createFaults({
    log,
    clock: () => performance.now(),
    findCorruption: () => engine.findCorruption(),
    onCorrupted: parts.onCorrupted ?? (() => undefined),
  });
  const hlsOfRelay = { file: hlsFile, defaults: hlsDefaults };
  const relay = env.srs && createSrsRelay(env.srs, { forwarded, bodyMs: deadlines.bodyMs, hls: hlsOfRelay, log });
  const hasOthers = (env.gateways.count > 1 || ownNode) && !relay;
  const others = hasOthers ? new NodeGateways({ ...env, cluster: ownNode, reports: viewerReports, log }) : undefined;
  const ports = {
    ...gated,
    onFault: faults.report,
    mayContact,
    isSourceNetwork: env.isSourceNetwork,
    ...others?.ports,
  };
  const engine: Engine = relay?.engine ?? parts.createEngine(toEngineConfig(env, hls), ports);
  return { ...settings, callbacks, watching, viewerReports, faults, relay, engine, others };
}

type Servers = Awaited<ReturnType<typeof openServers>>;

function testsOf({ log }: GatewayParts, { env }: Setup, { engine }: Media): { readonly targetTests: TargetTests } {
  return { targetTests: new TargetTests({ dataDir: env.dataDir, engine, log }) };
}

/** The public front on HTTP and HTTPS, and the API of the media server. Does not bind ports yet. */
async function openServers(parts: GatewayParts, setup: Setup, media: Media) {
  const { log, consoleFolder = defaultConsoleFolder } = parts;
  const { env, forwarded, deadlines } = setup;
  const { engine, relay, faults, frontSettings, others } = media;
  const ownPorts = new Set<number>();
  const backends = createBackendProxy({ ownPorts: () => ownPorts, forwarded, log });
  const files = createFileSender({ dataDir: env.dataDir, forwarded, stallMs: deadlines.readerStallMs, log });
  const proxy = await createPlatformProxy({ ...env, forwarded, files, deadlines, log });
  const reload = createHlsReload({
    ...{ file: setup.hlsFile, defaults: setup.hlsDefaults, initial: setup.hls, engine, log },
    also: () => certificate.reload(),
  });
  const metrics = { faults: () => faults.metrics(), loop: openLoopMetrics(), viewers: media.viewerReports };
  const calls = createSrsCalls({ engine, reload, ...metrics, ...testsOf(parts, setup, media), now: Date.now });
  const srsApi = createSrsApi({ calls, identity: setup.identity, onFault: faults.report });
  const nameAddresses = createWebrtcAddresses(env.webrtcAddresses);
  const consoleFiles = createConsoleFiles(consoleFolder, () => frontSettings.current().initialised, files);
  const multivariant = openMultivariant(media, () => reload.current());
  const isReportingOn = () => takesReports(media);
  const front = createPublicFront({
    ...{ engine, proxy, forwarded, dataDir: env.dataDir, log, files: consoleFiles },
    multivariant: (request, response, ip) => multivariant.handle(request, response, ip),
    watchPages: new WatchPages({
      ...{ folder: consoleFolder, pictures: join(env.dataDir, watchImagesFolder), sender: files, isReportingOn },
      ...{ forwarded, files: consoleFiles, infos: openInfos(forwarded, media, multivariant) },
    }),
    reports: createReportCall({ ...reportParts(media), isOn: isReportingOn, forwarded }),
    answerVersions: relay?.forwardCall ?? srsApi,
    home: () => frontSettings.current().home,
    locations: createLocationProxy({
      ...{ settings: () => frontSettings.current(), backends, forwarded },
      isOwnCredential: createOwnCredentials(env.ownSecrets),
    }),
    rtc: createRtcCalls({ engine, forwarded, nameAddresses, others }),
    readiness: createReadinessCall(env.platform),
  });
  // The control plane may run on this machine. The API of the media server therefore also trusts client addresses that loopback forwards.
  const ofCallers = createForwardedResolver([...env.trustedProxies, ...loopback]);
  const controlFront = createControlFront({
    api: srsApi,
    localApi: forLocalCallers(srsApi, env.srsApiListen, env.srsApiHosts),
    rtc: createRtcCalls({ engine, forwarded: ofCallers, nameAddresses, others }),
    log,
  });
  const isTrustedProxy = createTrustedProxies(env.trustedProxies);
  const http = createHttpServer(front, isTrustedProxy);
  const https = createHttpsServer(front, isTrustedProxy);
  const control = createHttpServer(controlFront, isTrustedProxy);
  const certificate = watchCertificate(withRtmps(https, engine), join(env.dataDir, 'config'), log);
  return { ownPorts, backends, files, proxy, http, https, control, certificate, reload, srsApi, loop: metrics.loop };
}

/** Passes the HTTPS certificate to RTMPS and RTSPS as well. */
function withRtmps(https: SecureServer, engine: Engine): SecureServer {
  return {
    setSecureContext(certificate) {
      https.setSecureContext(certificate);
      engine.setCertificate(certificate);
    },
  };
}

function reportParts({ viewerReports, others }: Media) {
  return { reports: viewerReports, handOver: (sent: SentReport) => others?.handOver(sent) ?? false };
}

/** Whether players send playback reports. Disabled with an external SRS, because the gateway does not know the viewers of SRS. */
function takesReports({ relay, watching }: Media): boolean {
  return !relay && watching.isReportingOn;
}

function openMultivariant({ engine, watching, callbacks }: Media, hls: () => HlsConfig): MultivariantPlaylists {
  return new MultivariantPlaylists({
    engine,
    review: (request) => watching.review(request),
    query: (key, isPeek) => callbacks.queryVariants(key, isPeek),
    hasContexts: () => hls().sessionContexts,
    hasLowLatency: () => hls().enabled && hls().lowLatency,
  });
}

function openInfos(
  forwarded: ForwardedResolver,
  { engine, relay, rewind, off, pageLooks, watching, others }: Media,
  multivariant: MultivariantPlaylists,
): StreamInfos {
  return new StreamInfos({
    forwarded,
    mayWatch: (request) => watching.mayWatch(request),
    looks: () => pageLooks.current(),
    live: new LiveFacts({
      engine: relay ? undefined : engine,
      others: others?.audience,
      off,
    }),
    more: [
      async (stream) => ({ master: await multivariant.pathOf(stream) }),
      (stream) => (relay ? undefined : rewindOffer(rewind.current(), stream)),
    ],
  });
}

/** Starts the engine and every listener. On an error, the caller must close what is already bound. */
async function bind({ env }: Setup, media: Media, servers: Servers, log: Logger): Promise<BoundPorts> {
  const { http, https, control, certificate, ownPorts } = servers;
  const { engine, watching } = media;
  await Promise.all([
    ...[certificate.reload(), startSettings(media), watching.start(engine)],
    // Waits for the stream lists of the other gateways. Without these lists, viewers would get "no such stream", and a publisher could take
    // a used name.
    media.others?.ports.origins.whenKnown(),
  ]);
  const bound = await engine.start().catch((error: unknown) => {
    throw engineFailure(error, env);
  });
  for (const error of bound.unbound ?? [])
    log.error({ problem: unboundProblem(error, env) }, 'RTSP is not available: its port cannot be opened');
  const { rtmpPort, rtmpsPort, rtspPort, rtspsPort, rtspUdpPort, srtPort, rtcPort } = bound;
  const nodeCalls = createNodeCalls({ proxy: servers.proxy, secret: env.callbackSecret });
  await media.others?.serve(engine, { api: servers.srsApi, nodeCalls });
  const shortage = createHandleShortage(log);
  const onError = (error: Error): void => {
    if (!shortage.report(error)) log.error({ err: error }, 'client connection could not be accepted');
  };
  const ports: BoundPorts = {
    pid: process.pid,
    http: await listen(http, { variable: 'MGMT_LISTEN', address: env.httpListen, onError }),
    https: await listen(https, { variable: 'HTTPS_LISTEN', address: env.httpsListen, onError }),
    rtmp: rtmpPort,
    ...(rtmpsPort !== undefined && { rtmps: rtmpsPort }),
    ...(rtspPort !== undefined && { rtsp: rtspPort }),
    ...(rtspsPort !== undefined && { rtsps: rtspsPort }),
    ...(rtspUdpPort !== undefined && { rtspUdp: rtspUdpPort }),
    srt: srtPort ?? null,
    rtc: rtcPort ?? null,
    // With an external SRS, the control plane calls the API of SRS directly.
    srsApi:
      env.srs?.servers[0]?.api.port ??
      (await listen(control, { variable: 'SRS_API_LISTEN', address: env.srsApiListen, onError })),
  };
  for (const { port } of ownListeners(ports, env)) ownPorts.add(port);
  await writePorts(env, ports);
  // Applies settings that changed during the start.
  servers.reload.catchUp();
  return ports;
}

async function stop({ env }: Setup, media: Media, servers: Servers): Promise<void> {
  const { watching, engine, callbacks, others } = media;
  const { http, https, control, certificate, proxy, backends, loop } = servers;
  await removePorts(env);
  loop.close();
  certificate.close();
  closeSettings(media);
  watching.close();
  const answered = Promise.all([http, https, control].map((server) => stopServer(server, lastAnswersMs)));
  await engine.close();
  others?.close();
  await callbacks.close(lastNoticesMs);
  await answered;
  await proxy.close();
  backends.close();
}
