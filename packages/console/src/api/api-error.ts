// A failed call: the error of the contract, if the server sent one, and details for support.
import type { ErrorName, WirePhrase } from '@srs-stack/contract';
import { errorNameOfCode } from '@srs-stack/contract/errors.ts';
import { isWirePhrase } from '@srs-stack/contract/phrases.ts';

/**
 * `refused`: the server responded with an error code. `http`: an error status without a code.
 * `network`: no response. `timeout`: no response in time. `malformed`: the response does not match the contract.
 */
export type ApiErrorKind = 'refused' | 'http' | 'network' | 'malformed' | 'timeout';

export interface ApiErrorFacts {
  kind: ApiErrorKind;
  message: string;
  url: string;
  /** HTTP status; 0 without a response. */
  status?: number;
  statusText?: string;
  /** Numeric code in the failure response; 0 without a code. */
  code?: number;
  errorName?: ErrorName | undefined;
  /** Detail of the error as a message key, if the server sent one. */
  reason?: WirePhrase | undefined;
  /** Request id, which is also in the server's log. */
  requestId?: string | undefined;
  /** Parsed JSON body, or the body as text. */
  body?: unknown;
}

export class ApiError extends Error {
  readonly kind: ApiErrorKind;
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly code: number;
  readonly errorName: ErrorName | undefined;
  readonly reason: WirePhrase | undefined;
  readonly requestId: string | undefined;
  readonly body: unknown;

  constructor(facts: ApiErrorFacts, options?: ErrorOptions) {
    super(facts.message, options);
    this.name = 'ApiError';
    this.kind = facts.kind;
    this.url = facts.url;
    this.status = facts.status ?? 0;
    this.statusText = facts.statusText ?? '';
    this.code = facts.code ?? 0;
    this.errorName = facts.errorName ?? errorNameOfCode(this.code);
    this.reason = isWirePhrase(facts.reason) ? facts.reason : undefined;
    this.requestId = facts.requestId;
    this.body = facts.body;
  }
}

/** Whether the server is only temporarily unavailable: an unchanged retry will succeed later. */
export function isControlPlaneDown(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  if (error.errorName === 'controlPlaneRestarting' || error.kind === 'network') return true;
  return error.code === 0 && (error.status === 502 || error.status === 503 || error.status === 504);
}

export function isSessionExpired(error: unknown): boolean {
  return error instanceof ApiError && error.errorName === 'tokenInvalid';
}
