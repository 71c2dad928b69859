// What Tencent Cloud and the network say, sorted into a few kinds an operator can act on. Pure.
import type { CloudProblemKind } from '@srs-stack/contract';
import { CloudError } from '../cloud.ts';

interface SdkFailure {
  readonly code?: unknown;
  readonly httpCode?: number;
  readonly statusCode?: number;
  readonly message?: string;
}

/** Names of both products: COS answers XML codes, the API dotted ones. */
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
const networkWords: Record<string, string> = {
  ENOTFOUND: 'the name of the cloud service cannot be resolved',
  EAI_AGAIN: 'the name of the cloud service cannot be resolved',
  ECONNREFUSED: 'the cloud service refuses the connection',
};
const longestMessage = 300;

/** @param doing what was attempted, e.g. `upload live-1.ts`. */
export function toCloudError(error: unknown, doing: string): CloudError {
  if (error instanceof CloudError) return error;
  const failure = error as SdkFailure;
  const said = (failure.message ?? String(error)).slice(0, longestMessage);
  const network = networkMessage.exec(`${String(failure.code ?? '')} ${said}`)?.[0];
  if (network !== undefined) {
    return new CloudError(
      'unreachable',
      network,
      `${doing}: ${networkWords[network] ?? 'the cloud does not answer'} (${network})`,
    );
  }
  const status = failure.statusCode ?? failure.httpCode;
  const code = typeof failure.code === 'string' && failure.code !== '' ? failure.code : String(status ?? '');
  const kind = kinds.find(([pattern]) => pattern.test(code))?.[1] ?? kindOfStatus(status);
  return new CloudError(kind, code, `${doing}: ${said}${code && code !== said ? ` (${code})` : ''}`, { cause: error });
}

function kindOfStatus(status: number | undefined): CloudProblemKind {
  if (status === undefined) return 'refused';
  if (status === 403 || status === 401) return 'denied';
  if (status === 404) return 'missing';
  return status >= 500 || status === 408 || status === 429 ? 'unreachable' : 'refused';
}
