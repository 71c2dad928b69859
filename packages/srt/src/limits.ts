// The limits of the package, with unit and reason.

/**
 * Packets kept per direction of a connection. A power of two keeps ring positions valid when sequence numbers wrap at 2^31. At 1316 bytes
 * and 10 Mbit/s this is 8.6 s, more than any useful latency.
 */
export const flowWindowPackets = 8192;
/** Maximum payload in live mode, bytes: an Ethernet packet of 1500 without the headers of IPv4, UDP and SRT. */
export const maxPayloadBytes = 1456;
/** Maximum number of connections of a listener, without waiting handshakes. Each connection has two rings of 64 KB. */
export const maxConnections = 1024;
/** Maximum number of handshakes that wait for authorization, per listener. Each takes 2 KB. */
export const maxPendingHandshakes = 1024;
/**
 * Maximum number of waiting handshakes per address. A studio behind one router starts its encoders simultaneously, but a flood must not
 * block other addresses.
 */
export const maxPendingPerAddress = 128;
/** Maximum number of stored refusals of 1 KB. A repeated request gets the stored refusal. The oldest refusals are dropped. */
export const maxRememberedRefusals = 1024;
/** Maximum wait for authorization, microseconds. Callers time out earlier, after 3 s (default of libsrt). */
export const pendingTimeoutUs = 10_000_000;
/** Time for which a refusal is stored, microseconds. A refusal may get lost, and then the caller repeats its request. */
export const refusalMemoryUs = 3_000_000;
/** A peer without any packet for this time counts as disconnected, microseconds (SRS: 10 s). Idle peers send keep-alives. */
export const defaultPeerIdleTimeoutUs = 10_000_000;
