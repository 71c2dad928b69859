// Every limit of the outgoing callbacks.

/** Longest wait for a target, milliseconds: an encoder waits meanwhile, and the media server times out after 15 s. */
export const callbackTimeoutMs = 10_000;
/** Time that running notices get at a stop, milliseconds. */
export const lastNoticesMs = 1_500;
/** Longest response, bytes: a verdict is a number or one small JSON object. */
export const maxResponseBytes = 64 * 1024;
/** Characters of a response kept in the delivery log: enough to recognize an error page. */
export const maxLoggedResponse = 2_000;
/** Characters of a body kept in the delivery log: enough for an opaque text and a long query. */
export const maxLoggedRequest = 8_000;
/** Maximum number of simultaneous callbacks about publishers: each takes a socket. Beyond it a publisher is refused. */
export const maxCallbacksUnderWay = 256;
/** Maximum number of simultaneous notices: an unresponsive target must not use the sockets of publish authorization. */
export const maxNoticesUnderWay = 16;
/** Maximum number of notices waiting for one stream; the oldest is dropped and counted. */
export const maxNoticesPerStream = 50;
/** Maximum number of notices waiting in total, about 1 KB each; the newest is dropped and counted. */
export const maxNoticesWaiting = 2_000;
/**
 * Maximum number of simultaneous callbacks about viewers, counted separately: anyone can cause them, and they must not block publishers.
 */
export const maxPlaysUnderWay = 128;
