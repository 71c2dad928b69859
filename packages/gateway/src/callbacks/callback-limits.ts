/** Timeout of a publisher's authorization, of the operator's verdict about a viewer, and of a query for renditions, milliseconds. */
export const publishVerdictTimeoutMs = 15_000;
/** Timeout of a player's authorization, milliseconds. Short, because a player is admitted after the timeout. */
export const playVerdictTimeoutMs = 3_000;
/** For this time after a timeout, the gateway admits players without calling the control plane, milliseconds. */
export const playBypassMs = 10_000;
/** Timeout of a notice (on_unpublish, on_stop, on_hls) or of a report of admitted viewers, milliseconds. */
export const noticeTimeoutMs = 10_000;
/** First and longest delay before a notice is resent, milliseconds. The control plane restarts in about one second. */
export const noticeRetryMs = { first: 250, most: 5_000 } as const;
/**
 * Maximum number of queued notices of one stream: ten minutes of one-second segments. Above the limit, the oldest notice is dropped and
 * counted.
 */
export const maxNoticesPerStream = 600;
/** Maximum number of queued notices of all streams, about 1 KB each. Above the limit, the newest notice is dropped and counted. */
export const maxNotices = 10_000;
/** Notices above this age are dropped, milliseconds. */
export const maxNoticeAgeMs = 10 * 60_000;
/** Maximum number of connections of one callback client to the control plane, also during a connection burst of viewers. */
export const maxCallbackConnections = 32;
/** Longest response body, bytes. A verdict is one small JSON object. */
export const maxResponseBytes = 64 * 1024;
/** Delay from the first unreported viewer to the report, milliseconds. The report includes all viewers that arrive meanwhile. */
export const playReportMs = 250;
/** Delay from the first finished HLS segment to the notice, milliseconds. The notice includes all segments that finish meanwhile. */
export const segmentCallMs = 250;
