// Authentication. The route's configuration selects one rule. Denies by default.
import { AppError, because, verbatim } from '@srs-stack/contract';
import { nodeCallSecretHeader } from '@srs-stack/contract/node-calls.ts';
import { isLoopback } from '@srs-stack/process/ip-address.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { secretsEqual } from '../../access/secrets-equal.ts';
import { clientAddress } from './client-address.ts';
import { pageCookieOf } from './page-cookie.ts';

interface CredentialCheck {
  isValidToken(token: string): boolean;
  isValidBearer(value: string): boolean;
  isValidPage(cookie: string): boolean;
}

export interface AccessOptions {
  readonly sessions: CredentialCheck;
  readonly callbackSecret: string;
  /** Bearer that may only read the metrics; '' for none. */
  readonly metricsToken: string;
  /**
   * Whether callbacks from loopback need no secret. Only for an SRS on this machine, which sends no header. Must be false when the internet
   * can reach a proxy on this machine.
   */
  readonly trustsLoopbackCallbacks: boolean;
}

/** One space separates scheme and credential. The scheme may be in any case. */
const bearerHeader = /^bearer ([^ ]+)$/i;
/** Session bearers are JWTs (RFC 7519 §3). A refused JWT is reported as expired, other bearers as invalid. */
const sessionBearer = /^[\w-]+\.[\w-]+\.[\w-]+$/;

export function installAccess(app: FastifyInstance, options: AccessOptions): void {
  const rule = new AccessRule(options);
  app.decorateRequest('awaitsFormToken', false);
  // Checks headers, query tokens and callbacks before reading the body, so that a refusal costs little.
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.is404) rule.refuseEarly(request);
    done();
  });
  // Calls without a header are checked after reading the body, because the body contains the token.
  app.addHook('preValidation', (request, _reply, done) => {
    if (!request.is404 && accessOf(request) === 'credential' && request.headers.authorization === undefined) {
      rule.requireToken(request, (request.body as { token?: unknown } | undefined)?.token);
    }
    done();
  });
}

class AccessRule {
  readonly #options: AccessOptions;

  constructor(options: AccessOptions) {
    this.#options = options;
  }

  refuseEarly(request: FastifyRequest): void {
    const access = accessOf(request);
    if (access === 'media-server') requireMediaServer(request, this.#options);
    if (access === 'node') requireGateway(request, this.#options);
    const header = request.headers.authorization;
    if (access === 'metrics') this.#requireMetricsBearer(header);
    if (access === 'credential-in-form') this.#requireFormCredential(request, header);
    if (access !== 'credential' && access !== 'credential-in-query') return;
    if (header !== undefined) this.#requireBearer(header);
    else if (access === 'credential-in-query') this.requireToken(request, (request.query as { token?: unknown }).token);
  }

  /** Older clients send the session token in header, query or form. */
  #requireFormCredential(request: FastifyRequest, header: string | undefined): void {
    const token = (request.query as { token?: unknown }).token;
    const bearer = bearerHeader.exec(header ?? '')?.[1];
    if (bearer !== undefined && this.#options.sessions.isValidToken(bearer)) return;
    if (header !== undefined) this.#requireBearer(header);
    else if (isMissing(token) && isForm(request) && !this.#isKnownPage(request)) request.awaitsFormToken = true;
    else this.requireToken(request, token);
  }

  /** Accepts the token only in a header, because tokens in URLs end up in logs. */
  #requireMetricsBearer(header: string | undefined): void {
    const value = bearerHeader.exec(header ?? '')?.[1];
    const isReader =
      value !== undefined && this.#options.metricsToken !== '' && secretsEqual(value, this.#options.metricsToken);
    if (value === undefined || !(isReader || this.#options.sessions.isValidBearer(value))) {
      throw new AppError(
        'tokenInvalid',
        verbatim('the bearer is neither METRICS_TOKEN, the API secret nor a valid session bearer'),
      );
    }
  }

  #requireBearer(header: string): void {
    const value = bearerHeader.exec(header)?.[1];
    if (value === undefined || !this.#options.sessions.isValidBearer(value)) {
      throw new AppError(
        'tokenInvalid',
        because(sessionBearer.test(value ?? '') ? 'session.ended' : 'session.bearer-wrong'),
      );
    }
  }

  /** Requires a session token, or the page cookie on paths that accept the cookie. If both are present, only the token counts. */
  requireToken(request: FastifyRequest, token: unknown): void {
    if (isMissing(token) && this.#isKnownPage(request)) return;
    if (typeof token !== 'string' || token === '') throw new AppError('tokenInvalid', because('session.missing'));
    if (!this.#options.sessions.isValidToken(token)) throw new AppError('tokenInvalid', because('session.ended'));
  }

  #isKnownPage(request: FastifyRequest): boolean {
    return (
      request.routeOptions.config.takesPageCookie === true && this.#options.sessions.isValidPage(pageCookieOf(request))
    );
  }
}

function isMissing(token: unknown): boolean {
  return token === undefined || token === '';
}

function isForm(request: FastifyRequest): boolean {
  return /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '');
}

function accessOf(request: FastifyRequest) {
  return request.routeOptions.config.access ?? 'credential';
}

/**
 * Requires the callback secret. The address is trusted only with an external SRS, which cannot send a header: behind a reverse proxy on
 * this machine, every request from the internet comes from loopback.
 */
function requireMediaServer(request: FastifyRequest, { callbackSecret, trustsLoopbackCallbacks }: AccessOptions): void {
  const given =
    request.headers['x-callback-secret'] ?? (request.query as { callback_secret?: unknown }).callback_secret;
  const knowsSecret = isSecret(given, callbackSecret);
  const isLocalSrs = trustsLoopbackCallbacks && isLoopback(clientAddress(request));
  if (!knowsSecret && !isLocalSrs) throw new AppError('callbackSourceRefused');
}

/**
 * Requires the callback secret in the header. The caller is a gateway of this node. The gateway has authenticated another node by
 * certificate and forwards a call of that node.
 */
function requireGateway({ headers }: FastifyRequest, { callbackSecret }: AccessOptions): void {
  if (!isSecret(headers[nodeCallSecretHeader], callbackSecret)) throw new AppError('callbackSourceRefused');
}

function isSecret(given: unknown, secret: string): boolean {
  return secret !== '' && typeof given === 'string' && secretsEqual(given, secret);
}
