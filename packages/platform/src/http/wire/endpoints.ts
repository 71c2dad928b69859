// Registers every call of the contract: path and aliases, any method, access rule, validation, envelope.
import { type Endpoint, type EndpointName, endpoints } from '@srs-stack/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Call, Handlers } from '../../routes/handlers.ts';
import { callMethod } from './called-method.ts';
import { calledOrigin, clientAddress } from './client-address.ts';
import { deviceCookieOf, setDeviceCookie } from './device-cookie.ts';
import { isOwnPage } from './foreign-pages.ts';
import { clearPageCookie, setPageCookie, takesPageCookie } from './page-cookie.ts';
import { requestShapeOf } from './request-keys.ts';
import { sendSuccess } from './wire-format.ts';

/** HTTP status for refused calls of the media server, except malformed requests. */
const callbackRefusalStatus = 403;

export interface RegisterOptions {
  readonly handlers: Handlers;
  /** Validates every response against the schema; for tests only. */
  readonly checksResponses: boolean;
}

export function registerEndpoints(app: FastifyInstance, { handlers, checksResponses }: RegisterOptions): void {
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const endpoint: Endpoint = endpoints[name];
    const handle = handlers[name] as (request: unknown, call: Call) => unknown;
    const finish = checksResponses ? (data: unknown) => endpoint.response.parse(data) : (data: unknown) => data;
    for (const url of [endpoint.path, ...endpoint.aliases]) {
      app.route({
        method: callMethod,
        url,
        schema: { body: endpoint.request },
        config: configOf(endpoint),
        handler: (request, reply) => respond(request, reply, handle, finish),
      });
    }
  }
}

function configOf(endpoint: Endpoint) {
  const refusal = endpoint.access === 'media-server' ? { refusalStatus: callbackRefusalStatus } : {};
  const takesCookie = takesPageCookie(endpoint.path);
  return {
    access: endpoint.access,
    shape: requestShapeOf(endpoint.request),
    takesPageCookie: takesCookie,
    ...refusal,
  };
}

/** Calls answered from memory stay synchronous: a promise per call would reduce the throughput by 10 %. */
function respond(
  request: FastifyRequest,
  reply: FastifyReply,
  handle: (request: unknown, call: Call) => unknown,
  finish: (data: unknown) => unknown,
): FastifyReply | Promise<FastifyReply> {
  const data = handle(request.body, {
    get actor() {
      return { ip: clientAddress(request), deviceCookie: deviceCookieOf(request) };
    },
    get origin() {
      return calledOrigin(request);
    },
    keepDeviceCookie: (value) => setDeviceCookie(request, reply, value),
    keepPageCookie: (value) => setPageCookie(request, reply, value),
    forgetPageCookie: () => clearPageCookie(request, reply),
    get isOwnPage() {
      return isOwnPage(request);
    },
    query: request.query as Record<string, unknown>,
  });
  if (data instanceof Promise) return data.then((value) => sendSuccess(request, reply, finish(value)));
  return sendSuccess(request, reply, finish(data));
}
