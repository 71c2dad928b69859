// Turns anything that was thrown into what the alert shows. Pure; the words are in the locale files.
import { ApiError } from '../../api/api-error.ts';

/** Errors with a text of their own in the locale files. */
const explainedCodes = {
  1007: 'storeNotReady',
  2001: 'sessionExpired',
  3001: 'httpsTool',
  4000: 'invalidRequest',
  4001: 'bodyTooLarge',
  4002: 'bodyTooSlow',
  4003: 'serverBusy',
  4004: 'notFound',
  4010: 'notInitialised',
  4011: 'alreadyInitialised',
  4012: 'passwordMissing',
  4013: 'passwordWrong',
  4014: 'loginThrottled',
  4015: 'setupTokenWrong',
  4016: 'passwordUnusable',
  4017: 'secretFixedByEnvironment',
  4018: 'foreignPageRefused',
  4020: 'publishSecretWrong',
  4021: 'streamBusy',
  4022: 'streamNameInvalid',
  4023: 'streamNotLive',
  4024: 'usageLimitReached',
  4025: 'serverDraining',
  4050: 'mediaUnusable',
  4051: 'mediaUnreachable',
  4052: 'uploadTooLarge',
  4053: 'diskFull',
  4054: 'fileNotFound',
  4055: 'fileTypeRefused',
  4056: 'sourceBitrateTooHigh',
  4057: 'fileInUse',
  4058: 'addressRefused',
  4059: 'programMissing',
  4060: 'uploadIncomplete',
  4061: 'watermarkUnusable',
  4090: 'settingsChanged',
  4091: 'upgradeWindowTooShort',
  4092: 'homepageInvalid',
  4093: 'proxyLocationInvalid',
  4094: 'backendInvalid',
  4095: 'publicKeyInvalid',
  4096: 'keyFileNotConfigured',
  4097: 'keyFileUnusable',
  4098: 'componentForeign',
  4100: 'mediaServerUnreachable',
  4101: 'controlPlaneRestarting',
  4102: 'videoSiteUnreachable',
  4103: 'nodeAway',
  4110: 'tooManyEventStreams',
  4120: 'cloudCredentialsRefused',
  4121: 'cloudUnreachable',
  4122: 'cloudRefused',
  4123: 'cloudRecordingExclusive',
  4130: 'upgradeUnavailable',
  4131: 'upgradeRunning',
  4132: 'upgradeReleaseChanged',
  4140: 'bucketFailed',
  4141: 'bucketSettingsIncomplete',
  4150: 'watchRuleInvalid',
  4151: 'watchKeysTaken',
  4152: 'watchKeyMissing',
  4153: 'watchRefused',
  4154: 'watchRightMissing',
  4155: 'viewerPasswordWrong',
  4156: 'viewerThrottled',
  4157: 'watchPasswordUnused',
  4158: 'streamKeysFull',
  4999: 'internal',
} as const;

type Explanation = (typeof explainedCodes)[keyof typeof explainedCodes] | 'network' | 'timeout' | 'malformed';

export interface ErrorDescription {
  /** Key of the locale files with what happened and what to do; undefined for what we cannot explain. */
  explanation?: Explanation;
  /** One of the three codes that show only code and message. */
  isBrief?: boolean;
  /** Facts for support, in this order. */
  facts: readonly { name: ErrorFact; value: string; isBlock?: boolean }[];
  requestId?: string;
}

type ErrorFact = 'code' | 'message' | 'request' | 'status' | 'data' | 'name' | 'stack' | 'object' | 'empty';

/** Codes every console of this kind explains without the raw answer. */
const briefCodes: readonly number[] = [1007, 2001, 3001];

export function describeError(error: unknown): ErrorDescription {
  if (error instanceof ApiError) return describeApiError(error);
  if (error instanceof Error) return describePlainError(error);
  if (error === undefined || error === null || error === '') return { facts: [{ name: 'empty', value: '' }] };
  return { facts: [{ name: 'object', value: toJson(error), isBlock: true }] };
}

function describeApiError(error: ApiError): ErrorDescription {
  const common = { ...explanationOf(error), ...(error.requestId ? { requestId: error.requestId } : {}) };
  const code = { name: 'code', value: String(error.code) } as const;
  const message = { name: 'message', value: error.message } as const;
  if (briefCodes.includes(error.code)) return { ...common, isBrief: true, facts: [code, message] };
  const request = { name: 'request', value: error.url } as const;
  const status = { name: 'status', value: `${error.status} ${error.statusText}`.trim() } as const;
  const data = { name: 'data', value: toJson(error.body), isBlock: true } as const;
  if (error.kind === 'refused') return { ...common, facts: [request, status, code, message, data] };
  if (error.status === 0) return { ...common, facts: [request, message] };
  return { ...common, facts: [request, status, message, data] };
}

function explanationOf(error: ApiError): { explanation?: Explanation } {
  if (error.code in explainedCodes) return { explanation: explainedCodes[error.code as keyof typeof explainedCodes] };
  if (error.kind === 'network' || error.kind === 'timeout' || error.kind === 'malformed')
    return { explanation: error.kind };
  return {};
}

function describePlainError(error: Error): ErrorDescription {
  return {
    facts: [
      { name: 'name', value: error.name },
      { name: 'message', value: error.message },
      ...(error.stack ? [{ name: 'stack', value: error.stack, isBlock: true } as const] : []),
    ],
  };
}

function toJson(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value, null, 2) ?? String(value);
  } catch {
    return String(value);
  }
}
