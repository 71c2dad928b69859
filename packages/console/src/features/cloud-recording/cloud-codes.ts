// Error codes of Tencent Cloud and of this server with their texts. For an unknown code, the console shows the message of the cloud.
const textOfCode = {
  InvalidAccessKeyId: 'keyUnknown',
  InvalidSecretId: 'keyUnknown',
  'AuthFailure.SecretIdNotFound': 'keyUnknown',
  'AuthFailure.InvalidSecretId': 'keyUnknown',
  SignatureDoesNotMatch: 'signatureWrong',
  'AuthFailure.SignatureFailure': 'signatureWrong',
  'AuthFailure.SignatureExpire': 'clockWrong',
  RequestTimeTooSkewed: 'clockWrong',
  AccessDenied: 'permissionMissing',
  UnauthorizedOperation: 'permissionMissing',
  'AuthFailure.UnauthorizedOperation': 'permissionMissing',
  NoSuchBucket: 'bucketGone',
  'FailedOperation.InvalidVodUser': 'vodClosed',
  SlowDown: 'tooMany',
  RequestLimitExceeded: 'tooMany',
  InternalError: 'cloudFails',
  ServiceUnavailable: 'cloudFails',
  ENOTFOUND: 'nameUnknown',
  EAI_AGAIN: 'nameUnknown',
  ECONNREFUSED: 'connectionRefused',
  ECONNRESET: 'connectionLost',
  ETIMEDOUT: 'noAnswer',
  ESOCKETTIMEDOUT: 'noAnswer',
} as const;

type CloudCodeText = (typeof textOfCode)[keyof typeof textOfCode];

export function cloudCodeText(code = ''): CloudCodeText | undefined {
  return Object.hasOwn(textOfCode, code) ? textOfCode[code as keyof typeof textOfCode] : undefined;
}
