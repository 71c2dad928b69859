// Client of the OpenAPI page: calls any path with a bearer and returns the response text, including its envelope.
import { openApiPath } from '@srs-stack/contract/constants.ts';
import { ApiError } from './api-error.ts';

/** Timeout of a request, milliseconds: long, because a call may order a certificate. */
const tryTimeoutMs = 60_000;
/** Maximum length of a response text, characters; the rest is cut. */
const maxShownResponse = 200_000;

export interface TriedCall {
  status: number;
  statusText: string;
  text: string;
  durationMs: number;
}

/** @throws ApiError if no response arrives. */
export async function tryCall(request: { path: string; bearer: string; body: string }): Promise<TriedCall> {
  const { path, bearer, body } = request;
  const startedAt = performance.now();
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${bearer}` },
      body,
      signal: AbortSignal.timeout(tryTimeoutMs),
    });
    const text = (await response.text()).slice(0, maxShownResponse);
    const durationMs = Math.round(performance.now() - startedAt);
    return { status: response.status, statusText: response.statusText, text, durationMs };
  } catch (error) {
    throw new ApiError({ kind: 'network', message: 'the server cannot be reached', url: path }, { cause: error });
  }
}

/** One call of the generated OpenAPI document. */
export interface Operation {
  path: string;
  name: string;
  tag: string;
  summary: string;
  needsCredential: boolean;
  fields: { name: string; type: string; isRequired: boolean }[];
}

interface OpenApiDocument {
  paths: Record<string, { post?: OpenApiOperation }>;
}
interface OpenApiOperation {
  operationId?: string;
  tags?: string[];
  summary?: string;
  security?: unknown[];
  requestBody?: { content?: Record<string, { schema?: OpenApiSchema }> };
}
interface OpenApiSchema {
  type?: string;
  properties?: Record<string, { type?: string; enum?: unknown[] }>;
  required?: string[];
}

/** Requests the generated document. Resolves with its POST operations, in the order of the document. @throws ApiError */
export async function fetchOperations(signal?: AbortSignal): Promise<Operation[]> {
  const response = await fetch(openApiPath, signal ? { signal } : {});
  if (!response.ok)
    throw new ApiError({ kind: 'http', message: `HTTP ${response.status}`, url: openApiPath, status: response.status });
  const { paths } = (await response.json()) as OpenApiDocument;
  return Object.entries(paths).flatMap(([path, { post }]) => (post ? [toOperation(path, post)] : []));
}

function toOperation(path: string, operation: OpenApiOperation): Operation {
  const { operationId = path, tags = [], summary = '', security = [], requestBody } = operation;
  const { properties = {}, required = [] } = requestBody?.content?.['application/json']?.schema ?? {};
  const fields = Object.entries(properties)
    // `token` is omitted, because callers send a bearer.
    .filter(([name]) => name !== 'token')
    .map(([name, schema]) => ({
      name,
      type: schema.enum ? schema.enum.map(String).join(' | ') : (schema.type ?? 'any'),
      isRequired: required.includes(name),
    }));
  return { path, name: operationId, tag: tags[0] ?? '', summary, needsCredential: security.length > 0, fields };
}
