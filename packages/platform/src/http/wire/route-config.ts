// What every route says about itself; hooks decide by it. A route that says nothing needs a credential.
import type { EndpointAccess } from '@srs-stack/contract';
import type { RequestShape } from './request-keys.ts';

/**
 * `credential-in-query` is for links and proxied calls, which have no JSON body; `credential-in-form` for a form with a file, which may
 * also begin with the token: its handler must look where `awaitsFormToken` says that nothing else was shown. `metrics` takes every bearer, or the
 * token that may only read figures, as bearer. `node` is for gateways of this node that speak for another one.
 */
type RouteAccess = EndpointAccess | 'credential-in-query' | 'credential-in-form' | 'metrics' | 'node';

declare module 'fastify' {
  interface FastifyRequest {
    /** A form of somebody who has shown no credential; only with `credential-in-form`. */
    awaitsFormToken: boolean;
  }
  interface FastifyContextConfig {
    access?: RouteAccess;
    /** Present on calls of the contract: their body is JSON whatever the header says. */
    shape?: RequestShape;
    /** Pages of earlier releases call it without a credential: the cookie of `page-cookie.ts` counts as one. */
    takesPageCookie?: boolean;
    /** Its body is a file and may take as long as it takes. */
    isUpload?: boolean;
    /** HTTP status of every expected refusal, where the caller only understands one. */
    refusalStatus?: number;
  }
}
