// Restricts setup and login for pages of other sites. Before setup, refuses every call with a body. After setup, refuses bodies that are
// not JSON, because a page can send a form without a preflight (a simple request, Fetch standard §3.2.2). Otherwise, a visitor's browser
// could set the password of a new server in the visitor's network. Requests without `Origin` come from scripts or are GETs of the console.
import { AppError, because } from '@srs-stack/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { calledOrigin } from './client-address.ts';

/** Install before the wire format, which replaces the content type that this rule checks. */
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
 * Whether the browser reports that a page of this server sends the request; false without a report. `Sec-Fetch-Site: none` means an address
 * that the user typed.
 */
export function isOwnPage(request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined) return site === 'same-origin';
  return origin !== undefined && isCalledOrigin(request, origin);
}

/**
 * Compares without the scheme, because requests arrive by `http` behind a TLS proxy. `Sec-Fetch-Site` is checked first, because no page can
 * forge it (Fetch Metadata §2.3), and a proxy may change `Host`.
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
