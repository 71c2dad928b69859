// Request ids and, at level debug, one line per answered call. Failures are logged by the error mapping at any level.
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { calledMethod } from './called-method.ts';

/** `xxxxxx-n`: unique over restarts, short enough to read out. */
export function createRequestIds(): () => string {
  const start = randomBytes(3).toString('hex');
  let count = 0;
  return () => `${start}-${(++count).toString(36)}`;
}

/** Without the level the hook is not there at all: it would cost every call. */
export function installRequestLog(app: FastifyInstance, log: Logger): void {
  if (!log.isLevelEnabled('debug')) return;
  app.addHook('onResponse', (request, reply, done) => {
    const { id, url } = request;
    const path = url.split('?', 1)[0];
    log.debug(
      { requestId: id, method: calledMethod(request), path, status: reply.statusCode, ms: reply.elapsedTime },
      'call answered',
    );
    done();
  });
}
