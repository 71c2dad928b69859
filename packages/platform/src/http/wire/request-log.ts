// Request ids, and one log line per call at level debug. Failures are logged elsewhere, at any level.
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { calledMethod } from './called-method.ts';

/** Ids `xxxxxx-n` are unique across restarts and short enough to read aloud. */
export function createRequestIds(): () => string {
  const start = randomBytes(3).toString('hex');
  let count = 0;
  return () => `${start}-${(++count).toString(36)}`;
}

/** Adds the hook only at level debug, because the hook slows down every call. */
export function installRequestLog(app: FastifyInstance, log: Logger): void {
  if (!log.isLevelEnabled('debug')) return;
  app.addHook('onResponse', (request, reply, done) => {
    const { id, url } = request;
    const path = url.split('?', 1)[0];
    log.debug(
      { requestId: id, method: calledMethod(request), path, status: reply.statusCode, ms: reply.elapsedTime },
      'API call completed',
    );
    done();
  });
}
