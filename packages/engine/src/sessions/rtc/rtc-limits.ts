// How many WebRTC peers there may be, by the memory they take; and which of them go first when that is used up.

/**
 * Memory of one peer that watches, bytes: ICE, DTLS and SRTP state in the library, handlers and table entries here. One that never
 * connects takes half of it (155 KB, measured with 1,000 of them).
 */
export const rtcPeerBytes = 300 * 1024;
/** Share of this machine's memory all peers may take together: streams, other viewers and the workers need the rest. */
const rtcMemoryShare = 1 / 4;
/**
 * Peers of one address that have not connected yet. Connecting takes a tenth of a second, on bad lines some seconds: a school of
 * several hundred behind one router may begin at the same moment.
 */
export const maxUnjoinedPerAddress = 512;
/** Bodies that have not arrived yet, all together: 64 MB when each is as long as it may be. */
export const maxUnreadBodies = 512;
/** The same of one address. */
export const maxUnreadBodiesPerAddress = 256;

/** Peers, connecting or connected, that this much memory allows. */
export function maxRtcPeers(memoryBytes: number): number {
  return Math.max(1, Math.floor((memoryBytes * rtcMemoryShare) / rtcPeerBytes));
}
