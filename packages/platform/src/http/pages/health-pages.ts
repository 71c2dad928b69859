// `/healthz` and `/readyz` of the control plane. Both are served from memory and need no credential, because they contain no secrets.
import { healthPath, readyPath } from '@srs-stack/contract/constants.ts';
import { type NotReadyReason, readinessOf } from '@srs-stack/contract/values/readiness.ts';
import type { FastifyInstance } from 'fastify';

/** @param notReady reason why the server is not ready; undefined while ready. */
export function registerHealthPages(app: FastifyInstance, notReady: () => NotReadyReason | undefined): void {
  const page = (url: string, respond: () => { status: number; body: object }) =>
    app.route({
      method: ['GET', 'HEAD'],
      url,
      config: { access: 'none' },
      handler: (_request, reply) => {
        const { status, body } = respond();
        return reply.code(status).header('cache-control', 'no-store').send(body);
      },
    });
  page(healthPath, () => ({ status: 200, body: { status: 'ok' } }));
  page(readyPath, () => {
    const reason = notReady();
    return { status: reason === undefined ? 200 : 503, body: readinessOf(reason) };
  });
}
