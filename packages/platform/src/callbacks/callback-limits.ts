// Every limit of the outgoing callbacks.

/** Timeout of a callback, milliseconds: the encoder waits for the response, and the media server times out after 15 s. */
export const callbackTimeoutMs = 10_000;
/** Time for running notices to complete during a stop, milliseconds. */
export const lastNoticesMs = 1_500;
/** Longest response, bytes: a verdict is a number or one small JSON object. */
export const maxResponseBytes = 64 * 1024;
/** Characters of a response kept in the delivery log: enough to recognize an error page. */
export const maxLoggedResponse = 2_000;
/** Characters of a body kept in the delivery log: enough for an opaque text and a long query. */
export const maxLoggedRequest = 8_000;
/** Maximum number of simultaneous callbacks about publishers, one socket each. Further publishers are refused. */
export const maxCallbacksUnderWay = 256;
/** Maximum number of simultaneous notices, so that an unresponsive target does not use the sockets of publish authorization. */
export const maxNoticesUnderWay = 16;
/** Maximum number of notices waiting for one stream; the oldest is dropped and counted. */
export const maxNoticesPerStream = 50;
/** Maximum number of notices waiting in total, about 1 KB each; the newest is dropped and counted. */
export const maxNoticesWaiting = 2_000;
/**
 * Maximum number of simultaneous callbacks about viewers. They have their own limit because anyone can cause them, and they must not block
 * publishers.
 */
export const maxPlaysUnderWay = 128;
