// Rejection codes of handshakes: 1000 plus the reason (draft-sharabayko-srt-01 §4.3). Reasons from 1000 belong to the application and
// follow HTTP (SRT access control guidelines): 401 is 2401 in the packet, and callers show it as 1401.

export const rejectReason = {
  resource: 1003,
  rogue: 1004,
  version: 1008,
  badSecret: 1010,
  unsecure: 1011,
  messageApi: 1012,
  congestion: 1013,
  badRequest: 2400,
  unauthorized: 2401,
  overload: 2402,
  forbidden: 2403,
  notFound: 2404,
  conflict: 2409,
  unsupportedMedia: 2415,
  unavailable: 2503,
} as const;

export type RejectReason = (typeof rejectReason)[keyof typeof rejectReason];
