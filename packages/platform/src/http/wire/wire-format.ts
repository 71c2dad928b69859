// The wire format of calls (docs/reference/api.md): any method, JSON with any content type, one envelope, JSONP on request.
import { AppError, type FailureEnvelope, verbatim } from '@srs-stack/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { jsonBytesOf } from '../../json-bytes.ts';
import { toRequestObject } from './request-keys.ts';

export const anyMethod = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'];
/** Allowed names of a JSONP callback. Other names could inject script into a page. */
const callbackName = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/;
/** Longest callback name, characters. */
const maxCallbackNameLength = 128;
const jsonType = 'application/json; charset=utf-8';
const javascriptType = 'application/javascript; charset=utf-8';
const byteOrderMark = 0xfeff;

export function installWireFormat(app: FastifyInstance, version: string): void {
  for (const method of ['GET', 'HEAD', 'DELETE']) app.addHttpMethod(method, { hasBody: true, overrideExisting: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, parseJson(text as string));
    } catch (error) {
      done(error as Error);
    }
  });
  const serverName = `srs-stack/${version}`;
  app.addHook('onRequest', (request, reply, done) => {
    // Responses contain tokens and secrets. Caches must not store them, even for GET.
    reply.header('server', serverName).header('cache-control', 'no-store');
    if (request.method === 'OPTIONS') {
      reply.code(200).send();
      return;
    }
    if (request.routeOptions.config.shape) ignoreContentType(request);
    done();
  });
  app.addHook('preValidation', (request, _reply, done) => {
    const { shape } = request.routeOptions.config;
    if (shape) request.body = toRequestObject(shape, request.body);
    done();
  });
}

/** Makes the framework parse every body as JSON, because clients send JSON with any content type or none. */
function ignoreContentType(request: FastifyRequest): void {
  const { headers } = request.raw;
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
  if (hasBody) headers['content-type'] = 'application/json';
  else delete headers['content-type'];
}

/**
 * Detects escaped surrogates. JSON can contain an unpaired surrogate only as an escape, and no valid name, path or address contains one.
 */
const escapedSurrogate = /\\u[dD][89a-fA-F]/;

function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

function parseJson(text: string): unknown {
  const json = text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text;
  if (json.trim() === '') return undefined;
  try {
    return escapedSurrogate.test(json) ? JSON.parse(json, wellFormed) : JSON.parse(json);
  } catch {
    throw new AppError('invalidRequest', verbatim('the body is not valid JSON'));
  }
}

const successStart = `{"code":0,"server":${process.pid},"data":`;

/** Returns the complete response `{code: 0, server, data}`. */
export function successJson(data: unknown): string {
  return `${successStart}${JSON.stringify(data ?? null)}}`;
}

/** Sends `{code: 0, server, data}`. Only tests validate the data against the schema. */
export function sendSuccess(request: FastifyRequest, reply: FastifyReply, data: unknown): FastifyReply {
  const callback = (request.query as { callback?: unknown }).callback;
  const isJsonp = callback !== undefined && callback !== '';
  const kept = isJsonp ? undefined : keptEnvelope(data);
  if (kept) return reply.header('content-type', jsonType).send(kept);
  const json = successJson(data);
  if (!isJsonp) return reply.header('content-type', jsonType).send(json);
  if (!isCallbackName(callback))
    throw new AppError('invalidRequest', verbatim('the JSONP callback name is not allowed'));
  return reply
    .header('content-type', javascriptType)
    .header('x-content-type-options', 'nosniff')
    .send(`${callback}(${json})`);
}

const envelopes = new WeakMap<object, Buffer>();

/** Complete response for data with cached JSON. Built once per data object. */
function keptEnvelope(data: unknown): Buffer | undefined {
  const parts = jsonBytesOf(data);
  if (!parts) return undefined;
  const known = envelopes.get(parts);
  if (known) return known;
  const envelope = Buffer.concat([Buffer.from(successStart), ...parts, Buffer.from('}')]);
  envelopes.set(parts, envelope);
  return envelope;
}

function isCallbackName(name: unknown): name is string {
  return typeof name === 'string' && name.length <= maxCallbackNameLength && callbackName.test(name);
}

export interface Failure {
  readonly refusal: AppError;
  readonly status: number;
  readonly requestId: string;
}

/** Sends `{code, server, data: {message, name, requestId, retryAfterSeconds, reason}}` with the HTTP status of the failure. */
export function sendFailure(reply: FastifyReply, failure: Failure): FastifyReply {
  const { refusal, status, requestId } = failure;
  const { definition, facts, retryAfterSeconds } = refusal;
  const retry = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  const body: FailureEnvelope = {
    code: definition.code,
    server: process.pid,
    data: {
      message: facts.message,
      name: facts.name,
      requestId,
      ...retry,
      ...(facts.reason && { reason: facts.reason }),
    },
  };
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  return reply
    .code(status)
    .header('content-type', jsonType)
    .header('x-content-type-options', 'nosniff')
    .send(JSON.stringify(body));
}
