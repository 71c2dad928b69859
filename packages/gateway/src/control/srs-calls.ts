// The calls of the SRS-compatible HTTP API: path, methods, response. Documented in docs/reference/protocols/media-server-api.md.
import { defaultVhost, type Engine } from '@srs-stack/engine';
import type { FaultMetrics } from '../faults.ts';
import type { HlsReload } from '../hls-reload.ts';
import { serverHeader } from '../product-version.ts';
import type { ViewerReports } from '../viewers/viewer-reports.ts';
import type { LoopMetrics } from './loop-metrics.ts';
import { type Page, pageOf } from './page.ts';
import {
  toChannelObject,
  toClientObject,
  toPullObject,
  toPushObject,
  toRefusalObject,
  toStreamObject,
  toVhostObjects,
} from './srs-objects.ts';
import { toMemoryInfo, toOwnProcess, toResourceUsage, toSummaries, toSystemProcess } from './summaries.ts';
import { createSystemSampler } from './system-sampler.ts';
import type { TargetTests } from './target-tests.ts';

/** Version of the interface, not of the product. Existing clients require `major` 5. */
const srsVersion = { major: 5, minor: 0, revision: 213, version: '5.0.213' } as const;

/** Numeric result codes of SRS. */
const srsCode = {
  success: 0,
  rawInvalid: 1060,
  rawDisabled: 1061,
  streamNotFound: 2048,
  clientNotFound: 2049,
} as const;

interface CallInput {
  readonly method: string;
  /** Last part of a path such as `streams/{id}`; empty for the list. */
  readonly id: string;
  readonly query: URLSearchParams;
}

/** Keys of the response besides `server`, `service` and `pid`. `code` is 0 by default. */
export type CallResult = { readonly code?: number } & Readonly<Record<string, unknown>>;

export interface SrsCall {
  readonly methods: readonly string[];
  answer(input: CallInput): CallResult;
}

export interface SrsCallsParts {
  readonly engine: Pick<
    Engine,
    | 'streams'
    | 'channels'
    | 'clients'
    | 'keyframe'
    | 'kick'
    | 'pulls'
    | 'pushes'
    | 'refusals'
    | 'slateTotals'
    | 'totals'
  >;
  readonly reload: HlsReload;
  readonly faults: () => FaultMetrics;
  readonly loop: Pick<LoopMetrics, 'current'>;
  readonly targetTests: Pick<TargetTests, 'start' | 'find'>;
  readonly viewers: Pick<ViewerReports, 'metrics'>;
  readonly now: () => number;
}

/** Calls by path. A path that ends with a slash may be followed by an id; requests without this slash are redirected. */
export function createSrsCalls(parts: SrsCallsParts): ReadonlyMap<string, SrsCall> {
  const { engine, reload, faults, loop, viewers, targetTests, now } = parts;
  const sample = createSystemSampler();
  const startedAtMs = now();
  const get = (answer: SrsCall['answer']): SrsCall => ({ methods: ['GET'], answer });
  const data = (make: () => unknown): SrsCall => get(() => ({ data: make() }));

  const calls = new Map<string, SrsCall>([
    ['/api/v1/versions', data(() => ({ ...srsVersion, product: serverHeader }))],
    [
      '/api/v1/summaries',
      data(() =>
        toSummaries({
          version: srsVersion.version,
          startedAtMs,
          sample: sample(),
          totals: engine.totals(),
          slates: engine.slateTotals(),
          faults: faults(),
          loop: loop.current(),
        }),
      ),
    ],
    ['/api/v1/streams/', get((input) => answerStreams(engine.streams(), input, now()))],
    ['/api/v1/clients/', { methods: ['GET', 'DELETE'], answer: (input) => answerClients(engine, input) }],
    [
      '/api/v1/vhosts/',
      get((input) => answerVhosts(toVhostObjects(engine.streams(), reload.current(), defaultVhost), input)),
    ],
    ['/api/v1/keyframes/', get(({ id }) => answerKeyframe(engine.keyframe(id)))],
    ['/api/v1/refusals/', get(() => ({ refusals: engine.refusals().map(toRefusalObject) }))],
    ['/api/v1/pushes/', get(() => ({ pushes: engine.pushes().map(toPushObject) }))],
    ['/api/v1/pushtests/', { methods: ['GET', 'POST'], answer: (input) => answerTargetTest(targetTests, input) }],
    ['/api/v1/pulls/', get(() => ({ pulls: engine.pulls().map(toPullObject) }))],
    ['/api/v1/channels/', get(() => ({ channels: engine.channels().map(toChannelObject) }))],
    ['/api/v1/viewers/', get(() => viewers.metrics())],
    ['/api/v1/raw', get(({ query }) => answerRaw(reload, query.get('rpc') ?? ''))],
    ['/api/v1/clusters', get(({ query }) => ({ data: { query: Object.fromEntries(query), origin: null } }))],
    ['/api/v1/rusages', data(toResourceUsage)],
    ['/api/v1/self_proc_stats', data(() => toOwnProcess(sample()))],
    ['/api/v1/system_proc_stats', data(() => toSystemProcess(sample()))],
    ['/api/v1/meminfos', data(() => toMemoryInfo(sample()))],
    ['/api/v1/authors', data(() => ({ license: 'MIT', contributors: serverHeader }))],
    ['/api/v1/features', data(() => features)],
  ]);
  calls.set(
    '/api/v1/',
    get(() => ({ urls: Object.fromEntries([...calls.keys()].map((path) => [path, ''])) })),
  );
  return calls;
}

const features = { options: '', options2: '', build: '', build2: '', product: serverHeader };

function answerStreams(streams: ReturnType<Engine['streams']>, { id, query }: CallInput, nowMs: number): CallResult {
  if (id === '') return { streams: inPage(streams, pageOf(query)).map((stream) => toStreamObject(stream, nowMs)) };
  const stream = streams.find((each) => each.id === id);
  return stream ? { stream: toStreamObject(stream, nowMs) } : { code: srsCode.streamNotFound };
}

function answerClients(engine: SrsCallsParts['engine'], { method, id, query }: CallInput): CallResult {
  if (method === 'DELETE') return engine.kick(id) ? {} : { code: srsCode.clientNotFound };
  if (id === '') return { clients: inPage(engine.clients(), pageOf(query)).map(toClientObject) };
  const client = engine.clients().find((each) => each.session.clientId === id);
  return client ? { client: toClientObject(client) } : { code: srsCode.clientNotFound };
}

/** POST starts the test with this id; GET returns the state of the test. */
function answerTargetTest(tests: SrsCallsParts['targetTests'], { method, id }: CallInput): CallResult {
  if (method === 'POST') {
    tests.start(id);
    return {};
  }
  const test = tests.find(id);
  return test ? { test } : { code: srsCode.streamNotFound };
}

function answerKeyframe(flv: Buffer | undefined): CallResult {
  return flv ? { keyframe: { flv: flv.toString('base64') } } : { code: srsCode.streamNotFound };
}

function answerVhosts(vhosts: ReturnType<typeof toVhostObjects>, { id }: CallInput): CallResult {
  if (id === '') return { vhosts };
  const vhost = vhosts.find((each) => each.id === id);
  return vhost ? { vhost } : { code: srsCode.streamNotFound };
}

/** `raw` shows settings. `reload` and `reload-fetch` apply changed settings. All other raw calls of SRS are disabled. */
function answerRaw(reload: HlsReload, rpc: string): CallResult {
  if (rpc === 'raw') {
    return { http_api: { enabled: true, crossdomain: false, raw_api: { enabled: true, allow_reload: true } } };
  }
  if (rpc === 'reload') {
    reload.start();
    return {};
  }
  if (rpc === 'reload-fetch') return { data: reload.lastResult() };
  return { code: rpc === '' ? srsCode.rawInvalid : srsCode.rawDisabled };
}

function inPage<T>(items: readonly T[], { start, count }: Page): T[] {
  return items.slice(start, start + count);
}
