// Describes an HTTP call as data: path, access rule, request and response schemas. The server registers its routes from it, the console
// uses the part without schemas (`calls.ts`), and the OpenAPI document is generated from it.
import type { z } from 'zod';
import type { CallPath, EndpointAccess } from './paths.ts';

/** A call for its callers: its path, and the types of request and response. */
export interface Call<Request = unknown, Data = unknown> {
  /** Absolute path, e.g. `/terraform/v1/mgmt/login`. */
  readonly path: string;
  readonly access: EndpointAccess;
  /** Only for the compiler, never set: the types of requests (before defaults are applied) and of `data` in responses. */
  readonly carries?: { readonly request: Request; readonly data: Data };
}

/** A call with its schemas, as the server implements it. */
export interface Endpoint<Request extends z.ZodType = z.ZodType, Response extends z.ZodType = z.ZodType>
  extends Call<z.input<Request>, z.output<Response>> {
  /** Other paths of the same call, kept for existing clients. */
  readonly aliases: readonly string[];
  /** Tag in the OpenAPI document, e.g. `Management`. */
  readonly tag: string;
  /** Summary in the OpenAPI document, one sentence. */
  readonly summary: string;
  /** Schema of the JSON body. An empty body counts as `{}`. Unknown fields are ignored. */
  readonly request: Request;
  /** Schema of `data` in the success envelope. */
  readonly response: Response;
}

export interface EndpointDefinition<Request extends z.ZodType, Response extends z.ZodType> extends CallPath {
  tag: string;
  summary: string;
  request: Request;
  response: Response;
}

/** Binds schemas to a call of `paths.ts`; the result is an immutable description. */
export function defineEndpoint<Request extends z.ZodType, Response extends z.ZodType>(
  definition: EndpointDefinition<Request, Response>,
): Endpoint<Request, Response> {
  return Object.freeze({ aliases: [], ...definition });
}

/** Type of requests (before defaults are applied). */
export type RequestOf<C extends Call> = NonNullable<C['carries']>['request'];
/** Type of `data` in responses. */
export type ResponseOf<C extends Call> = NonNullable<C['carries']>['data'];

/** The calls that a file of `endpoints/` exports, by name. */
export type EndpointsIn<File> = { [Name in keyof File as File[Name] extends Endpoint ? Name : never]: File[Name] };

/** Returns the calls that a file of `endpoints/` exports, without its other exports. */
export function endpointsIn<File extends object>(file: File): EndpointsIn<File> {
  const declared = Object.entries(file).filter(([, value]) => isEndpoint(value));
  return Object.fromEntries(declared) as EndpointsIn<File>;
}

function isEndpoint(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'path' in value && 'summary' in value && 'request' in value;
}
