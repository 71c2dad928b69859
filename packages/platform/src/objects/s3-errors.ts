// Maps errors of an S3 client to the few kinds that an operator can act on.
import type { BucketProblemKind } from '@srs-stack/contract';
import { RefusedAddress } from '../network/guarded-lookup.ts';
import { BucketError } from './bucket.ts';

/** Fields of AWS client errors. Some are absent with servers other than AWS. */
interface S3Failure {
  readonly name?: string;
  readonly code?: string;
  readonly Code?: string;
  readonly message?: string;
  readonly cause?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly headers?: Record<string, string> };
}

/** Maximum length of a bucket's message, characters. */
const maxMessageLength = 300;

const kindOfName: Readonly<Record<string, BucketProblemKind>> = {
  InvalidAccessKeyId: 'credentials',
  SignatureDoesNotMatch: 'credentials',
  RequestTimeTooSkewed: 'credentials',
  InvalidToken: 'credentials',
  ExpiredToken: 'credentials',
  AuthorizationHeaderMalformed: 'region',
  PermanentRedirect: 'region',
  TemporaryRedirect: 'region',
  IllegalLocationConstraintException: 'region',
  IncorrectEndpoint: 'region',
  NoSuchBucket: 'bucket',
  InvalidBucketName: 'bucket',
  AccessDenied: 'denied',
  AllAccessDisabled: 'denied',
  AccountProblem: 'denied',
  Forbidden: 'denied',
  QuotaExceeded: 'full',
  XMinioStorageFull: 'full',
  XMinioAdminBucketQuotaExceeded: 'full',
  InsufficientCapacity: 'full',
  SlowDown: 'busy',
  ServiceUnavailable: 'busy',
  InternalError: 'busy',
  BadDigest: 'damaged',
  XAmzContentSHA256Mismatch: 'damaged',
  IncompleteBody: 'damaged',
  TimeoutError: 'slow',
  RequestTimeout: 'slow',
};
const unreachableCodes =
  /^(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPIPE|ECONNABORTED|EADDRNOTAVAIL|EPROTO)$/;
const tlsCodes =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(?:GET|VERIFY|DECRYPT)_|EPROTO$|HOSTNAME_MISMATCH)/;

/** @param what the operation, e.g. `write the object x`. */
export function toBucketError(error: unknown, what: string): BucketError {
  if (error instanceof BucketError) return error;
  const failure = error as S3Failure;
  const kind = kindOf(failure);
  const region = failure.$response?.headers?.['x-amz-bucket-region'];
  const status = failure.$metadata?.httpStatusCode;
  const parts = [
    nameOf(failure),
    status === undefined ? '' : `HTTP ${status}`,
    (failure.message ?? '').slice(0, maxMessageLength),
    kind === 'region' && region ? `the bucket is in the region ${region}` : '',
  ];
  return new BucketError(kind, `cannot ${what}: ${[...new Set(parts)].filter(Boolean).join(', ')}`, { cause: error });
}

function kindOf(failure: S3Failure): BucketProblemKind {
  if (failure instanceof RefusedAddress || failure.cause instanceof RefusedAddress) return 'refused';
  const code = failure.code ?? '';
  if (code === 'ETIMEDOUT') return 'slow';
  if (tlsCodes.test(code)) return 'tls';
  if (unreachableCodes.test(code)) return 'unreachable';
  return kindOfName[nameOf(failure)] ?? kindOfStatus(failure.$metadata?.httpStatusCode ?? 0);
}

function kindOfStatus(status: number): BucketProblemKind {
  if (status === 301 || status === 307) return 'region';
  if (status === 401) return 'credentials';
  if (status === 403) return 'denied';
  if (status === 404) return 'bucket';
  if (status === 408) return 'slow';
  if (status === 507) return 'full';
  return status >= 500 || status === 429 ? 'busy' : 'refused';
}

/** Prefers the S3 code of the response. The client's own name for an error without a body is not useful. */
export function nameOf({ name = '', Code, code }: S3Failure): string {
  return Code ?? (/^(?:Error|UnknownError|S3ServiceException)$/.test(name) ? (code ?? '') : name);
}
