// Limits of the callbacks to the control plane.

/** Timeout of the authorization of a publisher, milliseconds; includes the response of the operator's service. */
export const publishVerdictTimeoutMs = 15_000;
/** Timeout of the authorization of a player, milliseconds: short, because players are admitted when it expires. */
export const playVerdictTimeoutMs = 3_000;
/** Time after a timeout of a play authorization in which players are admitted without a request, milliseconds. */
export const playBypassMs = 10_000;
/** Timeout of a notice (on_unpublish, on_stop, on_hls), milliseconds. */
export const noticeTimeoutMs = 10_000;
/** First and longest delay before a notice is resent, milliseconds: the control plane restarts in about one second. */
export const noticeRetryMs = { first: 250, most: 5_000 } as const;
/** Maximum number of queued notices of one stream: ten minutes of one-second segments. Above it the oldest is dropped and counted. */
export const maxNoticesPerStream = 600;
/** Maximum number of queued notices of all streams, about 1 KB each. Above it the newest is dropped and counted. */
export const maxNotices = 10_000;
/** Age at which notices are dropped, milliseconds: their segment files no longer exist. */
export const maxNoticeAgeMs = 10 * 60_000;
/** Maximum number of connections to the control plane for callbacks, which also applies to a connection burst of viewers. */
export const maxCallbackConnections = 32;
/** Longest response body, bytes: a verdict is one small JSON object. */
export const maxResponseBytes = 64 * 1024;
/** Delay from the first unreported viewer to the report, milliseconds; viewers that arrive meanwhile are included. */
export const playReportMs = 250;
/** Delay from the first finished HLS segment to its notice, milliseconds; segments that finish meanwhile are included. */
export const segmentCallMs = 250;
