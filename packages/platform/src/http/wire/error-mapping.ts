// Maps any error to the failure envelope. Logs the error with the request id that the client gets.
import { AppError, because, type ErrorName, errorCatalogue, verbatim } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import { createReportRateLimit } from '@srs-stack/process/report-rate-limit.ts';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { calledMethod } from './called-method.ts';
import { clientAddress } from './client-address.ts';
import { issuesReason } from './field-issues.ts';
import { sendFailure } from './wire-format.ts';

/** Limit for log lines about refusals (300 bytes each), because anyone can cause refusals: a burst, then one line per interval. */
const refusalLines = { burst: 200, intervalMs: 100 };

/** @param clock monotonic milliseconds. */
export function installErrorMapping(app: FastifyInstance, log: Log, clock = () => performance.now()): void {
  const budget = createReportRateLimit(refusalLines);
  const logRefusal = (fields: object) => {
    const omitted = budget.take(clock());
    if (omitted !== undefined) log.info(omitted === 0 ? fields : { ...fields, omitted }, 'API call refused');
  };
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = toAppError(error);
    const status = statusOf(refusal, request);
    logFailure(log, logRefusal, { error, refusal, request, status });
    return fail(reply, refusal, status);
  });
  app.setNotFoundHandler((request, reply) => {
    log.debug({ method: calledMethod(request), path: pathOf(request), requestId: request.id }, 'unknown API call');
    return fail(reply, new AppError('notFound', verbatim('the HTTP API has no call at this path')), 404);
  });
}

function fail(reply: FastifyReply, refusal: AppError, status: number): FastifyReply {
  return sendFailure(reply, { refusal, status, requestId: reply.request.id });
}

/** Keeps AppErrors and converts errors of the framework and of SQLite. Any other error becomes an internal error without details. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { validation, code = '', statusCode = 500 } = error as Partial<FastifyError>;
  if (validation) return new AppError('invalidRequest', issuesReason(validation));
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AppError('bodyTooLarge');
  if (code === 'ERR_SQLITE_ERROR')
    return new AppError('storeNotReady', because('store.named', { store: 'SQLite' }), { cause: error });
  if (code.startsWith('FST_') && statusCode < 500)
    return new AppError('invalidRequest', verbatim((error as Error).message));
  return new AppError('internal', undefined, { cause: error });
}

function statusOf(refusal: AppError, request: FastifyRequest): number {
  const { httpStatus } = refusal.definition;
  const isRuling = httpStatus < 500 && refusal.errorName !== 'invalidRequest' && refusal.errorName !== 'bodyTooLarge';
  return isRuling ? (request.routeOptions.config.refusalStatus ?? httpStatus) : httpStatus;
}

interface FailureLog {
  readonly error: unknown;
  readonly refusal: AppError;
  readonly request: FastifyRequest;
  readonly status: number;
}

function logFailure(
  log: Log,
  logRefusal: (fields: object) => void,
  { error, refusal, request, status }: FailureLog,
): void {
  const fields = {
    requestId: request.id,
    method: calledMethod(request),
    path: pathOf(request),
    ip: clientAddress(request),
    status,
    name: refusal.errorName satisfies ErrorName,
  };
  const isBug = refusal.errorName === 'internal' || refusal.errorName === 'storeNotReady';
  if (isBug && hasDisconnected(request)) log.debug(fields, 'client disconnected before the response');
  else if (isBug) log.error({ ...fields, err: error }, 'API call failed');
  else logRefusal({ ...fields, reason: refusal.message });
}

/** Whether the connection ended before the end of the request: the client disconnected or was too slow. */
function hasDisconnected({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}

/** Path without the query, which may contain a token or a stream secret. */
function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}

/** A complete HTTP response to bytes that are not HTTP. */
export function malformedRequestResponse(): string {
  const { code, message } = errorCatalogue.invalidRequest;
  const body = JSON.stringify({ code, server: process.pid, data: { message, name: 'invalidRequest' } });
  return `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`;
}
