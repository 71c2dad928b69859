// Limits of the public HTTP(S) servers. Limits per address do not apply to this machine itself, because a local reverse proxy forwards all
// clients (TRUST_PROXY then gives their addresses).

import type { TurnLimits } from '@srs-stack/process/turn-queue.ts';
import type { Share } from './body-memory.ts';
import type { LaneLimits } from './lane.ts';
import type { TransferLimits } from './transfers.ts';
import type { UnsentLimits } from './unsent-responses.ts';

/** Limits that tests shorten. */
export interface Deadlines {
  readonly bodyMs: number;
  readonly uploadStallMs: number;
  readonly readerStallMs: number;
}

/** Longest request line and headers together, bytes: above it Node responds with 431. */
export const maxHeaderBytes = 16 * 1024;
/** Maximum number of header lines of a request: browsers send about 20, proxies a few more. */
export const maxHeaderCount = 100;
/**
 * Open and queued requests of one connection: clients that pipeline send up to ten. Above it nothing more is read, and the connection is
 * closed after these responses; clients repeat the rest on a new one (RFC 9112 §9.3.2).
 */
export const maxRequestsOfConnection = 16;
/**
 * Requests started per turn of the event loop: about 3 ms, a tenth of the time between two frames. Per second, one address may start what
 * 1,000 low-latency players behind one router need, a quarter of a core's capacity; more waits for the next second.
 */
export const requestTurns: TurnLimits = { mostPerTurn: 64, turnMs: 10, mostPerSecondOfAddress: 4_000 };
/** Time limit for the headers of a request after the connection or the previous request, milliseconds (slow-loris). */
export const headersTimeoutMs = 10_000;
/** Interval of Node's check for late headers, milliseconds. */
export const connectionCheckIntervalMs = 2_000;
/** Time limit for the body of a call after its headers, milliseconds (slow body). */
const bodyTimeoutMs = 30_000;
/** An upload must deliver `uploadProgressBytes` within this time, milliseconds; so must a body for a backend. */
export const uploadStallMs = 60_000;
/** Bytes that an upload must deliver within `uploadStallMs`: 270 bytes per second, less than any usable connection. */
export const uploadProgressBytes = 16 * 1024;
/** Idle keep-alive connections are closed after this time, milliseconds: the console polls every 10 s. */
export const keepAliveMs = 30_000;
/** After an error response, or when the client has closed its side, the connection is kept for this time, milliseconds. */
export const lingerMs = 1_000;
/** Clients that stop reading a response or a file for this time are disconnected, milliseconds. */
export const readerStallMs = 60_000;
/**
 * Bytes of complete, unshared responses that clients have not read: the playlist of a four-hour rewind window has 600 KB, so this is enough
 * for 400 viewers on slow connections, 100 behind one router. Above it a client that does not read is disconnected.
 */
export const unsentResponses: UnsentLimits = {
  mostBytes: 256 * 1024 ** 2,
  mostBytesPerAddress: 64 * 1024 ** 2,
  idleMs: 5_000,
};
/** Bytes of a proxied response buffered ahead of the client before the control plane is paused: a few reads. */
export const maxHeldResponseBytes = 256 * 1024;
/** Timeout of a response of the control plane, milliseconds: ordering a certificate takes minutes. */
export const responseTimeoutMs = 300_000;
/** Longest pause within a response, milliseconds: event streams send comments more often. */
export const responsePauseMs = 300_000;
/** Connect timeout to the control plane, milliseconds: it is on this machine. */
export const connectTimeoutMs = 2_000;
/** Bytes of call bodies in memory: 64 of the largest; above it the oldest incomplete one is dropped. */
export const bodyMemory: Share = { most: 64 * 1024 ** 2, mostPerAddress: 16 * 1024 ** 2 };
/** Largest report of a player, bytes: five outputs with every metric have 1,500. */
export const maxReportBytes = 4 * 1024;
/** Time limit for a report after its headers, milliseconds. */
export const reportBodyMs = 5_000;
/** Bytes of incomplete reports in memory: 1,024 and 128 of the largest. */
export const reportMemory: Share = { most: 4 * 1024 ** 2, mostPerAddress: 512 * 1024 };
/** Concurrent calls at the control plane, with complete bodies; a call takes milliseconds. */
export const callLane: LaneLimits = { most: 128, mostPerAddress: 48, mostWaiting: 4_096, mostWaitingPerAddress: 1_024 };
/** Concurrent uploads, however long they take; more get a response to retry later. */
export const uploadLane: LaneLimits = { most: 64, mostPerAddress: 24, mostWaiting: 0, mostWaitingPerAddress: 0 };
/** Concurrent event streams: a few more than the control plane admits (`maxEventStreams`), so that it sends the reason of a refusal. */
export const eventLane: LaneLimits = { most: 104, mostPerAddress: 104, mostWaiting: 0, mostWaitingPerAddress: 0 };
/** Responses that the control plane sends at the pace of a slow client. */
export const slowReaders: TransferLimits = { most: 32, mostPerAddress: 16, idleMs: 1_000 };
/** Complete responses that clients have not read yet, each of at most `maxHeldResponseBytes`. */
export const unreadResponses: TransferLimits = { most: 512, mostPerAddress: 128, idleMs: 1_000 };
/** Connections to the control plane: one for each place above. */
export const maxPlatformConnections = callLane.most + uploadLane.most + eventLane.most + slowReaders.most;
/** Open requests on the connection of quick calls: as many as calls; above it calls are sent in full. */
export const maxQuickQuestions = callLane.most;
/**
 * When a quick call gets no response for this time, milliseconds, all open ones are sent in full: a response from memory takes one
 * millisecond.
 */
export const quickPauseMs = 5_000;
/** Delay between attempts to open that connection, milliseconds: it is used soon after the control plane starts. */
export const quickRetryMs = 250;
/** The same after the control plane refused it, milliseconds: another product, or one that logs each call. */
export const quickAbsentMs = 10_000;
/** Longest wait of a call for a free connection to the control plane, milliseconds. */
export const callWaitMs = 30_000;
/** Retry-After of a client above a limit, seconds. */
export const busyRetrySeconds = 5;
/** Concurrent file responses: each holds a file and 128 KB. When all are in use, a stalled one makes room. */
export const fileTransfers: TransferLimits = { most: 1_024, mostPerAddress: 512, idleMs: 5_000 };
/** Read size of a file, bytes: two reads are buffered for a slow client. */
export const fileReadBytes = 64 * 1024;
/** Sockets of one public server: below the usual limit of open files, above the capacity of one machine. */
export const maxPublicConnections = 30_000;
/**
 * Of these, connections without a request: incomplete TLS handshakes or heads, idle keep-alive. A third of the limit; viewers of the engine
 * may use the rest.
 */
export const maxUnusedConnections = 10_000;
/**
 * The same per address: browsers keep six per server, so this is a school of 300 behind one router. The oldest is closed for a newer one,
 * which a browser does not notice.
 */
export const maxUnusedConnectionsPerAddress = 2_048;
/** When all sockets are in use, idle ones are closed for new clients, at most once in this time, milliseconds: it visits all sockets. */
export const roomIntervalMs = 1_000;
/** Sockets of one address at one public server: a school behind one router needs a tenth of it. */
export const maxConnectionsPerAddress = 10_000;
/** Sockets to one backend of a proxied path; more requests wait. */
export const maxBackendSockets = 256;
/** Requests at one backend per address: no address uses all of its sockets, and a school behind one router has enough. */
export const backendLane: LaneLimits = {
  most: maxBackendSockets,
  mostPerAddress: 192,
  mostWaiting: 4_096,
  mostWaitingPerAddress: 1_024,
};
/** WebSockets to all backends at the same time. */
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
/** Longest pause within a backend's response, milliseconds: event streams send comments more often. */
export const backendIdleMs = 300_000;
/** Timeout of the control plane's readiness response, milliseconds: health checks wait 2 s or more. */
export const readinessTimeoutMs = 1_500;
/** Timeout of a TLS handshake, milliseconds. */
export const handshakeTimeoutMs = 10_000;
/**
 * TLS handshakes started per turn of the event loop and per second: each takes 0.5 ms of the core that carries the media, so all together
 * use half of it. One address may start what 300 browsers behind one router open in four seconds. The rest waits.
 */
export const handshakeTurns: TurnLimits = { mostPerTurn: 4, mostPerSecond: 1_000, mostPerSecondOfAddress: 500 };
/** Interval of checks of the certificate files, milliseconds: two stat calls. */
export const certificateCheckMs = 2_000;
/** Longest ACME challenge file, bytes: a key authorisation has about 90. */
export const maxChallengeBytes = 4 * 1024;
/** Minimum interval of log lines while the control plane is unavailable, milliseconds: open consoles send requests every second. */
export const awayLogIntervalMs = 10_000;

export const deadlines: Deadlines = { bodyMs: bodyTimeoutMs, uploadStallMs, readerStallMs };
