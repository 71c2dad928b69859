// Limits of playback authorization.

/**
 * Longest time until the gateway disconnects a session whose authorization has ended, seconds; the same as `watchRenewalMs` of the gateway.
 */
export const renewalSeconds = 10;
/** Validity of the console's query for a protected stream, seconds: a working day. */
export const consoleLinkSeconds = 12 * 3_600;
/** Validity of an entered password, seconds: an evening. */
export const viewerSeconds = 6 * 3_600;
/** Time within which an internal reader of this server must start, seconds; a running one continues. */
export const readerLinkSeconds = 300;
/** Validity of the link to a finished recording in a callback, seconds: a service may download the file days later. */
export const artifactLinkSeconds = 7 * 86_400;
/** Validity of an approval by the operator's service: default, minimum and maximum, seconds. */
export const verdictSeconds = { fallback: 60, least: 5, most: 3_600 } as const;
/** Validity of a refusal, seconds. Refusals are cached, because players retry often. */
export const refusalSeconds = 5;
/** Maximum number of cached verdicts of the operator's service: about 200 bytes each. */
export const maxVerdicts = 20_000;
/** Longest wait after wrong passwords from one address, milliseconds; short, because many people may share the address. */
export const longestGuessDelayMs = 60_000;
/** Maximum number of queued guesses per stream; each takes 50 ms of one processor. */
export const maxWaitingGuesses = 32;
