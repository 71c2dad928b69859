// Request ids and, at level debug, one line per call. The error mapping logs failures at any level.
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { calledMethod } from './called-method.ts';

/** Ids of the form `xxxxxx-n`: unique across restarts, short enough to read aloud. */
export function createRequestIds(): () => string {
  const start = randomBytes(3).toString('hex');
  let count = 0;
  return () => `${start}-${(++count).toString(36)}`;
}

/** Registers the hook only at level debug, because it slows down every call. */
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
