// Limits of the public HTTP(S) servers. Limits per address do not apply to this machine, because a local reverse proxy forwards all clients
// (TRUST_PROXY then provides their addresses).

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

/** Largest request line and headers together, bytes; above it Node responds with 431. */
export const maxHeaderBytes = 16 * 1024;
/** Maximum number of header lines of a request: browsers send about 20, proxies a few more. */
export const maxHeaderCount = 100;
/**
 * Maximum number of open and queued requests of one connection: clients that pipeline send up to ten. Above it no more are read, and the
 * connection is closed after these responses; clients repeat the rest on a new one (RFC 9112 §9.3.2).
 */
export const maxRequestsOfConnection = 16;
/**
 * Limits of starting requests. `mostPerTurn` takes about 3 ms of the event loop, a tenth of the time between two frames.
 * `mostPerSecondOfAddress` is enough for 1,000 low-latency players behind one router, and takes a quarter of a core; further requests wait
 * for the next second.
 */
export const requestTurns: TurnLimits = { mostPerTurn: 64, turnMs: 10, mostPerSecondOfAddress: 4_000 };
/** Timeout of the headers of a request after the connection or the previous request, milliseconds (slow-loris). */
export const headersTimeoutMs = 10_000;
/** Interval at which Node checks for late headers, milliseconds. */
export const connectionCheckIntervalMs = 2_000;
/** Timeout of the body of a call after its headers, milliseconds (slow body). */
const bodyTimeoutMs = 30_000;
/** Time within which an upload, or a body for a backend, must deliver `uploadProgressBytes`, milliseconds. */
export const uploadStallMs = 60_000;
/** Bytes that an upload must deliver within `uploadStallMs`: 270 bytes per second, less than any usable connection. */
export const uploadProgressBytes = 16 * 1024;
/** Idle timeout of keep-alive connections, milliseconds: the console polls every 10 s. */
export const keepAliveMs = 30_000;
/** Time that a connection stays open after an error response, or after the client has closed its side, milliseconds. */
export const lingerMs = 1_000;
/** Time without reading after which clients of a response or a file are disconnected, milliseconds. */
export const readerStallMs = 60_000;
/**
 * Maximum bytes of complete, unshared responses that clients have not read. The playlist of a four-hour rewind window has 600 KB, so this
 * is enough for 400 viewers on slow connections, 100 of them behind one router. Above it clients that do not read are disconnected.
 */
export const unsentResponses: UnsentLimits = {
  mostBytes: 256 * 1024 ** 2,
  mostBytesPerAddress: 64 * 1024 ** 2,
  idleMs: 5_000,
};
/** Bytes of a proxied response that are buffered for the client before reading from the control plane pauses. */
export const maxHeldResponseBytes = 256 * 1024;
/** Timeout of a response of the control plane, milliseconds: ordering a certificate takes minutes. */
export const responseTimeoutMs = 300_000;
/** Longest pause within a response, milliseconds; event streams send comments more often. */
export const responsePauseMs = 300_000;
/** Connect timeout to the control plane, milliseconds: it is on this machine. */
export const connectTimeoutMs = 2_000;
/** Maximum bytes of call bodies in memory: 64 of the largest. Above it the oldest incomplete one is dropped. */
export const bodyMemory: Share = { most: 64 * 1024 ** 2, mostPerAddress: 16 * 1024 ** 2 };
/** Largest report of a player, bytes; five outputs with every metric take 1,500. */
export const maxReportBytes = 4 * 1024;
/** Timeout of the body of a report after its headers, milliseconds. */
export const reportBodyMs = 5_000;
/** Maximum bytes of incomplete reports in memory, in total and per address: 1,024 and 128 of the largest. */
export const reportMemory: Share = { most: 4 * 1024 ** 2, mostPerAddress: 512 * 1024 };
/** Limits of concurrent calls at the control plane, with complete bodies; a call takes milliseconds. */
export const callLane: LaneLimits = { most: 128, mostPerAddress: 48, mostWaiting: 4_096, mostWaitingPerAddress: 1_024 };
/** Limits of concurrent uploads, which may take long; further ones are refused and may be retried later. */
export const uploadLane: LaneLimits = { most: 64, mostPerAddress: 24, mostWaiting: 0, mostWaitingPerAddress: 0 };
/** Limits of concurrent event streams: a few more than `maxEventStreams`, so that the control plane sends the reason of a refusal. */
export const eventLane: LaneLimits = { most: 104, mostPerAddress: 104, mostWaiting: 0, mostWaitingPerAddress: 0 };
/** Limits of responses that the control plane sends at the pace of a slow client. */
export const slowReaders: TransferLimits = { most: 32, mostPerAddress: 16, idleMs: 1_000 };
/** Limits of complete responses that clients have not read yet, each of at most `maxHeldResponseBytes`. */
export const unreadResponses: TransferLimits = { most: 512, mostPerAddress: 128, idleMs: 1_000 };
/** Maximum number of connections to the control plane: one for each concurrent call, upload, event stream and slow reader. */
export const maxPlatformConnections = callLane.most + uploadLane.most + eventLane.most + slowReaders.most;
/** Maximum number of open quick calls (`platform/quick-calls.ts`), as many as normal calls; further ones are sent as normal calls. */
export const maxQuickQuestions = callLane.most;
/**
 * Time without a response after which all open quick calls are sent as normal calls, milliseconds; a response from memory takes one
 * millisecond.
 */
export const quickPauseMs = 5_000;
/**
 * Delay between attempts to open the connection for quick calls, milliseconds; short, so that a control plane that has just started is used
 * soon.
 */
export const quickRetryMs = 250;
/** Delay after the control plane has refused the connection for quick calls, milliseconds; long, because it may log each attempt. */
export const quickAbsentMs = 10_000;
/** Longest wait of a call for a free connection to the control plane, milliseconds. */
export const callWaitMs = 30_000;
/** Retry-After of a client above a limit, seconds. */
export const busyRetrySeconds = 5;
/**
 * Limits of concurrent file responses, each of which takes a file and 128 KB. When all places are in use, a stalled response is ended for a
 * new one.
 */
export const fileTransfers: TransferLimits = { most: 1_024, mostPerAddress: 512, idleMs: 5_000 };
/** Bytes per read of a file; two reads are buffered for a slow client. */
export const fileReadBytes = 64 * 1024;
/** Maximum number of sockets of one public server: below the usual limit of open files, above the capacity of one machine. */
export const maxPublicConnections = 30_000;
/**
 * Maximum number of connections without a request: incomplete TLS handshakes or headers, idle keep-alive. A third of all, so that viewers
 * of the engine have the rest.
 */
export const maxUnusedConnections = 10_000;
/**
 * Maximum number of connections without a request per address: browsers keep six per server, so this allows 300 clients behind one router.
 * The oldest is closed for a newer one, which a browser does not notice.
 */
export const maxUnusedConnectionsPerAddress = 2_048;
/**
 * Minimum interval of closing idle connections for new clients when all sockets are in use, milliseconds, because closing iterates over all
 * sockets.
 */
export const roomIntervalMs = 1_000;
/** Maximum number of sockets of one address at one public server: ten times as many as 300 clients behind one router need. */
export const maxConnectionsPerAddress = 10_000;
/** Maximum number of sockets to one backend of a proxied path; further requests wait. */
export const maxBackendSockets = 256;
/** Limits of requests at one backend per address: one address cannot use all sockets, but 300 clients behind one router have enough. */
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
/** Keep-alive probe interval of an upgraded connection, milliseconds. */
export const webSocketKeepAliveMs = 60_000;
/** Timeout of a backend's response, milliseconds: the usual limit of web servers. */
export const backendResponseMs = 60_000;
/** Longest pause within a backend's response, milliseconds; event streams send comments more often. */
export const backendIdleMs = 300_000;
/** Timeout of the control plane's readiness response, milliseconds; health checks wait 2 s or more. */
export const readinessTimeoutMs = 1_500;
/** Timeout of a TLS handshake, milliseconds. */
export const handshakeTimeoutMs = 10_000;
/**
 * TLS handshakes started per turn of the event loop and per second: each takes 0.5 ms of the core that carries the media, so that all
 * together use at most half of it. Per address: what 300 browsers behind one router start within four seconds. Further ones wait.
 */
export const handshakeTurns: TurnLimits = { mostPerTurn: 4, mostPerSecond: 1_000, mostPerSecondOfAddress: 500 };
/** Interval of checks of the certificate files, milliseconds; each is two stat calls. */
export const certificateCheckMs = 2_000;
/** Longest ACME challenge file, bytes; a key authorization has about 90. */
export const maxChallengeBytes = 4 * 1024;
/** Minimum interval of log lines while the control plane is unavailable, milliseconds; open consoles send requests every second. */
export const awayLogIntervalMs = 10_000;

export const deadlines: Deadlines = { bodyMs: bodyTimeoutMs, uploadStallMs, readerStallMs };
