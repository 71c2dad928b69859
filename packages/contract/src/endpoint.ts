// One HTTP call as data: path, credential rule, request and response schemas. The server registers its routes
// from these values, the console calls through them, and the OpenAPI document is generated from them.
import type { z } from 'zod';

/**
 * Who may call. `none`: everybody. `password`: the call itself carries the admin password. `credential`: a session
 * token (body field `token`) or the API secret (`Authorization: Bearer`). `media-server`: only the media server,
 * from loopback or with the per-installation callback secret.
 */
export type EndpointAccess = 'none' | 'password' | 'credential' | 'media-server';

export interface Endpoint<Request extends z.ZodType = z.ZodType, Response extends z.ZodType = z.ZodType> {
  /** Absolute path, e.g. `/terraform/v1/mgmt/login`. */
  readonly path: string;
  /** Other paths that answer the same, kept for existing clients. */
  readonly aliases: readonly string[];
  /** Area of the OpenAPI document, e.g. `Management`. */
  readonly tag: string;
  /** One sentence in plain words for the OpenAPI document. */
  readonly summary: string;
  readonly access: EndpointAccess;
  /** Schema of the JSON body. An empty body counts as `{}`. Unknown fields are ignored. */
  readonly request: Request;
  /** Schema of `data` in the success envelope. */
  readonly response: Response;
}

export interface EndpointDefinition<Request extends z.ZodType, Response extends z.ZodType> {
  path: string;
  aliases?: readonly string[];
  tag: string;
  summary: string;
  access: EndpointAccess;
  request: Request;
  response: Response;
}

/** Declares one call; the result is an immutable description used by server and console alike. */
export function defineEndpoint<Request extends z.ZodType, Response extends z.ZodType>(
  definition: EndpointDefinition<Request, Response>,
): Endpoint<Request, Response> {
  return Object.freeze({ aliases: [], ...definition });
}

/** What a caller sends (before defaults are applied). */
export type RequestOf<E extends Endpoint> = z.input<E['request']>;
/** What a caller gets as `data`. */
export type ResponseOf<E extends Endpoint> = z.output<E['response']>;
