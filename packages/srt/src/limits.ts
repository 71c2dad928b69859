// The limits of the package, with unit and reason.

/**
 * Packets kept per direction of a connection. A power of two, so that ring positions stay valid across the wrap at 2^31. At 1316 bytes and
 * 10 Mbit/s this is 8.6 s, above any useful latency.
 */
export const flowWindowPackets = 8192;
/** Longest payload in live mode, bytes: an Ethernet packet of 1500 without the headers of IPv4, UDP and SRT. */
export const maxPayloadBytes = 1456;
/** Connections of one listener, all states: each holds two rings of 64 KB. */
export const maxConnections = 1024;
/** Handshakes waiting for authorization, per listener: 2 KB each. */
export const maxPendingHandshakes = 1024;
/**
 * Maximum number of waiting handshakes per address: a studio behind one router starts its encoders simultaneously; a flood must not block
 * other addresses.
 */
export const maxPendingPerAddress = 128;
/** Refusals that are stored, so that a retransmitted request gets the same refusal: 1 KB each. The oldest are dropped. */
export const maxRememberedRefusals = 1024;
/** Longest wait for a decision, microseconds: callers time out after 3 s (libsrt's connection timeout). */
export const pendingTimeoutUs = 10_000_000;
/** A refusal is repeated on request for this time, microseconds, because it may get lost. */
export const refusalMemoryUs = 3_000_000;
/** A peer that sends nothing, not even keep-alives, for this time is considered disconnected, microseconds (SRS: 10 s). */
export const defaultPeerIdleTimeoutUs = 10_000_000;
