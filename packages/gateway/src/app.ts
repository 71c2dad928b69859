// Composition root of the data plane: engine, public front, control API and callbacks, started and stopped in order.
import { join } from 'node:path';
import type { WatchRewind } from '@srs-stack/contract/values/watch-info.ts';
import type { BoundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import {
  type Engine,
  type EngineConfig,
  type EnginePorts,
  EngineStartError,
  type HlsConfig,
  type ReportFault,
} from '@srs-stack/engine';
import { createClusterTls } from '@srs-stack/process/cluster/cluster-tls.ts';
import { createHandleShortage } from '@srs-stack/process/handle-shortage.ts';
import type { Logger } from '@srs-stack/process/logger.ts';
import { loadNodeId } from '@srs-stack/process/node-id.ts';
import { rewindSettingsFile } from '@srs-stack/process/rewind/rewind-settings.ts';
import { listenRefusal } from '@srs-stack/process/start-refusal.ts';
import { watchPageFile, watchPicturesFolder } from '@srs-stack/process/watch-page-looks.ts';
import { watchSettingsFile } from '@srs-stack/process/watch-rights/watch-settings.ts';
import type { ServerIdentity } from './callbacks/callback-body.ts';
import { createCallbackClient } from './callbacks/callback-client.ts';
import { createPlatformCallbacks } from './callbacks/platform-callbacks.ts';
import { SwitchedOffSessions, withComponentGate } from './component-gate.ts';
import { createControlFront } from './control/control-front.ts';
import { forLocalCallers } from './control/local-callers.ts';
import { openLoopFigures } from './control/loop-figures.ts';
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
import { createForwardedResolver, createTrustedProxies, type ForwardedResolver } from './front/http/forwarded.ts';
import { type Deadlines, deadlines as defaultDeadlines } from './front/limits/front-limits.ts';
import { createNodeCalls } from './front/platform/node-calls.ts';
import { createPlatformProxy, type PlatformProxy } from './front/platform/platform-proxy.ts';
import { createReadinessCall } from './front/platform/readiness-call.ts';
import { createPublicFront } from './front/public-front.ts';
import { type SecureServer, watchCertificate } from './front/server/certificate-watch.ts';
import { createHttpServer, createHttpsServer, listen, stopServer } from './front/server/public-server.ts';
import { LiveFacts } from './front/watch/live-facts.ts';
import { parsePageLooks } from './front/watch/page-looks.ts';
import { createReportCall } from './front/watch/report-call.ts';
import { StreamInfos } from './front/watch/stream-infos.ts';
import { WatchPages } from './front/watch/watch-pages.ts';
import { createRtcCalls } from './front/webrtc/rtc-calls.ts';
import { createWebrtcAddresses } from './front/webrtc/webrtc-addresses.ts';
import { watchFrontSettings } from './front-settings.ts';
import { createHlsReload, initialHlsConfig } from './hls-reload.ts';
import { MultivariantPlaylists } from './multivariant.ts';
import { RewindWatch } from './rewind-watch.ts';
import { SettingsFileWatch } from './settings-file-watch.ts';
import { NodeGateways, type OwnNode } from './siblings/node-gateways.ts';
import { defaultHlsConfig } from './srs-config/hls-config.ts';
import { createSrsRelay } from './srs-relay.ts';
import { type SentReport, ViewerReports } from './viewers/viewer-reports.ts';
import { WatchGate } from './watching.ts';

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
  /** Makes ready what is slow when it runs for the first time; once it serves. Never rejects. */
  rehearse(): Promise<void>;
  /** Stops everything within five seconds; idempotent. */
  close(): Promise<void>;
}

/** Binds every listener and writes its ports file below `run/`. @throws StartRefusal with one sentence for the operator. */
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
    return { ports, reportFault: media.faults.report, load, rehearse: () => media.engine.rehearse(), close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Setup {
  readonly env: GatewayEnv;
  readonly identity: ServerIdentity;
  readonly hlsFile: string;
  readonly hlsDefaults: HlsConfig;
  readonly hls: HlsConfig;
  readonly forwarded: ForwardedResolver;
  readonly deadlines: Deadlines;
  readonly ownNode: OwnNode | undefined;
}

async function readSetup({ env, log, deadlines }: GatewayParts): Promise<Setup> {
  const forwarded = createForwardedResolver(env.trustedProxies);
  await prepareFolders(env.dataDir, env.hlsPath);
  const identity = { serverId: await loadServerId(env.dataDir), serviceId: randomName(8) };
  const hlsFile = join(env.dataDir, 'config', 'srs.vhost.conf');
  const hlsDefaults = defaultHlsConfig(env.hlsPath);
  const hls = await initialHlsConfig(hlsFile, hlsDefaults, log);
  const all = { ...defaultDeadlines, ...deadlines };
  return { env, identity, hlsFile, hlsDefaults, hls, forwarded, deadlines: all, ownNode: await readOwnNode(env) };
}

async function readOwnNode({ cluster, dataDir }: GatewayEnv): Promise<OwnNode | undefined> {
  if (!cluster) return undefined;
  const { secret, name: clusterName, listen } = cluster;
  const nodeId = await loadNodeId(dataDir);
  return { tls: await createClusterTls({ secret, clusterName, nodeId }), listen };
}

/** What the control plane has written, looked at all the time; protocols that are switched off by it end. */
function watchSettings(env: GatewayEnv, engine: () => Engine, log: Logger) {
  const frontSettings = watchFrontSettings({
    file: join(env.dataDir, 'config', 'front.json'),
    onChange: () => switchedOff.end(),
    log,
  });
  const off = () => frontSettings.current().off;
  const switchedOff = new SwitchedOffSessions({ engine, off, log });
  const pageLooks = new SettingsFileWatch({
    file: join(env.dataDir, 'config', watchPageFile),
    initial: [],
    parse: parsePageLooks,
    log,
  });
  return { frontSettings, switchedOff, off, pageLooks };
}

type Media = ReturnType<typeof openMedia>;

/** The engine, or the relay to an SRS in its place, with whom it asks and who watches over it. */
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
    ask: (session) => callbacks.askAboutPlay(session),
    tell: (session) => callbacks.tellOfPlay(session),
    log,
  });
  const viewerReports = new ViewerReports();
  const guarded = withComponentGate(watching.guard(callbacks), settings.off);
  const gated = viewerReports.observe(guarded);
  const rewind = new RewindWatch({ file: join(env.dataDir, 'config', rewindSettingsFile), log });
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
  const ports = { ...gated, onFault: faults.report, ...others?.ports };
  const engine: Engine = relay?.engine ?? parts.createEngine(toEngineConfig(env, hls), ports);
  return { ...settings, callbacks, watching, rewind, viewerReports, faults, relay, engine, others };
}

type Servers = Awaited<ReturnType<typeof openServers>>;

/** The public front on HTTP and HTTPS, and the API of the media server. Nothing is bound yet. */
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
  const figures = { faults: () => faults.figures(), loop: openLoopFigures(), viewers: media.viewerReports };
  const calls = createSrsCalls({ engine, reload, ...figures, now: Date.now });
  const srsApi = createSrsApi({ calls, identity: setup.identity, onFault: faults.report });
  const nameAddresses = createWebrtcAddresses(env.webrtcAddresses);
  const consoleFiles = createConsoleFiles(consoleFolder, () => frontSettings.current().initialised, files);
  const multivariant = openMultivariant(media, () => reload.current());
  const wantsReports = () => takesReports(media);
  const front = createPublicFront({
    ...{ engine, proxy, forwarded, dataDir: env.dataDir, log, files: consoleFiles },
    multivariant: (request, response, ip) => multivariant.handle(request, response, ip),
    watchPages: new WatchPages({
      ...{ folder: consoleFolder, pictures: join(env.dataDir, watchPicturesFolder), sender: files, wantsReports },
      ...{ forwarded, files: consoleFiles, infos: openInfos(forwarded, media, multivariant) },
    }),
    reports: createReportCall({ ...reportParts(media), isOn: wantsReports, forwarded }),
    answerVersions: relay?.forwardCall ?? srsApi,
    home: () => frontSettings.current().home,
    locations: createLocationProxy({
      ...{ settings: () => frontSettings.current(), backends, forwarded },
      isOwnCredential: createOwnCredentials(env.ownSecrets),
    }),
    rtc: createRtcCalls({ engine, forwarded, nameAddresses, others }),
    readiness: createReadinessCall(env.platform),
  });
  // Whoever drives the media server is on this machine, or named as a proxy, and says for whom it asks.
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
  return { ownPorts, backends, files, proxy, http, https, control, certificate, reload, srsApi, loop: figures.loop };
}

/** HTTPS and RTMP over TLS have the same certificate. */
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

/** Of an SRS in the engine's place nobody here knows the viewers. */
function takesReports({ relay, watching }: Media): boolean {
  return !relay && watching.wantsReports;
}

/** The playlists of renditions. */
function openMultivariant({ engine, watching, callbacks }: Media, hls: () => HlsConfig): MultivariantPlaylists {
  return new MultivariantPlaylists({
    engine,
    review: (asked) => watching.review(asked),
    ask: (key, isPeek) => callbacks.askVariants(key, isPeek),
    hasContexts: () => hls().sessionContexts,
    hasLowLatency: () => hls().enabled && hls().lowLatency,
  });
}

/** What pages of viewers are told of their streams. */
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
      (stream) => offerOfRewind(relay ? undefined : rewind.offer(stream)),
    ],
  });
}

/** Starts the engine and every listener; from here on what was bound must be closed. */
async function bind({ env }: Setup, media: Media, servers: Servers, log: Logger): Promise<BoundPorts> {
  const { http, https, control, certificate, ownPorts } = servers;
  const { engine, frontSettings, pageLooks, watching, rewind } = media;
  await Promise.all([
    ...[certificate.reload(), frontSettings.reload(), pageLooks.reload()],
    ...[watching.start(engine), rewind.start(engine)],
    // Who comes before would be told that there is no such stream, and be let publish what is published there.
    media.others?.ports.origins.whenKnown(),
  ]);
  const { rtmpPort, rtmpsPort, srtPort, rtcPort } = await engine.start().catch((error: unknown) => {
    throw engineFailure(error, env);
  });
  const nodeCalls = createNodeCalls({ proxy: servers.proxy, secret: env.callbackSecret });
  await media.others?.serve(engine, { api: servers.srsApi, nodeCalls });
  const shortage = createHandleShortage(log);
  const onError = (error: Error): void => {
    if (!shortage.report(error)) log.error({ err: error }, 'listener failed to accept');
  };
  const ports: BoundPorts = {
    pid: process.pid,
    http: await listen(http, { variable: 'MGMT_LISTEN', address: env.httpListen, onError }),
    https: await listen(https, { variable: 'HTTPS_LISTEN', address: env.httpsListen, onError }),
    rtmp: rtmpPort,
    ...(rtmpsPort !== undefined && { rtmps: rtmpsPort }),
    srt: srtPort ?? null,
    rtc: rtcPort ?? null,
    // An SRS has its own, which the control plane uses.
    srsApi:
      env.srs?.servers[0]?.api.port ??
      (await listen(control, { variable: 'SRS_API_LISTEN', address: env.srsApiListen, onError })),
  };
  for (const { port } of ownListeners(ports, env)) ownPorts.add(port);
  await writePorts(env, ports);
  // Until now nobody could be told here that settings changed.
  servers.reload.catchUp();
  return ports;
}

async function stop(
  { env }: Setup,
  { frontSettings, switchedOff, pageLooks, watching, rewind, engine, callbacks, others }: Media,
  servers: Servers,
): Promise<void> {
  const { http, https, control, certificate, proxy, backends, loop } = servers;
  await removePorts(env);
  loop.close();
  certificate.close();
  frontSettings.close();
  switchedOff.close();
  pageLooks.close();
  watching.close();
  rewind.close();
  const answered = Promise.all([http, https, control].map((server) => stopServer(server, lastAnswersMs)));
  await engine.close();
  others?.close();
  await callbacks.close(lastNoticesMs);
  await answered;
  await proxy.close();
  backends.close();
}

function offerOfRewind(rewind: WatchRewind | undefined): { rewind: WatchRewind } | undefined {
  return rewind && { rewind };
}

/** TCP listeners of this product, which no proxied path may lead to. */
function ownListeners(ports: BoundPorts, env: GatewayEnv): { port: number }[] {
  const bound = [ports.http, ports.https, ports.rtmp, ports.rtmps, ports.srsApi];
  return [
    ...bound.filter((port) => port !== undefined).map((port) => ({ port })),
    ...('port' in env.platform ? [env.platform] : []),
    ...[env.cluster?.listen, env.rtcTcpListen].filter((address) => address !== undefined),
  ];
}

/** A port of the engine that could not be bound, in the words of the variable that sets it. */
function engineFailure(error: unknown, env: GatewayEnv): unknown {
  if (!(error instanceof EngineStartError)) return error;
  const listeners = {
    rtmp: ['RTMP_LISTEN', env.rtmpListen],
    rtmps: ['RTMPS_LISTEN', env.rtmpsListen],
    srt: ['SRT_LISTEN', env.srtListen],
    rtc: ['RTC_LISTEN', env.rtcListen],
    'rtc-tcp': ['RTC_TCP_LISTEN', env.rtcTcpListen],
  } as const;
  const [variable, address] = listeners[error.protocol];
  return listenRefusal(variable, address ?? { port: 0 }, error.cause);
}
