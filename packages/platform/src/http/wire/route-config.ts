// Configuration of each route, which the hooks apply. A route without one needs a credential.
import type { EndpointAccess } from '@srs-stack/contract';
import type { RequestShape } from './request-keys.ts';

/**
 * - `credential-in-query`: links and proxied calls, which have no JSON body.
 * - `credential-in-form`: a form with a file, which may begin with the token; its handler must read it if `awaitsFormToken` is set.
 * - `metrics`: every bearer, and the token that may only read metrics.
 * - `node`: a gateway of this node on behalf of another node.
 */
type RouteAccess = EndpointAccess | 'credential-in-query' | 'credential-in-form' | 'metrics' | 'node';

declare module 'fastify' {
  interface FastifyRequest {
    /** The form has no other credential, so the handler reads its token; only with `credential-in-form`. */
    awaitsFormToken: boolean;
  }
  interface FastifyContextConfig {
    access?: RouteAccess;
    /** Present on calls of the contract: their body is JSON regardless of the header. */
    shape?: RequestShape;
    /** Pages of earlier releases call this path without a credential; the cookie of `page-cookie.ts` authorizes them. */
    takesPageCookie?: boolean;
    /** The body is a file and has no overall deadline. */
    isUpload?: boolean;
    /** HTTP status of every expected refusal, for callers that accept only one status. */
    refusalStatus?: number;
  }
}
