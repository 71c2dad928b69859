// A minimal engine that records calls. Tests set its state.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type {
  ChannelSnapshot,
  ClientSnapshot,
  Engine,
  EngineConfig,
  EnginePorts,
  HlsConfig,
  PullOrder,
  PullSnapshot,
  PushOrder,
  PushSnapshot,
  PushTestOrder,
  PushTestSnapshot,
  SessionInfo,
  StreamSnapshot,
  WatchFacts,
} from '@srs-stack/engine';

export class FakeEngine implements Engine {
  config: EngineConfig | undefined;
  ports!: EnginePorts;
  shownStreams: StreamSnapshot[] = [];
  shownClients: ClientSnapshot[] = [];
  readonly kicked: string[] = [];
  readonly reconfigured: HlsConfig[] = [];
  readonly mediaRequests: (IncomingMessage & { clientAddress?: string })[] = [];
  failStart: Error | undefined;
  whileStarting: () => Promise<void> = async () => undefined;
  closed = 0;

  readonly create = (config: EngineConfig, ports: EnginePorts): Engine => {
    this.config = config;
    this.ports = ports;
    return this;
  };

  async start(): Promise<{ rtmpPort: number }> {
    if (this.failStart) throw this.failStart;
    await this.whileStarting();
    return { rtmpPort: 1935 };
  }

  readonly pushOrders: (readonly PushOrder[])[] = [];
  shownPushes: PushSnapshot[] = [];

  configurePushes(orders: readonly PushOrder[]): void {
    this.pushOrders.push(orders);
  }

  readonly pullOrders: (readonly PullOrder[])[] = [];
  shownPulls: PullSnapshot[] = [];

  configurePulls(orders: readonly PullOrder[]): void {
    this.pullOrders.push(orders);
  }

  pulls(): PullSnapshot[] {
    return this.shownPulls;
  }

  configureChannels(): void {}

  channels(): ChannelSnapshot[] {
    return [];
  }

  async configureSlates(): Promise<void> {}

  readonly pushTestOrders: PushTestOrder[] = [];

  startPushTest(order: PushTestOrder): boolean {
    this.pushTestOrders.push(order);
    return true;
  }

  pushTest(id: string): PushTestSnapshot | undefined {
    const isKnown = this.pushTestOrders.some((order) => order.id === id);
    return isKnown ? { id, isDone: false, steps: [], failure: undefined, fourCcs: undefined } : undefined;
  }

  pushes(): PushSnapshot[] {
    return this.shownPushes;
  }

  async warmUp(): Promise<void> {}

  async close(): Promise<void> {
    this.closed += 1;
  }

  /** URLs of requests, oldest first. */
  readonly requests: string[] = [];

  handleRequest(request: IncomingMessage, response: ServerResponse): boolean {
    this.requests.push(request.url ?? '');
    this.mediaRequests.push(request);
    if (!request.url?.includes('known')) return false;
    response.setHeader('Content-Type', 'video/x-flv');
    response.end('FLV');
    return true;
  }

  handleUpgrade(): boolean {
    return false;
  }

  streams(): StreamSnapshot[] {
    return this.shownStreams;
  }

  watchFacts(): WatchFacts {
    return { isHere: false, viewers: 0, outputs: { whep: true, flv: true, lowLatencyHls: false, hls: true } };
  }

  isPublished(): boolean {
    return false;
  }

  clients(): ClientSnapshot[] {
    return this.shownClients;
  }

  keyframe(streamId: string): Buffer | undefined {
    return this.shownStreams.some(({ id }) => id === streamId) ? Buffer.from('FLV') : undefined;
  }

  findCorruption(): string | undefined {
    return undefined;
  }

  kick(clientId: string): boolean {
    this.kicked.push(clientId);
    return this.shownClients.some(({ session }) => session.clientId === clientId);
  }

  sendCopy(): boolean {
    return false;
  }

  async isSending(): Promise<boolean> {
    return false;
  }

  async yieldStream(): Promise<boolean> {
    return true;
  }

  requestKeyframe(): void {
    // No publishers here.
  }

  countHlsBytes(..._viewed: Parameters<Engine['countHlsBytes']>): void {
    // No viewers here.
  }

  setCertificate(): void {
    // This engine does not encrypt.
  }

  configureRewind(): void {
    // Nothing is stored.
  }

  takeDatagram(): void {
    // No SRT callers here.
  }

  observeStreams(_observer: Parameters<Engine['observeStreams']>[0]): () => void {
    return () => undefined;
  }

  refusals(): ReturnType<Engine['refusals']> {
    return [
      {
        atMs: Date.UTC(2026, 0, 2, 3, 4, 5),
        protocol: 'rtmp',
        action: 'publish',
        ip: '192.0.2.7',
        app: 'live',
        stream: 'a',
        reason: 'publish-secret-wrong',
        detail: 'the publish secret is missing or wrong',
      },
    ];
  }

  async reconfigure(change: { hls?: HlsConfig }): Promise<void> {
    if (change.hls) this.reconfigured.push(change.hls);
  }

  totals(): ReturnType<Engine['totals']> {
    return { receivedBytes: 10, sentBytes: 20, connections: 3 };
  }

  slateTotals(): ReturnType<Engine['slateTotals']> {
    return { shown: 0, shownMs: 0 };
  }
}

export function publisherOf(stream: string, param = ''): SessionInfo {
  return {
    vhost: '__defaultVhost__',
    app: 'live',
    stream,
    clientId: 'abcd1234',
    type: 'fmle-publish',
    ip: '192.0.2.7',
    param,
    tcUrl: 'rtmp://example.com/live',
    pageUrl: '',
  };
}

export function streamOf(stream: string, more: Partial<StreamSnapshot> = {}): StreamSnapshot {
  return {
    vhost: '__defaultVhost__',
    app: 'live',
    stream,
    id: `vid-${stream.padStart(7, '0')}`,
    tcUrl: 'rtmp://example.com/live',
    publisher: publisherOf(stream),
    publishedForMs: 61_000,
    hasMedia: true,
    video: {
      kind: 'video',
      codec: 'h264',
      config: Buffer.alloc(0),
      width: 1280,
      height: 720,
      profile: 'High',
      level: '3.1',
    },
    audio: { kind: 'audio', codec: 'aac', config: Buffer.alloc(0), sampleRate: 44_100, channels: 2, profile: 'LC' },
    clients: 2,
    frames: 1500,
    receivedBytes: 1000,
    sentBytes: 2000,
    kbps: { received30s: 812.4, sent30s: 1624.6 },
    fps: 25,
    keyframeIntervalMs: 2000,
    bitrateHistoryKbps: [800, 820],
    timestampRepairs: 1,
    viewersByProtocol: { flv: 1 },
    slowViewers: 0,
    health: steadyHealth,
    ...more,
  };
}

const steadyHealth: StreamSnapshot['health'] = {
  silentMs: 0,
  videoSilentMs: 0,
  audioSilentMs: 0,
  longestGapMs: 40,
  arrivalSpreadMs: 20,
  audioOffsetMs: 0,
  keyframeAgeMs: 500,
  hasKeyframe: true,
  hasBFrames: false,
  videoKbps: 760,
  audioKbps: 50,
  declaredFps: 25,
  recentRepairs: 0,
  recentLostPackets: 0,
  recentMissingPackets: 0,
  recentDroppedVideo: 0,
  recentDroppedAudio: 0,
  recentDroppedOther: 0,
};

export function clientOf(session: SessionInfo): ClientSnapshot {
  return {
    session,
    streamId: 'vid-0000001',
    publish: session.type.endsWith('publish'),
    aliveMs: 1500,
    receivedBytes: 1,
    sentBytes: 2,
    kbps: { received30s: 3, sent30s: 4 },
    droppedFrames: 5,
    queuedBytes: 6,
  };
}
