// Limits of the right to watch.

/** A session whose right has ended is ended by the gateway after this long at most, seconds; `watchRenewalMs` there. */
export const renewalSeconds = 10;
/** How long the console watches a protected stream without asking again, seconds: a working day. */
export const consoleLinkSeconds = 12 * 3_600;
/** How long a password opens a stream before it is asked for again, seconds: an evening. */
export const viewerSeconds = 6 * 3_600;
/** How long a reader of this installation may take to start, seconds; once it reads it goes on. */
export const readerLinkSeconds = 300;
/** How long the link to a finished recording in a callback opens it, seconds: a service may fetch it during the night. */
export const artifactLinkSeconds = 7 * 86_400;
/** How long a yes of the operator's service holds when it does not say, and the bounds of what it may say, seconds. */
export const verdictSeconds = { fallback: 60, least: 5, most: 3_600 } as const;
/** A no holds this long, seconds: players ask again and again. */
export const refusalSeconds = 5;
/** Answers of the operator's service that are remembered: about 200 bytes each. */
export const maxVerdicts = 20_000;
/** Longest wait after wrong passwords of one address, milliseconds: behind one address may be a whole town. */
export const longestGuessDelayMs = 60_000;
/** Guesses of one stream that wait for their turn: each takes 50 ms of one processor. */
export const maxWaitingGuesses = 32;
