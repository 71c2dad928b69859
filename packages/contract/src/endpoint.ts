// Describes an API call as data: path, access, and schemas. The server's routes and the OpenAPI document are generated from these
// descriptions.
import type { z } from 'zod';
import type { CallPath, EndpointAccess } from './paths.ts';

/** An API call as clients see it, without schemas. */
export interface Call<Request = unknown, Data = unknown> {
  /** Absolute path, e.g. `/terraform/v1/mgmt/login`. */
  readonly path: string;
  readonly access: EndpointAccess;
  /** Types of requests (before defaults are applied) and of `data` in responses. Never set; only the compiler uses this field. */
  readonly carries?: { readonly request: Request; readonly data: Data };
}

/** An API call with its schemas. */
export interface Endpoint<Request extends z.ZodType = z.ZodType, Response extends z.ZodType = z.ZodType>
  extends Call<z.input<Request>, z.output<Response>> {
  /** Additional paths of the call for older clients. */
  readonly aliases: readonly string[];
  readonly tag: string;
  /** One sentence for the OpenAPI document. */
  readonly summary: string;
  /** Schema of the JSON body. An empty body counts as `{}`; unknown fields are ignored. */
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

/** Adds schemas to a call of `paths.ts`. The result is immutable. */
export function defineEndpoint<Request extends z.ZodType, Response extends z.ZodType>(
  definition: EndpointDefinition<Request, Response>,
): Endpoint<Request, Response> {
  return Object.freeze({ aliases: [], ...definition });
}

/** Type of requests before defaults are applied. */
export type RequestOf<C extends Call> = NonNullable<C['carries']>['request'];
/** Type of `data` in responses. */
export type ResponseOf<C extends Call> = NonNullable<C['carries']>['data'];

/** The calls exported by a file of `endpoints/`, by name. */
export type EndpointsIn<File> = { [Name in keyof File as File[Name] extends Endpoint ? Name : never]: File[Name] };

/** Selects the calls among the exports of a file of `endpoints/`. */
export function endpointsIn<File extends object>(file: File): EndpointsIn<File> {
  const declared = Object.entries(file).filter(([, value]) => isEndpoint(value));
  return Object.fromEntries(declared) as EndpointsIn<File>;
}

function isEndpoint(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'path' in value && 'summary' in value && 'request' in value;
}
