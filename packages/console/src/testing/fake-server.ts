// Fake server that answers calls of the contract with typed handlers and records the requests.
import {
  type DemoStream,
  type Endpoint,
  type EndpointName,
  type ErrorName,
  endpoints,
  errorCatalogue,
  eventStreamPath,
  type MonitorSnapshot,
  type RequestOf,
  type ResponseOf,
} from '@srs-stack/contract';
import { vi } from 'vitest';
import { idleWorker } from './worker-fixture.ts';

type Handlers = {
  [Name in EndpointName]?: (
    request: RequestOf<(typeof endpoints)[Name]>,
  ) => Answer<ResponseOf<(typeof endpoints)[Name]>>;
};
type Answer<Data> = Data | Refusal | Promise<Data | Refusal>;

/** An error that a handler returns instead of data. */
export class Refusal {
  readonly errorName: ErrorName;
  constructor(errorName: ErrorName) {
    this.errorName = errorName;
  }
}

export interface FakeServer {
  /** Received calls, oldest first. */
  calls: { name: EndpointName; method: string; body: Record<string, unknown> }[];
  respondWith(handlers: Handlers): void;
  callsOf(name: EndpointName): FakeServer['calls'];
  /** Handles the event stream. Refuses by default, so that the console polls metrics. */
  eventStream(init: RequestInit): Response | Promise<Response>;
}

export const testSession = {
  token: 'test-token',
  createAt: '2026-01-01T00:00:00+08:00',
  expireAt: '2027-01-01T00:00:00+08:00',
  bearer: 'test.session.bearer',
};

/** A demo stream that is starting. */
export function demoStreamFixture(changes: Partial<DemoStream> = {}): DemoStream {
  return {
    enabled: true,
    app: 'live',
    stream: 'demo',
    stopsAt: '',
    ...idleWorker,
    ...changes,
  };
}

export const quietSnapshot: MonitorSnapshot = {
  atMs: Date.parse('2026-01-02T03:04:05Z'),
  nextInMs: 2_000,
  engine: 'up',
  engineFaults: 0,
  streams: 0,
  viewers: 0,
  viewersByProtocol: {},
  receivedBps: 0,
  sentBps: 0,
  cpu: { machine: 0.12, cores: 2, gatewayCores: 0.1, platformCores: 0.02 },
  memory: { totalBytes: 8e9, usedBytes: 2e9, gatewayBytes: 9e7, platformBytes: 1e8 },
  disk: { totalBytes: 1e11, freeBytes: 6e10, secondsLeft: null },
  certificate: null,
  workers: [],
  workersRunning: 0,
  workersFailing: 0,
  alarms: [],
};

const defaultHandlers: Handlers = {
  queryVersion: () => ({ version: '1.2.3' }),
  init: ({ password }) => (password ? testSession : { init: true, setupTokenRequired: false }),
  login: ({ password }) => (password === 'right' ? testSession : new Refusal('passwordWrong')),
  renewToken: () => testSession,
  check: () => ({ upgrading: false }),
  envs: () => ({
    mgmtDocker: true,
    platformDocker: false,
    candidate: false,
    rtmpPort: '1935',
    httpPort: '',
    srtPort: '10080',
    rtcPort: '8000',
    forwardLimit: 10,
    vLiveLimit: 10,
    cameraLimit: 10,
  }),
  status: () => ({
    version: 'v1.2.3',
    releases: { version: 'v1.2.3', stable: 'v1.2.0', latest: 'v1.3.0' },
    upgrading: false,
    strategy: 'manual',
  }),
  queryMonitor: () => ({ snapshot: quietSnapshot, events: [] }),
  queryUpgrade: () => ({
    channel: 'stable',
    auto: false,
    revision: 'u1',
    installation: { kind: 'package', version: '1.2.3', commit: '', folder: '/srv', remote: '' },
    found: null,
    isLooking: false,
    progress: null,
    result: null,
    liveStreams: [],
  }),
  queryBeian: () => ({}),
  updateBeian: () => null,
  queryPublishSecret: () => ({ publish: 'old-secret', pubNoAuth: false, revision: 'r1' }),
  queryStreamKeys: () => ({ keys: [] }),
  queryPublishSecretUses: () => ({ follows: [], others: [] }),
  updatePublishSecret: () => null,
  disablePublishSecret: () => null,
  queryStreams: () => ({ streams: [] }),
  queryLive: () => ({ mediaServer: true, streams: [], refusals: [] }),
  queryRewindWindows: () => [],
  queryRewind: () => ({ minutes: 0, maxBytes: 10 * 1024 ** 3, patterns: [], usedBytes: 0, windows: 0, revision: '1' }),
  queryLowLatencyHls: () => ({ hlsLowLatency: false, revision: '1' }),
  queryStreamRecording: () => ({ wanted: false, chosen: null, since: '' }),
  queryFirstSteps: () => ({
    password: true,
    publish: false,
    play: false,
    https: false,
    record: false,
    forward: false,
  }),
  queryDemoStream: () => demoStreamFixture({ enabled: false }),
  bilibili: ({ bvid }) => ({ title: `Video ${bvid}`, desc: '', stat: { view: 0, like: 0, share: 0 } }),
};

/** Replaces `fetch` until the test ends (`vi.unstubAllGlobals` in the setup file). */
export function startFakeServer(handlers: Handlers = {}): FakeServer {
  const current: Handlers = { ...defaultHandlers, ...handlers };
  const server: FakeServer = {
    calls: [],
    respondWith: (next) => Object.assign(current, next),
    callsOf: (name) => server.calls.filter((call) => call.name === name),
    eventStream: () => toResponse(new Refusal('tooManyEventStreams')),
  };
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    init.signal?.throwIfAborted();
    if (url === eventStreamPath) return server.eventStream(init);
    const name = endpointNameOf(url);
    const body = JSON.parse((init.body as string | undefined) ?? '{}') as Record<string, unknown>;
    server.calls.push({ name, method: init.method ?? 'GET', body });
    const handler = current[name] as ((request: unknown) => unknown) | undefined;
    return toResponse(await (handler ? handler(body) : new Refusal('notFound')));
  });
  return server;
}

function endpointNameOf(url: string): EndpointName {
  const entry = Object.entries(endpoints as Record<string, Endpoint>).find(([, endpoint]) => endpoint.path === url);
  if (!entry) throw new Error(`no call of the contract has the path ${url}`);
  return entry[0] as EndpointName;
}

function toResponse(result: unknown): Response {
  if (!(result instanceof Refusal)) return Response.json({ code: 0, server: 1, data: result });
  const { code, httpStatus, message } = errorCatalogue[result.errorName];
  const data = { message, name: result.errorName, requestId: 'req-1' };
  return Response.json({ code, server: 1, data }, { status: httpStatus });
}
