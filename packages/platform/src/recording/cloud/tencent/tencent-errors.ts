// Maps errors of Tencent Cloud and the network to the few kinds that an operator can act on. Pure.
import { because, type CloudProblemKind, type RefusalDetail, verbatim } from '@srs-stack/contract';
import { CloudError } from '../cloud.ts';

interface SdkFailure {
  readonly code?: unknown;
  readonly httpCode?: number;
  readonly statusCode?: number;
  readonly message?: string;
}

/** Error codes of COS (XML), of the API (dotted) and of Node, and HTTP status codes. */
const kinds: readonly [RegExp, CloudProblemKind][] = [
  [
    /^(?:InvalidAccessKeyId|SignatureDoesNotMatch|AuthFailure(?!\.UnauthorizedOperation)|InvalidSecretId)/,
    'credentials',
  ],
  [/^(?:AccessDenied|UnauthorizedOperation|AuthFailure\.UnauthorizedOperation|OperationDenied|Forbidden)/, 'denied'],
  [
    /^(?:NoSuchBucket|NoSuchKey|ResourceNotFound|FailedOperation\.InvalidVodUser|InvalidParameterValue\.SubAppId)/,
    'missing',
  ],
  [
    /^(?:E[A-Z]+|ESOCKETTIMEDOUT|ERR_SOCKET\w*|5\d\d|RequestTimeout|InternalError|ServiceUnavailable|SlowDown)$/,
    'unreachable',
  ],
];
const networkMessage =
  /ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ESOCKETTIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|network timeout|socket hang up/;
function networkReason(code: string): RefusalDetail {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return because('cloud.unresolved', { code });
  return because(code === 'ECONNREFUSED' ? 'cloud.refuses-connection' : 'cloud.silent', { code });
}

const longestMessage = 300;

/** Converts an error of Tencent Cloud. @param doing the operation, e.g. `cloud.upload`. */
export function toCloudError(error: unknown, doing: RefusalDetail): CloudError {
  if (error instanceof CloudError) return error;
  const failure = error as SdkFailure;
  const failureText = (failure.message ?? String(error)).slice(0, longestMessage);
  const network = networkMessage.exec(`${String(failure.code ?? '')} ${failureText}`)?.[0];
  if (network !== undefined) {
    return new CloudError('unreachable', network, because('cloud.failed', { doing, what: networkReason(network) }));
  }
  const status = failure.statusCode ?? failure.httpCode;
  const code = typeof failure.code === 'string' && failure.code !== '' ? failure.code : String(status ?? '');
  const kind = kinds.find(([pattern]) => pattern.test(code))?.[1] ?? kindOfStatus(status);
  const what = verbatim(`${failureText}${code && code !== failureText ? ` (${code})` : ''}`);
  return new CloudError(kind, code, because('cloud.failed', { doing, what }), { cause: error });
}

function kindOfStatus(status: number | undefined): CloudProblemKind {
  if (status === undefined) return 'refused';
  if (status === 403 || status === 401) return 'denied';
  if (status === 404) return 'missing';
  return status >= 500 || status === 408 || status === 429 ? 'unreachable' : 'refused';
}
