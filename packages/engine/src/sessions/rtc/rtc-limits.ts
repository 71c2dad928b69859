// Maximum number of WebRTC peers by memory, and which are ended first at the limit.

/**
 * Memory of one watching peer, bytes: ICE, DTLS and SRTP state in the library, handlers and table entries here. One that never connects
 * takes half of it (155 KB, measured with 1,000 of them).
 */
export const rtcPeerBytes = 300 * 1024;
/** Fraction of this machine's memory for all peers: streams, other viewers and workers need the rest. */
const rtcMemoryShare = 1 / 4;
/**
 * Maximum number of peers of one address that have not connected yet. Connecting takes a tenth of a second, with packet loss some seconds;
 * a school of several hundred behind one router may join simultaneously.
 */
export const maxUnjoinedPerAddress = 512;
/** Maximum number of incomplete bodies of all peers: 64 MB when each has the maximum length. */
export const maxUnreadBodies = 512;
/** Maximum number of incomplete bodies of one address. */
export const maxUnreadBodiesPerAddress = 256;

/** Peers, connecting or connected, that this memory allows. */
export function maxRtcPeers(memoryBytes: number): number {
  return Math.max(1, Math.floor((memoryBytes * rtcMemoryShare) / rtcPeerBytes));
}
