/** Timeout of a callback, milliseconds. The encoder waits for the response, and the media server gives up after 15 s. */
export const callbackTimeoutMs = 10_000;
/** Time for running notices to complete during a stop, milliseconds. */
export const lastNoticesMs = 1_500;
/** Longest response, bytes. A verdict is a number or a small JSON object. */
export const maxResponseBytes = 64 * 1024;
/** Maximum length of a response in the delivery log, characters: enough to recognize an error page. */
export const maxLoggedResponse = 2_000;
/** Maximum length of a body in the delivery log, characters: enough for an opaque text and a long query. */
export const maxLoggedRequest = 8_000;
/** Maximum number of simultaneous callbacks except viewer callbacks, one socket each. Above this, publishers are refused. */
export const maxCallbacksUnderWay = 256;
/** Maximum number of simultaneous notices. Leaves sockets for publisher callbacks when a target does not respond. */
export const maxNoticesUnderWay = 16;
/** Maximum number of queued notices per stream. Above this, the oldest notice is dropped and counted. */
export const maxNoticesPerStream = 50;
/** Maximum number of queued notices in total, about 1 KB each. Above this, the newest notice is dropped and counted. */
export const maxNoticesWaiting = 2_000;
/** Maximum number of simultaneous viewer callbacks. Separate from publishers, because anyone can cause viewer callbacks. */
export const maxPlaysUnderWay = 128;
