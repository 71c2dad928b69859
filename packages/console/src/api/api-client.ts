// The HTTP client: sends a call of the contract and returns its data. Every failure except an abort becomes an ApiError.
import type { Call, FailureEnvelope, RequestOf, ResponseOf } from '@srs-stack/contract';
import { ApiError } from './api-error.ts';
import { readSession } from './stored-session.ts';

/** Timeout of a request, milliseconds. */
const callTimeoutMs = 30_000;

export interface CallOptions {
  signal?: AbortSignal;
}

/** Returns the data of a response as the contract defines it. @throws if the data does not match the contract. */
export type ResponseCheck = (endpoint: Call, data: unknown) => unknown;
/**
 * Production builds do not validate responses, because console and server come from one build.
 * In development, `schema-check.ts` sets a validating function.
 */
let checkResponse: ResponseCheck = (_, data) => data;

export function checkResponsesWith(check: ResponseCheck): void {
  checkResponse = check;
}

/** Called with the outcome of every call. `control-plane.ts` detects an unreachable server this way. */
export type CallObserver = (outcome: { error?: ApiError }) => void;
const observers = new Set<CallObserver>();

export function onCallOutcome(observer: CallObserver): () => void {
  observers.add(observer);
  return () => observers.delete(observer);
}

/**
 * Calls an endpoint and returns `data` of the response. The body contains the stored token if the call needs a
 * credential.
 * @throws ApiError for every failure, except an abort by `signal`: then the abort reason.
 */
export async function call<C extends Call>(
  endpoint: C,
  request: RequestOf<C>,
  options: CallOptions = {},
): Promise<ResponseOf<C>> {
  try {
    const data = await send(endpoint, request as Record<string, unknown>, options);
    report({});
    return data as ResponseOf<C>;
  } catch (error) {
    if (error instanceof ApiError) report({ error });
    throw error;
  }
}

function report(outcome: { error?: ApiError }): void {
  for (const observer of observers) observer(outcome);
}

async function send(endpoint: Call, request: Record<string, unknown>, options: CallOptions): Promise<unknown> {
  const url = endpoint.path;
  const { response, text } = await exchange(url, toRequestInit(endpoint, request), options);
  const body = parseJson(text);
  if (!response.ok) throw toFailure(url, response, body ?? text);
  if (!isEnvelope(body)) throw malformed(url, response, body ?? text);
  if (body.code !== 0) throw toFailure(url, response, body);
  try {
    return checkResponse(endpoint, body.data);
  } catch (error) {
    throw malformed(url, response, body, error);
  }
}

/** A call without body and credential is a plain GET; every other call posts JSON. */
function toRequestInit(endpoint: Call, request: Record<string, unknown>): RequestInit {
  const credential = endpoint.access === 'credential' ? { token: readSession()?.token } : {};
  const body = { ...credential, ...request };
  const isEmpty = Object.values(body).every((value) => value === undefined);
  if (isEmpty && endpoint.access !== 'credential') return { method: 'GET' };
  return { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

async function exchange(url: string, init: RequestInit, { signal }: CallOptions) {
  const timeout = AbortSignal.timeout(callTimeoutMs);
  try {
    const response = await fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
    return { response, text: await response.text() };
  } catch (error) {
    if (signal?.aborted) throw error;
    if (timeout.aborted) throw new ApiError({ kind: 'timeout', message: `no response in ${callTimeoutMs} ms`, url });
    throw new ApiError({ kind: 'network', message: 'the server cannot be reached', url }, { cause: error });
  }
}

function toFailure(url: string, response: Response, body: unknown): ApiError {
  const failure = body as Partial<FailureEnvelope> | string;
  const facts = { url, status: response.status, statusText: response.statusText, body };
  if (typeof failure === 'string' || !failure.code) {
    const message = typeof failure === 'string' ? failure.trim() : response.statusText;
    return new ApiError({ ...facts, kind: 'http', message: message || `HTTP ${response.status}` });
  }
  const { message = '', name: errorName, requestId, reason } = failure.data ?? {};
  return new ApiError({ ...facts, kind: 'refused', message, code: failure.code, errorName, requestId, reason });
}

function malformed(url: string, response: Response, body: unknown, cause?: unknown): ApiError {
  const facts = { url, status: response.status, statusText: response.statusText, body };
  return new ApiError({ ...facts, kind: 'malformed', message: 'the response does not match the contract' }, { cause });
}

function isEnvelope(body: unknown): body is { code: number; data: unknown } {
  return typeof body === 'object' && body !== null && 'code' in body && 'data' in body;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
