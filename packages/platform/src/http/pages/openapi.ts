// The OpenAPI document at a fixed path; generated with the first request, so that an idle server does not load the generator.
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
