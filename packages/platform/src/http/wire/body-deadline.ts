// Timeout for the body of a call, so that slow senders cannot hold connections. Uploads have a separate timeout.
import type { FastifyInstance } from 'fastify';

/** Maximum time from the headers to the last byte of the body, milliseconds. */
const bodyDeadlineMs = 30_000;

export function installBodyDeadline(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request;
    const hasBody = raw.headers['transfer-encoding'] !== undefined || (raw.headers['content-length'] ?? '0') !== '0';
    if (hasBody && !request.routeOptions.config.isUpload) {
      const timer = setTimeout(() => raw.destroy(), bodyDeadlineMs);
      raw.once('end', () => clearTimeout(timer));
      raw.once('close', () => clearTimeout(timer));
    }
    done();
  });
}
