// Limits for WebRTC peers, mainly by memory.

/**
 * Memory of one watching peer, bytes: ICE, DTLS and SRTP state in native code, and objects here. A peer that never connects uses half (155
 * KB, measured with 1,000 peers).
 */
export const rtcPeerBytes = 300 * 1024;
/** Fraction of the machine's memory that all peers may use. Streams, other viewers and workers need the rest. */
const rtcMemoryShare = 1 / 4;
/**
 * Maximum number of peers of one address that are still connecting. Several hundred viewers of a school may join simultaneously behind one
 * router. Connecting takes a tenth of a second, or some seconds with packet loss.
 */
export const maxUnjoinedPerAddress = 512;
/** Maximum number of incomplete request bodies: 64 MB when all have the maximum size. */
export const maxUnreadBodies = 512;
/** Maximum number of incomplete request bodies of one address. */
export const maxUnreadBodiesPerAddress = 256;

/** Maximum number of peers, connecting or connected, for this memory. */
export function maxRtcPeers(memoryBytes: number): number {
  return Math.max(1, Math.floor((memoryBytes * rtcMemoryShare) / rtcPeerBytes));
}
