// Calls take any method and mean the same by each. They are routed by one: the router makes functions for each method of each path, and
// six of each would be an eighth of the start and of no use.
import { type Endpoint, endpoints } from '@srs-stack/contract';
import type { FastifyRequest } from 'fastify';
import { anyMethod } from './wire-format.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** What the client said, when it was not `callMethod`. */
    calledMethod?: string;
  }
}

/** The method that every call is registered for. */
export const callMethod = 'POST';
const callPaths = new Set(Object.values<Endpoint>(endpoints).flatMap(({ path, aliases }) => [path, ...aliases]));

/** For the framework, before it looks for the route. @returns the target as it is. */
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

/** The method as the client said it, for logs. */
export function calledMethod({ method, raw }: FastifyRequest): string {
  return raw.calledMethod ?? method;
}
