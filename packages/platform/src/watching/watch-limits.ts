// Limits of playback authorization.

/**
 * Maximum time until the gateway disconnects a session without valid authorization, seconds. Must equal `watchRenewalMs` of the gateway.
 */
export const renewalSeconds = 10;
/** Validity of the console's query for protected streams, seconds: a working day. */
export const consoleLinkSeconds = 12 * 3_600;
/** Validity of an entered password, seconds: an evening. */
export const viewerSeconds = 6 * 3_600;
/** An internal reader of this server must start within this time, seconds. A running reader continues. */
export const readerLinkSeconds = 300;
/** Validity of recording links in callbacks, seconds: a service may download days later. */
export const artifactLinkSeconds = 7 * 86_400;
/** Validity of an approval by the operator's service: default, minimum and maximum, seconds. */
export const verdictSeconds = { fallback: 60, least: 5, most: 3_600 } as const;
/** Validity of a refusal, seconds. Refusals are cached, because players retry often. */
export const refusalSeconds = 5;
/** Maximum number of cached verdicts, about 200 bytes each. */
export const maxVerdicts = 20_000;
/** Maximum wait after wrong passwords from one address, milliseconds. Short, because many people may share an address. */
export const longestGuessDelayMs = 60_000;
/** Maximum number of queued guesses at one password. A guess takes 50 ms of a CPU core. */
export const maxWaitingGuesses = 32;
