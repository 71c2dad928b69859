// Every limit of the callbacks to the control plane.

/** Longest wait for the verdict on a publisher, milliseconds: it includes the operator's own callback target. */
export const publishVerdictTimeoutMs = 15_000;
/** Longest wait for the verdict on a player, milliseconds: plays are let in when nobody answers, so do not keep them. */
export const playVerdictTimeoutMs = 3_000;
/** After a play verdict timed out, players are let in without asking for this long, milliseconds. */
export const playBypassMs = 10_000;
/** Longest wait for the receipt of a notice (on_unpublish, on_stop, on_hls), milliseconds. */
export const noticeTimeoutMs = 10_000;
/** First and longest pause before a notice is sent again, milliseconds: a restart of the control plane takes about one second. */
export const noticeRetryMs = { first: 250, most: 5_000 } as const;
/** Notices waiting for one stream: ten minutes of one-second segments. The oldest is dropped and counted. */
export const maxNoticesPerStream = 600;
/** Notices waiting in all, about 1 KB each. The newest is dropped and counted. */
export const maxNotices = 10_000;
/** A notice older than this is dropped, milliseconds: its segment file is long gone. */
export const maxNoticeAgeMs = 10 * 60_000;
/** Connections to the control plane for callbacks: a rush of viewers must not open one each. */
export const maxCallbackConnections = 32;
/** Longest answer read, bytes: a verdict is one small JSON object. */
export const maxAnswerBytes = 64 * 1024;
/** From the first viewer that the control plane is told of to the report, milliseconds: all who come meanwhile go along. */
export const playReportMs = 250;
/** From the first finished HLS segment to the call that tells of it, milliseconds: what other streams finish meanwhile goes along. */
export const segmentCallMs = 250;
