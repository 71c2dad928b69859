// Every limit of the outgoing callbacks.

/** Longest wait for a target, milliseconds: an encoder waits meanwhile, and the media server gives up after 15 s. */
export const callbackTimeoutMs = 10_000;
/** Notices under way at a stop get this long, milliseconds. */
export const lastNoticesMs = 1_500;
/** Longest answer read, bytes: a verdict is a number or one small JSON object. */
export const maxAnswerBytes = 64 * 1024;
/** Characters of an answer kept in the delivery log: enough to see an error page for what it is. */
export const maxLoggedAnswer = 2_000;
/** Characters of a body kept in the delivery log; an opaque text and a long query fit. */
export const maxLoggedRequest = 8_000;
/** Callbacks under way at once, whoever they wait for: each is a socket. Beyond it a publisher is refused. */
export const maxCallbacksUnderWay = 256;
/** Notices under way at once: a dead target must not take the sockets of the verdicts. */
export const maxNoticesUnderWay = 16;
/** Notices waiting for one stream; the oldest is dropped and counted. */
export const maxNoticesPerStream = 50;
/** Notices waiting in all, about 1 KB each; the newest is dropped and counted. */
export const maxNoticesWaiting = 2_000;
/** Callbacks about viewers under way at once, beside those: anybody can make them, and must not keep publishers out. */
export const maxPlaysUnderWay = 128;
