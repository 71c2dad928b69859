// Configuration of a route, which the hooks apply. Without configuration, a route needs a credential.
import type { EndpointAccess } from '@srs-stack/contract';
import type { RequestShape } from './request-keys.ts';

/**
 * - `credential-in-query`: links and proxied calls, which have no JSON body.
 * - `credential-in-form`: a form with a file. The handler must read the token in the form if `awaitsFormToken` is set.
 * - `metrics`: any bearer, or the token that may only read metrics.
 * - `node`: a gateway of this node on behalf of another node.
 */
type RouteAccess = EndpointAccess | 'credential-in-query' | 'credential-in-form' | 'metrics' | 'node';

declare module 'fastify' {
  interface FastifyRequest {
    /** The request has no other credential, so the handler reads the form's token. Only with `credential-in-form`. */
    awaitsFormToken: boolean;
  }
  interface FastifyContextConfig {
    access?: RouteAccess;
    /** Shape of the body of a call, which is JSON whatever the content type. */
    shape?: RequestShape;
    /** Pages of earlier releases call this path without a credential, so the page cookie is accepted. */
    takesPageCookie?: boolean;
    isUpload?: boolean;
    /** HTTP status of refusals except malformed requests, for callers that accept only one status. */
    refusalStatus?: number;
  }
}
