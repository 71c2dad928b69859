// Every limit of the public HTTP(S) servers.

/** Longest request line and headers together, bytes: Node answers 431 beyond it. */
export const maxHeaderBytes = 16 * 1024;
/** Most header lines of a request: browsers send about 20, proxies a few more. */
export const maxHeaderCount = 100;
/** A request's headers must be complete this long after the connection or the previous request, milliseconds (slow-loris). */
export const headersTimeoutMs = 10_000;
/** How often Node looks for such connections, milliseconds. */
export const connectionCheckIntervalMs = 2_000;
/** A capped request body must be complete this long after its headers, milliseconds (slow body). */
export const bodyTimeoutMs = 30_000;
/** An upload may pause this long, milliseconds. */
export const uploadStallMs = 60_000;
/** An idle kept connection is closed after this long, milliseconds: the console polls each 10 s. */
export const keepAliveMs = 30_000;
/** A client that was told its body is too large may go on sending this long before the connection is cut, milliseconds. */
export const lingerMs = 1_000;
/** Bodies up to this size are read whole before the control plane is asked, bytes: one write each way. Larger ones stream. */
export const wholeBodyBytes = 64 * 1024;
/** A client may stop reading a proxied answer this long, milliseconds; then it is cut off. */
export const readerStallMs = 60_000;
/** A proxied answer may run ahead of its client by this much, bytes, before the control plane is asked to wait: a few reads. */
export const maxHeldAnswerBytes = 256 * 1024;
/** Longest wait for the control plane's answer, milliseconds: ordering a certificate takes minutes. */
export const answerTimeoutMs = 300_000;
/** Longest pause within an answer, milliseconds: event streams send a comment more often. */
export const answerPauseMs = 300_000;
/** Wait for a connection to the control plane, milliseconds: it is on this machine. */
export const connectTimeoutMs = 2_000;
/** Connections to the control plane; more requests than that wait. Twice what one console page of 100 operators needs. */
export const maxPlatformConnections = 256;
/** Sockets of one public server: below the usual limit of open files, above what one machine serves. */
export const maxPublicConnections = 30_000;
/** Sockets to one backend of a proxied path; more requests than that wait. */
export const maxBackendSockets = 256;
/** Longest wait for a backend's answer, milliseconds: the usual limit of web servers. */
export const backendAnswerMs = 60_000;
/** Longest pause within a backend's answer, milliseconds: event streams send a comment more often. */
export const backendIdleMs = 300_000;
/** A TLS handshake must be done in this time, milliseconds. */
export const handshakeTimeoutMs = 10_000;
/** How often the certificate files are looked at, milliseconds: two stat calls. */
export const certificateCheckMs = 2_000;
/** Longest ACME challenge file, bytes: a key authorisation has about 90. */
export const maxChallengeBytes = 4 * 1024;
/** While the control plane is away, one log line per this long, milliseconds: open consoles ask every second. */
export const awayLogIntervalMs = 10_000;
