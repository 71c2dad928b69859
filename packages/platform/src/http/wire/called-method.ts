// Calls accept any HTTP method and are routed as `callMethod`. Registering six methods per path would take an eighth of the startup time.
import { type Endpoint, endpoints } from '@srs-stack/contract';
import type { FastifyRequest } from 'fastify';
import { anyMethod } from './wire-format.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** The client's method if it differs from `callMethod`. */
    calledMethod?: string;
  }
}

export const callMethod = 'POST';
const callPaths = new Set(Object.values<Endpoint>(endpoints).flatMap(({ path, aliases }) => [path, ...aliases]));

/**
 * Changes the method of a call to `callMethod` before the framework routes the request.
 * @returns the request target, unchanged.
 */
export function routeAnyMethod(request: FastifyRequest['raw']): string {
  const { method = '', url = '' } = request;
  if (method === callMethod || !anyMethod.includes(method)) return url;
  const query = url.indexOf('?');
  if (callPaths.has(query < 0 ? url : url.slice(0, query))) {
    request.calledMethod = method;
    request.method = callMethod;
  }
  return url;
}

/** The client's method, for logs. */
export function calledMethod({ method, raw }: FastifyRequest): string {
  return raw.calledMethod ?? method;
}
