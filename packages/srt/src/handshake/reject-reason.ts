// Rejection codes of the handshake type field (draft-sharabayko-srt-01 §4.3 and the access control guidelines): numbers
// from 1000 are the protocol's, from 1400 they follow HTTP.

export const rejectReason = {
  resource: 1003,
  rogue: 1004,
  version: 1008,
  badSecret: 1010,
  unsecure: 1011,
  messageApi: 1012,
  congestion: 1013,
  badRequest: 1400,
  unauthorized: 1401,
  overload: 1402,
  forbidden: 1403,
  notFound: 1404,
  conflict: 1409,
  unsupportedMedia: 1415,
  unavailable: 1503,
} as const;

export type RejectReason = (typeof rejectReason)[keyof typeof rejectReason];
