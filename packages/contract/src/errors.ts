// The error catalogue: every numeric code the HTTP API can answer, its HTTP status and what it means.
// A test compares this list with docs/errors.md and with the console's locale files.

import { toWirePhrase, type WirePhrase } from './phrases.ts';
import type { RefusalDetail } from './refusal-details.ts';

export interface ErrorDefinition {
  /** Number in the `code` field of the failure envelope. */
  readonly code: number;
  readonly httpStatus: number;
  /** Default message in English; the console shows its own text by `code` or name. */
  readonly message: string;
}

/**
 * Codes 1007, 2001 and 3001 are known to existing consoles; 100 to 199 are reserved for callbacks; ours start at 4000.
 * HTTP status: existing clients test only for success, so the honest status is used.
 */
export const errorCatalogue = {
  callbackRefused: { code: 100, httpStatus: 403, message: 'the callback target refused' },
  storeNotReady: { code: 1007, httpStatus: 503, message: 'the store is not ready, retry later' },
  tokenInvalid: { code: 2001, httpStatus: 401, message: 'the credential is not accepted, please log in again' },
  httpsToolRequired: {
    code: 3001,
    httpStatus: 409,
    message: 'HTTPS is managed by the hosting panel, use its own tool',
  },
  invalidRequest: { code: 4000, httpStatus: 400, message: 'the request is not valid' },
  bodyTooLarge: { code: 4001, httpStatus: 413, message: 'the request body is too large' },
  bodyTooSlow: { code: 4002, httpStatus: 408, message: 'the request body did not arrive in time' },
  serverBusy: { code: 4003, httpStatus: 503, message: 'too many requests at once, retry in a moment' },
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
    message: 'this password cannot be kept in the configuration file',
  },
  secretFixedByEnvironment: {
    code: 4017,
    httpStatus: 409,
    message: 'the API secret is set by the environment variable SRS_PLATFORM_SECRET, change it there',
  },
  foreignPageRefused: {
    code: 4018,
    httpStatus: 403,
    message: 'a page of another site may not do this',
  },
  publishSecretWrong: { code: 4020, httpStatus: 403, message: 'the publish secret is missing or wrong' },
  streamBusy: { code: 4021, httpStatus: 409, message: 'another publisher is sending this stream' },
  streamNameInvalid: { code: 4022, httpStatus: 400, message: 'the stream name is not allowed' },
  streamNotLive: { code: 4023, httpStatus: 404, message: 'this stream is not live' },
  usageLimitReached: {
    code: 4024,
    httpStatus: 403,
    message: 'the streaming hours of this month are used up',
  },
  serverDraining: {
    code: 4025,
    httpStatus: 503,
    message: 'this server is being drained and takes no new publishers, use another one',
  },
  callbackSourceRefused: { code: 4030, httpStatus: 403, message: 'only the media server may call this' },
  mediaUnusable: { code: 4050, httpStatus: 422, message: 'this cannot be used as a source' },
  mediaUnreachable: { code: 4051, httpStatus: 422, message: 'the source cannot be opened' },
  uploadTooLarge: { code: 4052, httpStatus: 413, message: 'the file is too large' },
  diskFull: { code: 4053, httpStatus: 507, message: 'there is not enough room on the disk' },
  fileNotFound: { code: 4054, httpStatus: 404, message: 'there is no such file in the data folder' },
  fileTypeRefused: { code: 4055, httpStatus: 415, message: 'files of this type are not accepted' },
  sourceBitrateTooHigh: { code: 4056, httpStatus: 422, message: 'the bitrate of the source is above the limit' },
  fileInUse: { code: 4057, httpStatus: 409, message: 'the file is in use' },
  addressRefused: { code: 4058, httpStatus: 400, message: 'this address is not allowed' },
  programMissing: { code: 4059, httpStatus: 503, message: 'FFmpeg is not installed on the server' },
  uploadIncomplete: { code: 4060, httpStatus: 400, message: 'the upload is not complete' },
  watermarkUnusable: { code: 4061, httpStatus: 422, message: 'this picture cannot be used' },
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
  certificateUnusable: { code: 4076, httpStatus: 400, message: 'a server cannot use this certificate' },
  domainInvalid: { code: 4080, httpStatus: 400, message: 'this is not a domain a certificate can be issued for' },
  domainUnresolved: { code: 4081, httpStatus: 422, message: 'the domain has no address' },
  domainElsewhere: { code: 4082, httpStatus: 422, message: 'port 80 of the domain does not lead to this server' },
  certificateOrderFailed: {
    code: 4083,
    httpStatus: 502,
    message: 'the certificate authority did not issue the certificate',
  },
  certificateOrderRunning: { code: 4084, httpStatus: 409, message: 'a certificate is being requested already' },
  certificateAuthorityUnreachable: {
    code: 4085,
    httpStatus: 502,
    message: 'the certificate authority does not answer',
  },
  settingsChanged: { code: 4090, httpStatus: 409, message: 'somebody else saved these settings meanwhile' },
  upgradeWindowTooShort: { code: 4091, httpStatus: 400, message: 'the upgrade window is shorter than 3 hours' },
  homepageInvalid: { code: 4092, httpStatus: 400, message: 'this cannot be the home page' },
  proxyLocationInvalid: { code: 4093, httpStatus: 400, message: 'this path cannot be proxied' },
  backendInvalid: { code: 4094, httpStatus: 400, message: 'this is not a backend server' },
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
    message: 'the media server beside this product decides about this, change its configuration',
  },
  tooManyEventStreams: {
    code: 4110,
    httpStatus: 503,
    message: 'too many consoles are being pushed figures, ask now and then instead',
  },
  upgradeUnavailable: {
    code: 4130,
    httpStatus: 409,
    message: 'this installation cannot upgrade itself',
  },
  upgradeRunning: { code: 4131, httpStatus: 409, message: 'an upgrade, or a look for releases, is under way already' },
  upgradeReleaseChanged: {
    code: 4132,
    httpStatus: 409,
    message: 'this is not the newest release of the channel that was found, look again',
  },
  watchRuleInvalid: { code: 4150, httpStatus: 400, message: 'this rule of who may watch cannot be kept' },
  watchKeysTaken: { code: 4151, httpStatus: 409, message: 'two keys exist already, revoke one of them first' },
  watchKeyMissing: { code: 4152, httpStatus: 409, message: 'there is no key to sign links with, make one first' },
  watchRefused: { code: 4153, httpStatus: 403, message: 'this does not open the stream' },
  watchRightMissing: { code: 4154, httpStatus: 401, message: 'a right to watch this stream is needed' },
  viewerPasswordWrong: { code: 4155, httpStatus: 401, message: 'the password of the stream is wrong' },
  viewerThrottled: {
    code: 4156,
    httpStatus: 429,
    message: 'too many wrong passwords from this address, wait a moment',
  },
  watchPasswordUnused: { code: 4157, httpStatus: 409, message: 'this stream has no password' },
  streamKeysFull: { code: 4158, httpStatus: 409, message: 'there are too many stream keys, revoke some' },
  mediaServerUnreachable: { code: 4100, httpStatus: 502, message: 'the media server does not answer' },
  controlPlaneRestarting: {
    code: 4101,
    httpStatus: 502,
    message: 'the control plane is restarting, retry in a moment',
  },
  videoSiteUnreachable: {
    code: 4102,
    httpStatus: 502,
    message: 'the video site does not answer and the facts of this video are not known',
  },
  nodeAway: { code: 4103, httpStatus: 502, message: 'the server of the cluster that has it does not answer' },
  cloudCredentialsRefused: { code: 4120, httpStatus: 422, message: 'the cloud does not accept these credentials' },
  cloudUnreachable: { code: 4121, httpStatus: 502, message: 'the cloud does not answer' },
  cloudRefused: { code: 4122, httpStatus: 502, message: 'the cloud refused' },
  cloudRecordingExclusive: {
    code: 4123,
    httpStatus: 409,
    message: 'DVR and VoD cannot be on at the same time, switch the other one off first',
  },
  bucketFailed: { code: 4140, httpStatus: 502, message: 'the object storage does not give the file' },
  bucketSettingsIncomplete: {
    code: 4141,
    httpStatus: 400,
    message: 'the settings of the object storage are not complete',
  },
  internal: { code: 4999, httpStatus: 500, message: 'internal error' },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorName = keyof typeof errorCatalogue;

/** Body of every failed call: `{code, data: {message}}`, with the id that is also in the log. */
export interface FailureEnvelope {
  code: number;
  server: number;
  data: {
    /** English: the sentence of the code, then the detail. */
    message: string;
    name: ErrorName;
    requestId?: string;
    retryAfterSeconds?: number;
    /** The detail by its key in the catalogue of reasons, for who tells it in another language; absent when there is none. */
    reason?: WirePhrase;
  };
}

/** Body of every successful call. */
export interface SuccessEnvelope<T> {
  code: 0;
  /** Process id of the answering server. */
  server: number;
  data: T;
}

/** An expected refusal; a server maps it to the failure envelope and status of its name. */
export class AppError extends Error {
  readonly errorName: ErrorName;
  /** When it makes sense to try again, seconds. */
  readonly retryAfterSeconds: number | undefined;
  /** Why, where there is more to say than the sentence of the code. */
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
  /** What the failure envelope says besides code and ids. */
  get facts(): Pick<FailureEnvelope['data'], 'message' | 'name' | 'reason'> {
    const reason = this.detail && { reason: toWirePhrase(this.detail) };
    return { message: this.message, name: this.errorName, ...reason };
  }
}

/** Finds the catalogue name of a numeric code, or undefined for a code we do not know. */
export function errorNameOfCode(code: number): ErrorName | undefined {
  const names = Object.keys(errorCatalogue) as ErrorName[];
  return names.find((name) => errorCatalogue[name].code === code);
}
