// Pages of other sites, and those of this server. Two calls take the admin password: a page may send a form or plain text without asking
// (a simple request of the Fetch standard, §3.2.2), so that a visitor's browser could set the password of a new server in
// the visitor's network. Calls without an `Origin` are no pages: scripts and this console's own GETs.
import { AppError, because } from '@srs-stack/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { calledOrigin } from './client-address.ts';

/** Before the wire format calls every body JSON. */
export function installForeignPageRule(app: FastifyInstance, isInitialised: () => boolean): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config.access === 'password' && hasBody(request) && isForeign(request)) {
      if (!isInitialised()) throw new AppError('foreignPageRefused', because('origin.before-setup'));
      if (!isJson(request)) throw new AppError('foreignPageRefused', because('origin.not-json'));
    }
    done();
  });
}

function isForeign(request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  return origin !== undefined && site !== 'same-origin' && !isCalledOrigin(request, origin);
}

/**
 * Whether the browser says that a page of this server calls. One that says nothing of it is not taken for one; where
 * `Sec-Fetch-Site` is there it decides, and `none` is no page but what somebody typed.
 */
export function isOwnPage(request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined) return site === 'same-origin';
  return origin !== undefined && isCalledOrigin(request, origin);
}

/**
 * The scheme is left out: behind a proxy that ends TLS the server is called by `http`. What the browser says of itself counts
 * before this, because no page can forge it (Fetch Metadata §2.3): a proxy may have changed the `Host`.
 */
function isCalledOrigin(request: FastifyRequest, origin: string): boolean {
  const page = URL.parse(origin);
  const called = page && URL.parse(`${page.protocol}//${calledOrigin(request).replace(/^.*:\/\//, '')}`);
  return Boolean(page && called) && page?.host !== '' && page?.host === called?.host;
}

function isJson(request: FastifyRequest): boolean {
  return /^application\/json *(?:;|$)/i.test(request.headers['content-type'] ?? '');
}

function hasBody({ raw: { headers } }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}
