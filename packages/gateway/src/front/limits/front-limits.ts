// Limits of the public HTTP(S) servers. Limits per address, except `maxUnusedConnectionsPerAddress`, do not apply to this machine, because
// a local reverse proxy forwards all clients. With TRUST_PROXY, limits of requests and responses apply to the clients of the proxy.

import type { TurnLimits } from '@srs-stack/process/turn-queue.ts';
import type { Share } from './body-memory.ts';
import type { LaneLimits } from './lane.ts';
import type { TransferLimits } from './transfers.ts';
import type { UnsentLimits } from './unsent-responses.ts';

/** Timeouts that tests shorten. */
export interface Deadlines {
  readonly bodyMs: number;
  readonly uploadStallMs: number;
  readonly readerStallMs: number;
}

/** Maximum size of request line and headers, bytes. Above this size, Node responds with 431. */
export const maxHeaderBytes = 16 * 1024;
/** Maximum number of header lines of a request. Browsers send about 20, proxies a few more. */
export const maxHeaderCount = 100;
/**
 * Maximum number of open and queued requests of one connection. Clients that pipeline send up to ten. Above this number, no further request
 * is read, and the connection closes after the responses; clients repeat the unanswered requests (RFC 9112 §9.3.2).
 */
export const maxRequestsOfConnection = 16;
/**
 * Limits of starting requests; requests above a limit wait. `mostPerTurn` takes about 3 ms of the event loop, a tenth of the time between
 * two frames. `mostPerSecondOfAddress` is enough for 1,000 low-latency players behind one router, and takes a quarter of a core.
 */
export const requestTurns: TurnLimits = { mostPerTurn: 64, turnMs: 10, mostPerSecondOfAddress: 4_000 };
/** Timeout for the headers of a request, milliseconds (slow-loris). Starts with the connection or after the previous request. */
export const headersTimeoutMs = 10_000;
/** Interval at which Node checks for late headers, milliseconds. */
export const connectionCheckIntervalMs = 2_000;
/** Timeout for the body of a call after its headers, milliseconds. */
const bodyTimeoutMs = 30_000;
/** An upload, or a body for a backend, must deliver `uploadProgressBytes` within this time, milliseconds. */
export const uploadStallMs = 60_000;
/** Bytes that an upload must deliver within `uploadStallMs`: 270 bytes per second, which every usable connection exceeds. */
export const uploadProgressBytes = 16 * 1024;
/** Idle timeout of keep-alive connections, milliseconds. The console polls every 10 s. */
export const keepAliveMs = 30_000;
/** Time for which a connection stays open after an error response or after a half-close by the client, milliseconds. */
export const lingerMs = 1_000;
/** A client that reads nothing of a response or a file for this time is disconnected, milliseconds. */
export const readerStallMs = 60_000;
/**
 * Maximum size of complete, unshared responses that clients have not read, bytes. Above a limit, clients that do not read are disconnected.
 * The playlist of a four-hour rewind window has 600 KB, so the limits allow 400 slow viewers, 100 of them behind one router.
 */
export const unsentResponses: UnsentLimits = {
  mostBytes: 256 * 1024 ** 2,
  mostBytesPerAddress: 64 * 1024 ** 2,
  idleMs: 5_000,
};
/** Maximum size of a proxied response that is buffered for the client, bytes. Above this size, reading from the control plane pauses. */
export const maxHeldResponseBytes = 256 * 1024;
/** Timeout for a response of the control plane, milliseconds. Ordering a certificate takes minutes. */
export const responseTimeoutMs = 300_000;
/** Longest pause within a response, milliseconds. Event streams send comments more often. */
export const responsePauseMs = 300_000;
/** Timeout for connecting to the control plane on this machine, milliseconds. */
export const connectTimeoutMs = 2_000;
/** Maximum size of call bodies in memory, bytes: 64 bodies of maximum size. Above the limit, the oldest incomplete body is dropped. */
export const bodyMemory: Share = { most: 64 * 1024 ** 2, mostPerAddress: 16 * 1024 ** 2 };
/** Maximum size of a player's report, bytes. A report about five outputs with every metric has 1,500 bytes. */
export const maxReportBytes = 4 * 1024;
/** Timeout for the body of a report after its headers, milliseconds. */
export const reportBodyMs = 5_000;
/** Maximum size of incomplete reports in memory, bytes: 1,024 reports of maximum size, 128 per address. */
export const reportMemory: Share = { most: 4 * 1024 ** 2, mostPerAddress: 512 * 1024 };
/** Limits of concurrent calls to the control plane. A call takes milliseconds. */
export const callLane: LaneLimits = { most: 128, mostPerAddress: 48, mostWaiting: 4_096, mostWaitingPerAddress: 1_024 };
/** Limits of concurrent uploads, which may take long. Uploads above a limit are refused; clients may retry later. */
export const uploadLane: LaneLimits = { most: 64, mostPerAddress: 24, mostWaiting: 0, mostWaitingPerAddress: 0 };
/** Limits of concurrent event streams, slightly above `maxEventStreams`. The control plane can therefore send the reason of a refusal. */
export const eventLane: LaneLimits = { most: 104, mostPerAddress: 104, mostWaiting: 0, mostWaitingPerAddress: 0 };
/** Limits of concurrent responses that clients read slowly. */
export const slowReaders: TransferLimits = { most: 32, mostPerAddress: 16, idleMs: 1_000 };
/** Limits of complete responses that clients have not read, each with at most `maxHeldResponseBytes`. */
export const unreadResponses: TransferLimits = { most: 512, mostPerAddress: 128, idleMs: 1_000 };
/** Maximum number of connections to the control plane: a connection per concurrent call, upload, event stream and slow reader. */
export const maxPlatformConnections = callLane.most + uploadLane.most + eventLane.most + slowReaders.most;
/** Maximum number of open quick calls (`platform/quick-calls.ts`). Above this number, a call is sent as a normal call. */
export const maxQuickQuestions = callLane.most;
/**
 * When no quick call gets a response for this time, all open quick calls are sent as normal calls, milliseconds. A response from memory
 * takes one millisecond.
 */
export const quickPauseMs = 5_000;
/** Delay between attempts to open the connection for quick calls, milliseconds. Short, so that a started control plane is used soon. */
export const quickRetryMs = 250;
/**
 * Delay after the control plane has refused the connection for quick calls, milliseconds. Long, because the control plane may log each
 * attempt.
 */
export const quickAbsentMs = 10_000;
/** Longest wait of a call for a free connection to the control plane, milliseconds. */
export const callWaitMs = 30_000;
/** Retry-After of a client above a limit, seconds. */
export const busyRetrySeconds = 5;
/**
 * Limits of concurrent file responses; each uses an open file and 128 KB. When all places are in use, a new response replaces a stalled
 * response.
 */
export const fileTransfers: TransferLimits = { most: 1_024, mostPerAddress: 512, idleMs: 5_000 };
/** Size of one read of a file, bytes. Two reads are buffered for a slow client. */
export const fileReadBytes = 64 * 1024;
/** Maximum number of sockets of one public server. Below the usual limit of open files, and above the capacity of one machine. */
export const maxPublicConnections = 30_000;
/**
 * Maximum number of connections without a request: incomplete TLS handshakes, incomplete headers, idle keep-alive. A third of all
 * connections, so that two thirds remain for viewers.
 */
export const maxUnusedConnections = 10_000;
/**
 * Maximum number of connections without a request per address. Browsers keep six per server, so 300 clients fit behind one router. A new
 * connection replaces the oldest, which a browser does not notice.
 */
export const maxUnusedConnectionsPerAddress = 2_048;
/**
 * When all sockets are in use, idle connections are closed for new clients at most once in this time, milliseconds. Closing iterates over
 * all sockets.
 */
export const roomIntervalMs = 1_000;
/** Maximum number of sockets of one address at one public server: five times the need of 300 browsers behind one router. */
export const maxConnectionsPerAddress = 10_000;
/** Maximum number of sockets to one backend of a proxied path. Requests above this number wait. */
export const maxBackendSockets = 256;
/** Limits of requests to one backend. One address cannot use all sockets, but 300 clients behind one router have enough. */
export const backendLane: LaneLimits = {
  most: maxBackendSockets,
  mostPerAddress: 192,
  mostWaiting: 4_096,
  mostWaitingPerAddress: 1_024,
};
/** Limits of concurrent WebSockets to all backends. */
export const webSocketLane: LaneLimits = {
  most: 4_096,
  mostPerAddress: 1_024,
  mostWaiting: 0,
  mostWaitingPerAddress: 0,
};
/** Idle time of a WebSocket before TCP keep-alive probes, milliseconds. */
export const webSocketKeepAliveMs = 60_000;
/** Timeout for a backend's response, milliseconds: the usual limit of web servers. */
export const backendResponseMs = 60_000;
/** Longest pause within a backend's response, milliseconds. Event streams send comments more often. */
export const backendIdleMs = 300_000;
/** Timeout for the control plane's readiness response, milliseconds. Health checks wait 2 s or more. */
export const readinessTimeoutMs = 1_500;
/** Timeout of a TLS handshake, milliseconds. */
export const handshakeTimeoutMs = 10_000;
/**
 * Limits of starting TLS handshakes; handshakes above a limit wait. A handshake takes 0.5 ms of the core that carries the media, so all
 * handshakes use at most half of this core. 300 browsers behind one router connect within four seconds.
 */
export const handshakeTurns: TurnLimits = { mostPerTurn: 4, mostPerSecond: 1_000, mostPerSecondOfAddress: 500 };
/** Interval of checks of the certificate files, milliseconds. Each check is two stat calls. */
export const certificateCheckMs = 2_000;
/** Longest ACME challenge file, bytes. A key authorization has about 90 bytes. */
export const maxChallengeBytes = 4 * 1024;
/** Minimum interval of log lines while the control plane or a backend is unavailable, milliseconds. */
export const awayLogIntervalMs = 10_000;

export const deadlines: Deadlines = { bodyMs: bodyTimeoutMs, uploadStallMs, readerStallMs };
