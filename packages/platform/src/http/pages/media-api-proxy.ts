// Forwards `/api/*` of authenticated clients to the HTTP API of the media server. Lists of several media servers are merged.
import type { IncomingMessage } from 'node:http';
import { AppError, because, fileHandoverHeader, verbatim } from '@srs-stack/contract';
import { Agent, request as httpRequest } from '@srs-stack/process/node-http.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clientAddress } from '../wire/client-address.ts';
import { type MergedMediaServers, mergedResponse } from './merged-media-api.ts';

/** Maximum number of connections to the media server for proxied calls. */
const maxSockets = 16;
/** A media server that sends no data for this long counts as unavailable, milliseconds. */
const timeoutMs = 10_000;
/** Headers that are not forwarded: hop-by-hop headers, headers that this process or the gateway (CORS) sets, and internal headers. */
const droppedResponseHeader = new RegExp(
  `^(?:connection|keep-alive|transfer-encoding|server|access-control-.*|${fileHandoverHeader})$`,
);

interface TargetAddress {
  current(): Promise<{ host: string; port: number } | undefined>;
  forget(): void;
}

/** @param servers merged responses of several media servers. */
export function registerMediaApiProxy(app: FastifyInstance, address: TargetAddress, servers: MergedMediaServers): void {
  const agent = new Agent({ keepAlive: true, maxSockets });
  app.addHook('onClose', async () => agent.destroy());
  app.route({
    method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/api/*',
    config: { access: 'credential-in-query' },
    // The API uses only path and query. A body is neither read nor forwarded.
    onRequest: (request, _reply, done) => {
      delete request.raw.headers['content-type'];
      delete request.raw.headers['content-length'];
      delete request.raw.headers['transfer-encoding'];
      done();
    },
    handler: async (request, reply) => {
      const merged = await mergedResponse(servers, request);
      if (merged) return reply.send(merged);
      const target = await address.current();
      if (!target) throw new AppError('mediaServerUnreachable', because('media-server.port-unknown'));
      try {
        return await pass(request, reply, { ...target, agent });
      } catch (error) {
        address.forget();
        throw new AppError('mediaServerUnreachable', verbatim((error as Error).message), { cause: error });
      }
    },
  });
}

async function pass(
  request: FastifyRequest,
  reply: FastifyReply,
  target: { host: string; port: number; agent: Agent },
): Promise<FastifyReply> {
  const response = await ask(request, target);
  reply.code(response.statusCode ?? 502);
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined && !droppedResponseHeader.test(name)) reply.header(name, value);
  }
  return reply.send(response);
}

function ask(request: FastifyRequest, target: { host: string; port: number; agent: Agent }): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const call = httpRequest(
      {
        ...target,
        method: request.method,
        path: withoutToken(request.url),
        timeout: timeoutMs,
        headers: { 'x-forwarded-for': clientAddress(request), accept: request.headers.accept ?? '*/*' },
      },
      resolve,
    );
    call.on('timeout', () => call.destroy(new Error(`the media server did not respond within ${timeoutMs} ms`)));
    call.on('error', reject);
    request.raw.on('close', () => {
      if (request.raw.destroyed && !request.raw.complete) call.destroy();
    });
    call.end();
  });
}

/** Removes the credential, which is for this process only. */
function withoutToken(url: string): string {
  const [path = '', query = ''] = url.split('?', 2);
  const kept = query.split('&').filter((pair) => pair !== '' && !/^token(?:=|$)/.test(pair));
  return kept.length > 0 ? `${path}?${kept.join('&')}` : path;
}
