// Serves the OpenAPI document at a fixed path. The generator is loaded at the first request, to save memory on an idle server.
import { openApiPath } from '@srs-stack/contract';
import type { FastifyInstance } from 'fastify';

export function registerOpenApi(app: FastifyInstance, version: string): void {
  let document: Promise<string> | undefined;
  app.route({
    method: ['GET', 'HEAD', 'POST'],
    url: openApiPath,
    config: { access: 'none' },
    handler: async (_request, reply) => {
      document ??= import('./openapi-document.ts').then(({ openApiDocument }) => openApiDocument(version));
      const json = await document.catch((error) => {
        document = undefined;
        throw error;
      });
      return reply.header('content-type', 'application/json; charset=utf-8').send(json);
    },
  });
}
