// Error catalogue: code, HTTP status and message of every API error. A test compares the catalogue with docs/reference/errors.md and the
// console's texts.

import { toWirePhrase, type WirePhrase } from './phrases.ts';
import type { RefusalDetail } from './refusal-details.ts';

export interface ErrorDefinition {
  readonly code: number;
  readonly httpStatus: number;
  /** Default English message. The console has its own texts. */
  readonly message: string;
}

/**
 * Older consoles know the codes 1007, 2001 and 3001. Codes 100 to 199 belong to callbacks; new codes start at 4000. Older clients only
 * check for success, so each code can have the appropriate HTTP status.
 */
export const errorCatalogue = {
  callbackRefused: { code: 100, httpStatus: 403, message: 'the callback target refused the publisher or viewer' },
  storeNotReady: { code: 1007, httpStatus: 503, message: 'the store is not ready, retry later' },
  tokenInvalid: { code: 2001, httpStatus: 401, message: 'the credential is not accepted, please log in again' },
  httpsToolRequired: {
    code: 3001,
    httpStatus: 409,
    message: 'HTTPS is managed by the hosting panel: change it in that panel',
  },
  invalidRequest: { code: 4000, httpStatus: 400, message: 'the request is not valid' },
  bodyTooLarge: { code: 4001, httpStatus: 413, message: 'the request body is too large' },
  bodyTooSlow: { code: 4002, httpStatus: 408, message: 'the request body did not arrive in time' },
  serverBusy: { code: 4003, httpStatus: 503, message: 'too many simultaneous requests, retry in a moment' },
  notFound: { code: 4004, httpStatus: 404, message: 'not found' },
  notInitialised: { code: 4010, httpStatus: 409, message: 'no admin password is set yet, open the console to set one' },
  alreadyInitialised: { code: 4011, httpStatus: 409, message: 'an admin password is already set' },
  passwordMissing: { code: 4012, httpStatus: 400, message: 'the password is missing' },
  passwordWrong: { code: 4013, httpStatus: 401, message: 'the password is wrong' },
  loginThrottled: {
    code: 4014,
    httpStatus: 429,
    message: 'too many failed logins from this address, wait and try again',
  },
  setupTokenWrong: { code: 4015, httpStatus: 403, message: 'the setup token is missing or wrong' },
  passwordUnusable: {
    code: 4016,
    httpStatus: 400,
    message: 'this password cannot be stored in the configuration file',
  },
  secretFixedByEnvironment: {
    code: 4017,
    httpStatus: 409,
    message: 'the API secret is set by the environment variable SRS_PLATFORM_SECRET, change it there',
  },
  foreignPageRefused: {
    code: 4018,
    httpStatus: 403,
    message: 'the request comes from a page of another site and is refused',
  },
  publishSecretWrong: { code: 4020, httpStatus: 403, message: 'the publish secret is missing or wrong' },
  streamBusy: { code: 4021, httpStatus: 409, message: 'another publisher is sending this stream' },
  streamNameInvalid: { code: 4022, httpStatus: 400, message: 'the stream name is not allowed' },
  streamNotLive: { code: 4023, httpStatus: 404, message: 'this stream is not live' },
  usageLimitReached: {
    code: 4024,
    httpStatus: 403,
    message: 'the limit of streaming hours for this month is reached',
  },
  serverDraining: {
    code: 4025,
    httpStatus: 503,
    message: 'this server is draining and accepts no new publishers, use another one',
  },
  callbackSourceRefused: { code: 4030, httpStatus: 403, message: 'only the media server may make this call' },
  mediaUnusable: { code: 4050, httpStatus: 422, message: 'this file or stream cannot be used as a source' },
  mediaUnreachable: { code: 4051, httpStatus: 422, message: 'the source cannot be opened' },
  uploadTooLarge: { code: 4052, httpStatus: 413, message: 'the file is too large' },
  diskFull: { code: 4053, httpStatus: 507, message: 'there is not enough disk space' },
  fileNotFound: { code: 4054, httpStatus: 404, message: 'there is no such file in the data folder' },
  fileTypeRefused: { code: 4055, httpStatus: 415, message: 'files of this type are not accepted' },
  sourceBitrateTooHigh: { code: 4056, httpStatus: 422, message: 'the bitrate of the source is above the limit' },
  fileInUse: { code: 4057, httpStatus: 409, message: 'the file is in use' },
  addressRefused: { code: 4058, httpStatus: 400, message: 'this address is not allowed' },
  programMissing: { code: 4059, httpStatus: 503, message: 'FFmpeg is not installed on the server' },
  uploadIncomplete: { code: 4060, httpStatus: 400, message: 'the upload is not complete' },
  watermarkUnusable: { code: 4061, httpStatus: 422, message: 'this image cannot be used' },
  slateUnusable: { code: 4062, httpStatus: 422, message: 'this slate cannot be drawn' },
  certificateFormat: { code: 4070, httpStatus: 400, message: 'the certificate cannot be read' },
  certificateKeyFormat: { code: 4071, httpStatus: 400, message: 'the private key cannot be read' },
  certificateMismatch: {
    code: 4072,
    httpStatus: 400,
    message: 'the private key does not belong to the certificate',
  },
  certificateExpired: { code: 4073, httpStatus: 400, message: 'the certificate has expired' },
  certificateNotYetValid: { code: 4074, httpStatus: 400, message: 'the certificate is not valid yet' },
  certificateChain: { code: 4075, httpStatus: 400, message: 'the certificates do not form a chain' },
  certificateUnusable: { code: 4076, httpStatus: 400, message: 'this certificate cannot be used for HTTPS' },
  domainInvalid: { code: 4080, httpStatus: 400, message: 'no certificate can be issued for this domain' },
  domainUnresolved: { code: 4081, httpStatus: 422, message: 'the domain has no DNS address record' },
  domainElsewhere: { code: 4082, httpStatus: 422, message: 'port 80 of the domain does not reach this server' },
  certificateOrderFailed: {
    code: 4083,
    httpStatus: 502,
    message: 'the certificate authority did not issue the certificate',
  },
  certificateOrderRunning: { code: 4084, httpStatus: 409, message: 'a certificate order is already running' },
  certificateAuthorityUnreachable: {
    code: 4085,
    httpStatus: 502,
    message: 'the certificate authority does not respond',
  },
  settingsChanged: {
    code: 4090,
    httpStatus: 409,
    message: 'these settings were changed by someone else, reload them',
  },
  upgradeWindowTooShort: { code: 4091, httpStatus: 400, message: 'the upgrade window is shorter than 3 hours' },
  homepageInvalid: { code: 4092, httpStatus: 400, message: 'the home page cannot redirect to this address' },
  proxyLocationInvalid: { code: 4093, httpStatus: 400, message: 'this path cannot be proxied' },
  backendInvalid: { code: 4094, httpStatus: 400, message: 'this is not a valid backend server' },
  publicKeyInvalid: { code: 4095, httpStatus: 400, message: 'this is not an SSH public key' },
  keyFileNotConfigured: {
    code: 4096,
    httpStatus: 409,
    message: 'no authorized-keys file is configured, set AUTHORIZED_KEYS_FILE and restart',
  },
  keyFileUnusable: { code: 4097, httpStatus: 409, message: 'the authorized-keys file cannot be used' },
  componentForeign: {
    code: 4098,
    httpStatus: 409,
    message: 'this component belongs to the external media server, change the configuration of that server',
  },
  tooManyEventStreams: {
    code: 4110,
    httpStatus: 503,
    message: 'too many consoles receive live updates, poll the metrics instead',
  },
  upgradeUnavailable: {
    code: 4130,
    httpStatus: 409,
    message: 'this installation cannot upgrade itself',
  },
  upgradeRunning: { code: 4131, httpStatus: 409, message: 'an upgrade or an update check is already running' },
  upgradeReleaseChanged: {
    code: 4132,
    httpStatus: 409,
    message: 'this is not the newest release of the channel, check for updates again',
  },
  watchRuleInvalid: { code: 4150, httpStatus: 400, message: 'this access rule is not valid' },
  watchKeysTaken: { code: 4151, httpStatus: 409, message: 'two signing keys exist already, revoke one of them first' },
  watchKeyMissing: { code: 4152, httpStatus: 409, message: 'there is no key to sign links, create one first' },
  watchRefused: {
    code: 4153,
    httpStatus: 403,
    message: 'this link or password does not authorize playback of the stream',
  },
  watchRightMissing: { code: 4154, httpStatus: 401, message: 'playback of this stream requires authorization' },
  viewerPasswordWrong: { code: 4155, httpStatus: 401, message: 'the password of the stream is wrong' },
  viewerThrottled: {
    code: 4156,
    httpStatus: 429,
    message: 'too many wrong passwords from this address, wait a moment',
  },
  watchPasswordUnused: { code: 4157, httpStatus: 409, message: 'this stream has no password' },
  streamKeysFull: { code: 4158, httpStatus: 409, message: 'the maximum number of stream keys is reached, revoke some' },
  mediaServerUnreachable: { code: 4100, httpStatus: 502, message: 'the media server does not respond' },
  controlPlaneRestarting: {
    code: 4101,
    httpStatus: 502,
    message: 'the control plane is restarting, retry in a moment',
  },
  videoSiteUnreachable: {
    code: 4102,
    httpStatus: 502,
    message: 'the video site does not respond, and this server has no stored data of the video',
  },
  nodeAway: {
    code: 4103,
    httpStatus: 502,
    message: 'the cluster node that stores the requested data does not respond',
  },
  cloudCredentialsRefused: {
    code: 4120,
    httpStatus: 422,
    message: 'the cloud service does not accept these credentials',
  },
  cloudUnreachable: { code: 4121, httpStatus: 502, message: 'the cloud service does not respond' },
  cloudRefused: { code: 4122, httpStatus: 502, message: 'the cloud service refused the request' },
  cloudRecordingExclusive: {
    code: 4123,
    httpStatus: 409,
    message: 'DVR and VoD cannot be on at the same time, switch the other one off first',
  },
  bucketFailed: { code: 4140, httpStatus: 502, message: 'the object storage did not return the file' },
  bucketSettingsIncomplete: {
    code: 4141,
    httpStatus: 400,
    message: 'the object storage settings are incomplete',
  },
  internal: { code: 4999, httpStatus: 500, message: 'internal error' },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorName = keyof typeof errorCatalogue;

/** Body of every failed call. The request id is also in the log. */
export interface FailureEnvelope {
  code: number;
  server: number;
  data: {
    /** English message of the code, followed by the detail. */
    message: string;
    name: ErrorName;
    requestId?: string;
    retryAfterSeconds?: number;
    /** Message key of the detail, for translation; absent without a detail. */
    reason?: WirePhrase;
  };
}

/** Body of every successful call. */
export interface SuccessEnvelope<T> {
  code: 0;
  server: number;
  data: T;
}

/** A refusal with a name from the catalogue, which determines status and failure envelope. */
export class AppError extends Error {
  readonly errorName: ErrorName;
  /** Recommended time before a retry, seconds. */
  readonly retryAfterSeconds: number | undefined;
  /** The cause; undefined if the message of the code suffices. */
  readonly detail: RefusalDetail | undefined;
  constructor(errorName: ErrorName, detail?: RefusalDetail, options?: ErrorOptions & { retryAfterSeconds?: number }) {
    const { message } = errorCatalogue[errorName];
    super(detail?.text ? `${message}: ${detail.text}` : message, options);
    this.name = 'AppError';
    this.errorName = errorName;
    this.detail = detail?.text ? detail : undefined;
    this.retryAfterSeconds = options?.retryAfterSeconds;
  }
  get definition(): ErrorDefinition {
    return errorCatalogue[this.errorName];
  }
  /** The failure envelope's fields that do not depend on the request. */
  get facts(): Pick<FailureEnvelope['data'], 'message' | 'name' | 'reason'> {
    const reason = this.detail && { reason: toWirePhrase(this.detail) };
    return { message: this.message, name: this.errorName, ...reason };
  }
}

/** Finds the name of an error code; undefined if unknown. */
export function errorNameOfCode(code: number): ErrorName | undefined {
  const names = Object.keys(errorCatalogue) as ErrorName[];
  return names.find((name) => errorCatalogue[name].code === code);
}
