// Configuration of each route, which the hooks apply. A route without one needs a credential.
import type { EndpointAccess } from '@srs-stack/contract';
import type { RequestShape } from './request-keys.ts';

/**
 * `credential-in-query` is for links and proxied calls, which have no JSON body. `credential-in-form` is for a form with a file, which may
 * begin with the token: its handler must read it where `awaitsFormToken` is set. `metrics` accepts every bearer, and the token that may
 * only read metrics. `node` is for gateways of this node on behalf of another one.
 */
type RouteAccess = EndpointAccess | 'credential-in-query' | 'credential-in-form' | 'metrics' | 'node';

declare module 'fastify' {
  interface FastifyRequest {
    /** A form without another credential; only with `credential-in-form`. */
    awaitsFormToken: boolean;
  }
  interface FastifyContextConfig {
    access?: RouteAccess;
    /** Present on calls of the contract: their body is JSON regardless of the header. */
    shape?: RequestShape;
    /** Pages of earlier releases call it without a credential: the cookie of `page-cookie.ts` counts as one. */
    takesPageCookie?: boolean;
    /** The body is a file without an overall deadline. */
    isUpload?: boolean;
    /** HTTP status of every expected refusal, for callers that accept only one. */
    refusalStatus?: number;
  }
}
