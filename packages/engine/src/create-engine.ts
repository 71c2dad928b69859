// Composes the engine of hub, listeners, outputs and statistics.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { totalmem } from 'node:os';
import type { Duplex } from 'node:stream';
import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import type { RewindSettings } from '@srs-stack/playback/rewind/rewind-settings.ts';
import type { ChannelOrder } from '@srs-stack/process/channel-orders.ts';
import { plainAddress } from '@srs-stack/process/ip-address.ts';
import type { SlateOrder } from '@srs-stack/process/slate-orders.ts';
import { createFfmpegAudioBridge } from './bridge/ffmpeg-audio-bridge.ts';
import { writeKeyframeFile } from './egress/flv/keyframe-image.ts';
import { createHlsOutput, type HlsOutput } from './egress/hls/hls-output.ts';
import { createLowLatencyOutput, type LowLatencyOutput } from './egress/low-latency-hls/low-latency-output.ts';
import { RewindOutput } from './egress/rewind/rewind-output.ts';
import { StoryboardImages } from './egress/rewind/storyboard-images.ts';
import {
  type BoundAddresses,
  type Engine,
  EngineStartError,
  type ServerCertificate,
  type StreamsObserver,
} from './engine.ts';
import { monotonicMs } from './engine-clock.ts';
import type { EngineConfig, HlsConfig, RewindConfig } from './engine-config.ts';
import type { ClientSnapshot, SlateTotals, StreamSnapshot, WatchFacts } from './engine-snapshot.ts';
import { faultReporter, type ReportFault } from './faults.ts';
import type { SlateHost } from './hub/slate/slate-keeper.ts';
import { StreamHub } from './hub/stream-hub.ts';
import { RtcListener } from './listeners/rtc-listener.ts';
import { createRtmpListener, type RtmpListener } from './listeners/rtmp-listener.ts';
import { RtspListener } from './listeners/rtsp-listener.ts';
import { createSrtListener, type EngineSrtListener } from './listeners/srt-listener.ts';
import type { DatagramSource, EngineLogger, EnginePorts, StreamOrigins } from './ports.ts';
import type { Refusal, SessionInfo } from './session-info.ts';
import type { ChannelSnapshot } from './sessions/channel/channel-status.ts';
import { Copies } from './sessions/copy/copies.ts';
import { CopySender } from './sessions/copy/copy-sender.ts';
import { PlayGate } from './sessions/gate/play-gate.ts';
import { Refusals } from './sessions/gate/refusals.ts';
import { sparePriorityOf } from './sessions/gate/spare-priority.ts';
import { HlsFront } from './sessions/hls/hls-front.ts';
import { RewindFront } from './sessions/hls/rewind-front.ts';
import { handleHttpPlay } from './sessions/http/http-output.ts';
import { createHttpOutputs, findHttpOutput, type HttpOutputs } from './sessions/http/http-outputs.ts';
import { parseMediaPath } from './sessions/http/media-path.ts';
import type { WithClientAddress } from './sessions/http/play-session.ts';
import { WsFlvServer } from './sessions/http/ws-flv-server.ts';
import type { PullOrder, PullSnapshot } from './sessions/pull/pull-status.ts';
import type { PushOrder, PushSnapshot } from './sessions/push/push-status.ts';
import type { PushTestOrder, PushTestSnapshot } from './sessions/push/target-test/push-test-status.ts';
import { SlateStarts } from './sessions/slate/slate-starts.ts';
import { Slates } from './sessions/slate/slates.ts';
import { sourceOf, Transfers } from './sessions/transfers.ts';
import { watchFactsOf } from './sessions/watch-facts.ts';
import { RestingTicker } from './util/resting-ticker.ts';

/** Interval of `tick` of the hub and of the copies, milliseconds. */
const hubTickMs = 250;
/** Interval for sending due packets of slates, milliseconds: about the duration of a frame. */
const slateTickMs = 40;

/** Creates an engine; `start` binds its ports. */
export function createEngine(config: EngineConfig, ports: EnginePorts): Engine {
  return new MediaEngine(config, ports);
}

/** Memory of the machine or the limit of the container, whichever is lower, bytes. */
function ownMemory(): { memoryBytes: number } {
  return { memoryBytes: Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) };
}

class MediaEngine implements Engine {
  readonly #hub: StreamHub;
  readonly #onFault: ReportFault;
  readonly #refusalList: Refusals;
  readonly #rtmp: RtmpListener;
  readonly #srt: EngineSrtListener | undefined;
  readonly #rtc: RtcListener | undefined;
  readonly #rtsp: RtspListener | undefined;
  readonly #http: HttpOutputs;
  readonly #wsFlv: WsFlvServer;
  readonly #hls: HlsOutput;
  readonly #lowLatencyHls: LowLatencyOutput;
  readonly #rewind: RewindOutput | undefined;
  readonly #hlsFront: HlsFront;
  readonly #copies: Copies | undefined;
  readonly #origins: EnginePorts['origins'];
  readonly #copySender: CopySender;
  readonly #transfers: Transfers;
  readonly #ticker: RestingTicker;
  readonly #slates: Slates;
  readonly #slateStarts: SlateStarts;
  readonly #slateTicker: RestingTicker;

  constructor(config: EngineConfig, hostPorts: EnginePorts) {
    const clock = monotonicMs;
    const { log, origins } = hostPorts;
    const ports = withHeldEnds(hostPorts, (session) => hub.holds(session));
    const onFault = faultReporter(ports);
    const bridge = createFfmpegAudioBridge({ log, clock });
    this.#ticker = new RestingTicker({ everyMs: hubTickMs, tick: () => this.#tick() });
    const onWork = (): void => this.#ticker.wake();
    this.#slates = new Slates(log);
    this.#slateTicker = new RestingTicker({ everyMs: slateTickMs, tick: () => hub.showSlates(clock()) });
    const slates = this.#slateHost(hostPorts);
    const hub = new StreamHub({ config, log, onFault, clock, bridge, onWork, slates });
    this.#onFault = onFault;
    const refusals = new Refusals(log, Date.now);
    const copies = origins && new Copies({ hub, origins, log, onFault, clock, onWork });
    this.#copies = copies;
    this.#origins = origins;
    this.#copySender = new CopySender({ hub, config, clock });
    const publishGate = { hub, ports, refusals, clock };
    const mediaFor = (order: SlateOrder) => this.#slates.mediaFor(order);
    this.#slateStarts = new SlateStarts({ gate: publishGate, log, wallClock: Date.now, mediaFor });
    const shared = { ports, config, bridge, log, onFault };
    this.#transfers = new Transfers({ gate: publishGate, ...shared, copies, copySender: this.#copySender });
    const { pulls } = this.#transfers;
    const source = sourceOf(pulls, copies);
    const gate = new PlayGate({ ...publishGate, copies: source, maxConnections: config.maxConnections });
    this.#refusalList = refusals;
    const { srt, rtc, rtsp, gopCache } = config;
    this.#hub = hub;
    this.#rtmp = createRtmpListener({ hub, ports, gate, refusals, config, clock });
    this.#srt = srt && createSrtListener({ hub, ports, gate, refusals, srt, gopCache, clock });
    this.#rtsp = rtsp && new RtspListener({ hub, ports, gate, refusals, config, rtsp, clock, wallClock: Date.now });
    this.#rtc =
      rtc && new RtcListener({ hub, ports, gate, refusals, rtc, gopCache, clock, wallClock: Date.now, ...ownMemory() });
    this.#http = createHttpOutputs({ hub, gate, config, clock });
    this.#wsFlv = new WsFlvServer(this.#http.flv.viewers);
    const rewind = config.rewind && openRewind(config.rewind, { hub, log, origins });
    this.#rewind = rewind;
    const others = { ...(origins && { origins }), ...(rewind && { keeper: rewind }) };
    this.#hls = createHlsOutput({ hub, ports, config: config.hls, clock, ...others });
    this.#lowLatencyHls = createLowLatencyOutput({ hub, config: config.hls, clock, renditionOf: ports.renditionOf });
    this.#hlsFront = new HlsFront({
      ...{ output: this.#hls, lowLatency: this.#lowLatencyHls, gate, ports, clock, demand: pulls },
      rewind: rewind && this.#toRewindFront(rewind),
    });
  }

  #slateHost(host: EnginePorts): SlateHost {
    return {
      ruleFor: (key) => this.#slates.ruleFor(key),
      onShow: () => this.#slateTicker.wake(),
      onRelease: (session) => host.onUnpublish(session),
    };
  }

  #toRewindFront(output: RewindOutput): RewindFront {
    return new RewindFront({
      output,
      images: new StoryboardImages({ clock: monotonicMs }),
      unsupportedMedia: (key) => this.#hls.find(key)?.unsupportedMedia,
    });
  }

  async start(): Promise<BoundAddresses> {
    const rtmpPort = await bind('rtmp', () => this.#rtmp.listen());
    const rtmpsPort = await bind('rtmps', () => this.#rtmp.listenTls());
    const srt = this.#srt;
    const rtc = this.#rtc;
    const srtPort = srt && (await bind('srt', () => srt.listen()));
    const rtspBound = await this.#startRtsp();
    const rtcPort = rtc && (await bind('rtc', () => rtc.listen()));
    return {
      rtmpPort,
      ...(rtmpsPort !== undefined && { rtmpsPort }),
      ...(srtPort !== undefined && { srtPort }),
      ...rtspBound,
      ...(rtcPort !== undefined && { rtcPort }),
    };
  }

  async #startRtsp(): Promise<Partial<BoundAddresses>> {
    const rtsp = this.#rtsp;
    if (!rtsp) return {};
    const unbound: EngineStartError[] = [];
    // Never rejects: a failure to bind RTSP must not stop the other protocols.
    const tryBind = (protocol: EngineStartError['protocol'], listen: () => Promise<number | undefined>) =>
      bind(protocol, listen).catch((error: EngineStartError) => {
        unbound.push(error);
        return undefined;
      });
    const rtspUdpPort = await tryBind('rtsp-udp', () => rtsp.listenUdp());
    const rtspPort = await tryBind('rtsp', () => rtsp.listen());
    const rtspsPort = await tryBind('rtsps', () => rtsp.listenTls());
    return {
      ...(rtspPort !== undefined && { rtspPort }),
      ...(rtspsPort !== undefined && { rtspsPort }),
      ...(rtspUdpPort !== undefined && { rtspUdpPort }),
      ...(unbound.length > 0 && { unbound }),
    };
  }

  async warmUp(): Promise<void> {
    await this.#rtc?.warmUp();
  }

  async close(): Promise<void> {
    this.#ticker.close();
    this.#slateTicker.close();
    this.#copies?.close();
    this.#transfers.close();
    this.#hub.close();
    this.#copySender.close();
    this.#wsFlv.close();
    this.#srt?.close();
    this.#rtc?.close();
    this.#hlsFront.close();
    this.#lowLatencyHls.close();
    await Promise.all([this.#rtmp.close(), this.#rtsp?.close(), this.#hls.close()]);
    await this.#rewind?.close();
  }

  #tick(): boolean {
    this.#hub.tick(monotonicMs());
    this.#copies?.tick(monotonicMs());
    return !this.#hub.isIdle || this.#copies?.isIdle === false;
  }

  handleRequest(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.url?.startsWith('/rtc/')) return this.#handleSignalling(request, response);
    const path = parseMediaPath(request.url ?? '');
    const output = path && findHttpOutput(this.#http, path.extension);
    // A path ending in `.ts` may name a segment or a stream. HLS recognises its segments by name.
    if (output?.clientType !== 'flv-play' && this.#hlsFront.handleRequest(request, response)) return true;
    if (!path || !output) return false;
    handleHttpPlay(output, path, request, response, this.#onFault);
    return true;
  }

  #handleSignalling(request: IncomingMessage & WithClientAddress, response: ServerResponse): boolean {
    const ip = request.clientAddress ?? request.socket.remoteAddress ?? '';
    return this.#rtc?.handleRequest(request, response, plainAddress(ip)) ?? false;
  }

  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    const path = parseMediaPath(request.url ?? '');
    if (path?.extension !== 'flv') return false;
    this.#wsFlv.handle(path, request, socket, head).catch((error: unknown) => {
      this.#onFault(
        error,
        { protocol: 'ws-flv', app: path.app, stream: path.stream },
        'player failed and was disconnected',
      );
      socket.destroy();
    });
    return true;
  }

  streams(): StreamSnapshot[] {
    return this.#hub.streams(monotonicMs()).map((stream) => {
      const hls = this.#hls.find(stream)?.metrics;
      return hls ? { ...stream, hls } : stream;
    });
  }

  isPublished(key: StreamKey): boolean {
    return this.#hub.isPublished(key) || this.#origins?.publishedSince(key) !== undefined;
  }

  clients(): ClientSnapshot[] {
    return this.#hub.clients(monotonicMs());
  }

  watchFacts(key: StreamKey): WatchFacts {
    const hasWebrtc = this.#rtc !== undefined;
    const outputs = { hls: this.#hls, lowLatencyHls: this.#lowLatencyHls, rewind: this.#rewind };
    const source = { hub: this.#hub, ...outputs, hasWebrtc, demand: this.#transfers.pulls };
    return watchFactsOf(source, key, monotonicMs());
  }

  keyframe(streamId: string): Buffer | undefined {
    const keyframe = this.#hub.findById(streamId)?.keyframe;
    return keyframe && writeKeyframeFile(keyframe);
  }

  findCorruption(): string | undefined {
    return this.#hub.findCorruption();
  }

  kick(clientId: string): boolean {
    return this.#hub.kick(clientId);
  }

  sendCopy(key: StreamKey, open: () => Duplex | undefined): boolean {
    return this.#copySender.send(key, open);
  }

  configurePushes(orders: readonly PushOrder[]): void {
    this.#transfers.pushes.configure(orders);
  }

  async configureSlates(orders: readonly SlateOrder[]): Promise<void> {
    await this.#slates.configure(orders);
    await this.#slateStarts.configure(orders);
  }

  configurePulls(orders: readonly PullOrder[]): void {
    this.#transfers.pulls.configure(orders);
  }

  configureChannels(orders: readonly ChannelOrder[]): void {
    this.#transfers.channels.configure(orders);
  }

  channels(): ChannelSnapshot[] {
    return this.#transfers.channels.snapshots();
  }

  pulls(): PullSnapshot[] {
    return this.#transfers.pulls.snapshots();
  }

  startPushTest(order: PushTestOrder): boolean {
    return this.#transfers.pushTests.start(order);
  }

  pushTest(id: string): PushTestSnapshot | undefined {
    return this.#transfers.pushTests.snapshot(id);
  }

  pushes(): PushSnapshot[] {
    return this.#transfers.pushes.snapshots();
  }

  async yieldStream(key: StreamKey): Promise<boolean> {
    await this.#hub.whenPublishable(key, monotonicMs());
    return this.#hub.yieldStream(key, monotonicMs());
  }

  async isSending(key: StreamKey): Promise<boolean> {
    await this.#hub.whenPublishable(key, monotonicMs());
    return this.#hub.isSending(key, monotonicMs());
  }

  requestKeyframe(key: StreamKey): void {
    this.#hub.requestKeyframe(key);
  }

  refusals(): Refusal[] {
    return this.#refusalList.all();
  }

  async reconfigure({ hls }: { hls?: HlsConfig }): Promise<void> {
    if (!hls) return;
    this.#lowLatencyHls.reconfigure(hls);
    await this.#hls.reconfigure(hls);
  }

  setCertificate(certificate: ServerCertificate): void {
    this.#rtmp.setCertificate(certificate);
    this.#rtsp?.setCertificate(certificate);
  }

  configureRewind(settings: RewindSettings): void {
    this.#rewind?.configure(settings);
  }

  takeDatagram(datagram: Buffer, remote: DatagramSource): void {
    this.#srt?.handleDatagram(datagram, remote);
  }

  countHlsBytes(key: StreamKey, context: string, bytes: number): void {
    this.#hlsFront.countSent(key, context, bytes);
  }

  observeStreams(observer: StreamsObserver): () => void {
    const off = [
      this.#hub.onStreamStart((stream) => observer.onStart(stream)),
      this.#hub.onStreamEnd((stream) => observer.onEnd(stream)),
    ];
    return () => {
      for (const stop of off) stop();
    };
  }

  totals(): { receivedBytes: number; sentBytes: number; connections: number } {
    return this.#hub.totals();
  }

  slateTotals(): SlateTotals {
    return this.#hub.slateTotals();
  }
}

/**
 * Reports the end of a publisher to the host, unless the stream continues without it. Spare encoders are skipped. The hub reports the end
 * of sessions that the host authorized as publisher later, through `onRelease`.
 */
function withHeldEnds(host: EnginePorts, isHeld: (session: SessionInfo) => boolean): EnginePorts {
  const onUnpublish = (session: SessionInfo): void => {
    if (sparePriorityOf(session) === undefined && !isHeld(session)) host.onUnpublish(session);
  };
  return { ...host, onUnpublish };
}

function openRewind(
  config: RewindConfig,
  { hub, log, origins }: { hub: StreamHub; log: EngineLogger; origins: StreamOrigins | undefined },
): RewindOutput {
  return new RewindOutput({ config, log, isPublished: (key) => hub.isPublished(key), ...(origins && { origins }) });
}

async function bind<T>(protocol: EngineStartError['protocol'], listen: () => Promise<T>): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    throw error instanceof EngineStartError ? error : new EngineStartError(protocol, error);
  }
}
