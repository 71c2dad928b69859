// Builds the HTTP application from the modules. Does not listen, so tests can use `inject()`.
import { cloudLinkPrefixes, maxJsonBodyBytes, recordLinkPrefix } from '@srs-stack/contract';
import type { NotReadyReason } from '@srs-stack/contract/values/readiness.ts';
import { type FastifyInstance, type FastifyServerOptions, fastify, LogController } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import { installAccess } from './http/wire/access.ts';
import { installBodyDeadline } from './http/wire/body-deadline.ts';
import { routeAnyMethod } from './http/wire/called-method.ts';
import { installErrorMapping, malformedRequestResponse } from './http/wire/error-mapping.ts';
import { installForeignPageRule } from './http/wire/foreign-pages.ts';
import { createRequestIds, installRequestLog } from './http/wire/request-log.ts';
import { installWireFormat } from './http/wire/wire-format.ts';
import './http/wire/route-config.ts';
import { registerChannelGuides } from './http/pages/channel-guides.ts';
import { registerEventStream } from './http/pages/event-stream.ts';
import { registerHealthPages } from './http/pages/health-pages.ts';
import { registerMediaApiProxy } from './http/pages/media-api-proxy.ts';
import type { MergedMediaServers } from './http/pages/merged-media-api.ts';
import { registerMetricsPage } from './http/pages/metrics-page.ts';
import { registerNodePages } from './http/pages/node-pages.ts';
import { registerOpenApi } from './http/pages/openapi.ts';
import { asksForQuickCalls, registerQuickCalls } from './http/pages/quick-calls.ts';
import { registerRecordLinks } from './http/pages/record-links.ts';
import { registerUploads } from './http/pages/uploads.ts';
import { registerEndpoints } from './http/wire/endpoints.ts';
import type { Modules } from './modules.ts';
import { quickResponses } from './routes/quick-responses.ts';
import { createHandlers } from './routes/routes.ts';

/** Longest path parameter, characters. */
const maxParamLength = 512;

/** Replaces Fastify's default compilers, which take 5 % of the startup time. zod checks bodies, and `sendSuccess` writes responses. */
const compilersFactory = {
  buildValidator: () => validatorCompiler,
  buildSerializer: () => () => JSON.stringify,
  // Fastify's types accept only the default compilers.
} as unknown as NonNullable<FastifyServerOptions['schemaController']>['compilersFactory'];

export interface AppOptions {
  readonly modules: Modules;
  readonly log: Logger;
  readonly version: string;
  /** Absolute path. */
  readonly dataDir: string;
  readonly callbackSecret: string;
  readonly metricsToken: string;
  readonly trustsLoopbackCallbacks: boolean;
  readonly mediaServerAddress: {
    current(): Promise<{ host: string; port: number } | undefined>;
    forget(): void;
  };
  readonly mediaServers: MergedMediaServers;
  /** The reason why the server is not ready; undefined while ready. */
  readonly notReady: () => NotReadyReason | undefined;
  readonly checksResponses?: boolean;
}

export function createApp(options: AppOptions): FastifyInstance {
  const { modules, log, version, dataDir, mediaServerAddress, mediaServers, notReady } = options;
  const { checksResponses = false } = options;
  const { callbackSecret, metricsToken, trustsLoopbackCallbacks } = options;
  // Quick calls (`quick-calls.ts`) bypass the request log. At level debug, quick calls are off, so that every call is logged.
  const takesQuickCalls = !log.isLevelEnabled('debug');
  const app = fastify({
    loggerInstance: log,
    // A child logger per request would slow down every call.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestIds(),
    http: { shouldUpgradeCallback: (request) => takesQuickCalls && asksForQuickCalls(request) },
    bodyLimit: maxJsonBodyBytes,
    schemaController: { compilersFactory: compilersFactory ?? {} },
    // Fastify's timeout would also limit uploads. All other bodies have a timeout in `body-deadline.ts`.
    requestTimeout: 0,
    rewriteUrl: routeAnyMethod,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength },
    clientErrorHandler: (_error, socket) => {
      if (socket.writable) socket.end(malformedRequestResponse());
      else socket.destroy();
    },
  }) as unknown as FastifyInstance;
  installBodyDeadline(app);
  installForeignPageRule(app, () => modules.access.login.isInitialised());
  installWireFormat(app, version);
  installAccess(app, { sessions: modules.access.sessions, callbackSecret, metricsToken, trustsLoopbackCallbacks });
  installErrorMapping(app, log);
  installRequestLog(app, log);
  registerEndpoints(app, { handlers: createHandlers(modules), checksResponses });
  const { library, folders } = modules.files;
  registerUploads(app, { library, partialFolder: folders.partial, sessions: modules.access.sessions });
  const { records, cloud } = modules.recording;
  const { monitor, streams, watching } = modules;
  const admit = (viewer: Parameters<typeof watching.admitRecording>[0]) => watching.admitRecording(viewer);
  registerRecordLinks(app, { prefix: recordLinkPrefix, records, admit, dataDir });
  registerChannelGuides(app, { channels: modules.tasks.channels, admit });
  registerNodePages(app, { records: records.own, vlives: modules.tasks.vlives, dataDir });
  registerRecordLinks(app, { prefix: cloudLinkPrefixes.dvr, records: cloud.dvr, admit, dataDir });
  registerRecordLinks(app, { prefix: cloudLinkPrefixes.vod, records: cloud.vod, admit, dataDir });
  if (takesQuickCalls) {
    registerQuickCalls(app, { responses: quickResponses(modules), sessions: modules.access.sessions, callbackSecret });
  }
  registerEventStream(app, { monitor, sessions: modules.access.sessions });
  registerMetricsPage(app, { monitor, counters: streams.counters, watching, version });
  registerHealthPages(app, notReady);
  registerOpenApi(app, version);
  registerMediaApiProxy(app, mediaServerAddress, mediaServers);
  return app;
}
